// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a window took: their time, the wait for data in them, how long devices worked.
#ifndef ENCODE_STEP_COSTS_H
#define ENCODE_STEP_COSTS_H

#include "capture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tp_step_mark {
    int64_t number; // N of ProfilerStep#N
    int64_t begin_ns, end_ns;
} tp_step_mark;

// Plain fields, to be freed with tp_step_costs_free().
typedef struct tp_step_costs {
    tp_step_mark *steps; // in order of time
    size_t count;
    int64_t
        *loader_ns;    // waits for the data loader on the steps' thread, counted once, of each step
    uint32_t *devices; // numbers of the devices that worked, ascending
    size_t device_count;
    int64_t *busy_ns; // kernels, copies and memsets, counted once: [device * count + step]
} tp_step_costs;

// False for lack of memory; then there is nothing to free. Any thread.
bool tp_step_costs_make(const tp_capture *capture, tp_step_costs *costs);
void tp_step_costs_free(tp_step_costs *costs);

#endif
