// SPDX-License-Identifier: BSD-3-Clause
// Exclusive times of kinds inside each step of a span, in one pass however the steps lie.
#ifndef ANALYZE_STEP_SUMS_H
#define ANALYZE_STEP_SUMS_H

#include "analyze/loader_marks.h"
#include "analyze/sweep.h"
#include "analyze/worker.h"

typedef struct busy {
    int64_t begin, end;
    unsigned kind;
} busy;

// Hands out what is busy, in order of begin; false at the end.
typedef struct busy_feed {
    void *self;
    bool (*next)(void *self, busy *out);
    unsigned kinds;
} busy_feed;

// Times by kind; [kinds] is when nothing is busy, so that each array adds up to what it covers.
typedef struct step_sum {
    int64_t whole[SWEEP_KINDS + 1];   // of the step's window
    int64_t waiting[SWEEP_KINDS + 1]; // of the part in which the step's thread waits for its loader
} step_sum;

// One for each step of `s`. `marks` may be NULL: then nothing waits.
step_sum *step_sums_of(const span *s, const loader_marks *marks, busy_feed feed, arena *a);

#endif
