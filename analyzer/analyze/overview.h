// SPDX-License-Identifier: BSD-3-Clause
// Steps with their exclusive roles, their statistics, the devices.
#ifndef ANALYZE_OVERVIEW_H
#define ANALYZE_OVERVIEW_H

#include "analyze/worker.h"

// A step; times in ns, begins relative to its span's base. The roles add up to wall_ns.
typedef struct overview_step {
    const char *step, *span;
    int64_t begin_ns, wall_ns, host_begin_ns, host_wall_ns;
    tristate complete;
    int64_t kernel_ns, memcpy_ns, memset_ns, communication_ns, runtime_ns, data_loader_ns,
        cpu_exec_ns, other_ns;
} overview_step;

// Over complete steps (over all where none is complete). INT_NONE without steps; stdev_ns also for
// one.
typedef struct step_statistics {
    int64_t count, mean_ns, median_ns, p95_ns, min_ns, max_ns, stdev_ns;
    double throughput_per_s;  // samples; REAL_NONE where no batch size is known
    text_list outliers;       // names of steps that stand out
    int64_t outlier_over_ns;  // steps that take longer stand out; INT_NONE where none can
    const char *outlier_note; // why there is no list, or NULL
} step_statistics;

typedef struct overview_device {
    const char *device, *name;      // name: NULL where unknown
    const char *compute_capability; // "9.0"; NULL where unknown
    int64_t busy_ns, kernel_ns;
    double utilization, sm_efficiency, occupancy,
        tensor_core_share;          // 0..1, REAL_NONE where unknown
    int64_t memory_bytes, sm_count; // INT_NONE where unknown
} overview_device;

typedef struct environment_row {
    const char *key, *value;
} environment_row;

typedef struct overview {
    overview_step *steps;
    uint32_t step_count;
    step_statistics statistics;
    overview_device *devices;
    uint32_t device_count;
    environment_row *environment;
    uint32_t environment_count;
} overview;

overview overview_analyze(const worker *w, arena *a);

#endif
