// SPDX-License-Identifier: BSD-3-Clause
// Ranges that the user marked: latencies, shares, device time covered.
#ifndef ANALYZE_ANNOTATIONS_H
#define ANALYZE_ANNOTATIONS_H

#include "analyze/worker.h"

typedef struct annotation_row {
    const char *name;
    int64_t calls, total_ns, self_ns, mean_ns, median_ns, p95_ns, min_ns, max_ns;
    int64_t slowest_begin_ns; // of the longest occurrence, relative to its span's base
    const char *slowest_span;
    double step_share; // union of its occurrences inside complete steps / their wall; REAL_NONE
                       // without steps
    int64_t device_ns; // union of device work launched inside
} annotation_row;

typedef struct annotations {
    annotation_row *at; // by total_ns; ties by name
    uint32_t count;
} annotations;

annotations annotations_analyze(const worker *w, arena *a);

#endif
