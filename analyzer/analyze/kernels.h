// SPDX-License-Identifier: BSD-3-Clause
// Kernels by name, and by name, operator and launch shape.
#ifndef ANALYZE_KERNELS_H
#define ANALYZE_KERNELS_H

#include "analyze/worker.h"

typedef struct kernel_row {
    const char *name;
    const char *operator_name;              // column `operator`; NULL in the table by name
    const char *grid, *block;               // "[1, 2, 3]"
    int64_t registers, shared_memory_bytes; // INT_NONE where unknown
    int64_t calls, total_ns;
    int64_t raw_total_ns; // before clipping implausible durations
    int64_t mean_ns, min_ns, max_ns;
    double blocks_per_sm, occupancy; // duration-weighted; occupancy 0..1; REAL_NONE without any
    tristate tensor_cores;
    bool communicates;            // a collective's kernel, by its name
    int64_t launch_delay_mean_ns; // INT_NONE without launches
} kernel_row;

typedef struct kernel_table {
    kernel_row *at; // by total_ns; ties by name
    uint32_t count;
} kernel_table;

typedef struct kernels {
    kernel_table by_name, by_operator;
} kernels;

kernels kernels_analyze(const worker *w, arena *a);

#endif
