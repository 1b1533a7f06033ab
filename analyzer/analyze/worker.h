// SPDX-License-Identifier: BSD-3-Clause
// What an analysis looks at: the spans of one worker, in the order of their stamps. One span is a
// log.
#ifndef ANALYZE_WORKER_H
#define ANALYZE_WORKER_H

#include "base/value.h"
#include "link/steps.h"

typedef struct span {
    const trace *trace;
    const char *name; // stamp as written, or "default"
    step_list steps;
} span;

typedef struct worker {
    const char *run, *worker;
    int64_t rank; // -1: unknown
    const span *spans;
    uint32_t span_count;
} worker;

// Steps of all spans.
uint32_t worker_step_count(const worker *w);

// Whether statistics take incomplete steps too, since no step of any span is complete.
bool worker_counts_incomplete(const worker *w);

#endif
