// SPDX-License-Identifier: BSD-3-Clause
// Where each instant of a step goes: the bottleneck classes, per step and device.
#ifndef ANALYZE_IDLE_H
#define ANALYZE_IDLE_H

#include "analyze/worker.h"

// A step on a device; all but the first four add up to wall_ns exactly.
typedef struct class_row {
    const char *step, *span;
    const char *device; // "host" where the log has no device events
    int64_t wall_ns;
    int64_t compute_ns, communication_ns, copy_ns;
    int64_t idle_input_ns, idle_sync_ns, idle_copy_ns, idle_alloc_ns, idle_launch_ns, idle_host_ns,
        idle_device_ns, idle_unknown_ns;
    bool complete; // the step is
} class_row;

typedef struct class_table {
    class_row *at; // steps in time order, devices in theirs
    uint32_t count;
    uint32_t devices_left_out; // of logs with so many devices and steps that rows would not fit
} class_table;

class_table classes_analyze(const worker *w, arena *a);

#endif
