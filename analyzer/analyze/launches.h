// SPDX-License-Identifier: BSD-3-Clause
// Launch calls: how long they take and how late the device starts.
#ifndef ANALYZE_LAUNCHES_H
#define ANALYZE_LAUNCHES_H

#include "analyze/worker.h"

typedef struct launch_row {
    const char *name; // runtime or driver call that launched device work
    int64_t calls, host_mean_ns, delay_mean_ns, delay_median_ns, delay_p95_ns;
    int64_t short_kernels; // kernels shorter than their launch call
} launch_row;

typedef struct launches {
    launch_row *at; // by calls; ties by name
    uint32_t count;
    int64_t negative_delays; // device work that starts before its call, by the clocks
} launches;

launches launches_analyze(const worker *w, arena *a);

#endif
