// SPDX-License-Identifier: BSD-3-Clause
// Exclusive times of kinds inside each step of a span, in one pass however the steps lie.
#ifndef ANALYZE_STEP_SUMS_H
#define ANALYZE_STEP_SUMS_H

#include "analyze/loader_marks.h"
#include "analyze/sweep.h"
#include "analyze/worker.h"

// Times by kind; [kinds] is when nothing is busy, so that each array adds up to what it covers.
typedef struct step_sum {
    int64_t whole[SWEEP_KINDS + 1];   // of the step's window
    int64_t waiting[SWEEP_KINDS + 1]; // of the part in which the step's thread waits for its loader
} step_sum;

// The sums while they are made: step_sums_begin(), step_sums_add() for all that is busy, in order
// of begin, and step_sums_end().
typedef struct step_sums {
    sweep sweep;
    int64_t next_look; // when the sums are looked at next
    const span *span;
    const loader_marks *marks;
    struct look_list *looks;
    struct wait_state *waits; // by thread of marks
    step_sum *sums;
} step_sums;

// Kinds count from 0, the first in precedence. `marks` may be NULL: then nothing waits. Lives in
// `a`.
step_sums step_sums_begin(const span *s, const loader_marks *marks, unsigned kinds, arena *a);

// Goes on to `time` and looks at all that is to be looked at up to there.
void step_sums_look(step_sums *s, int64_t time);

static inline void step_sums_add(step_sums *s, unsigned kind, int64_t begin, int64_t end)
{
    if (begin >= s->next_look)
        step_sums_look(s, begin);
    sweep_add(&s->sweep, kind, begin, end);
}

// One for each step of the span.
const step_sum *step_sums_end(step_sums *s);

#endif
