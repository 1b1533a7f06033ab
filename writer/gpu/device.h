// SPDX-License-Identifier: BSD-3-Clause
// What the CUDA driver in the process says of its devices, and waiting for them.
//
// The driver is only used where the program has brought it in and initialised it: a profiler that
// did so would change the program, and in CUDA's injection, where cuInit() is still running, hang
// it.
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include "capture.h"

#include <stdbool.h>
#include <stdint.h>

// Devices that the process sees, in order; at most TPROF_DEVICES. Names point into the table.
typedef struct tp_device_table {
    tp_device_info devices[TPROF_DEVICES];
    char names[TPROF_DEVICES][128];
    uint32_t count;
    int driver_version; // 0: no driver in use
} tp_device_table;

// Fills the table; it is empty where the process does not use CUDA.
void tp_devices_query(tp_device_table *table);

// The device of that number, or NULL.
const tp_device_info *tp_devices_find(const tp_device_table *table, uint32_t id);

// Waits until the calling thread's context and the primary contexts of all devices have done what
// they were given. A context of cuCtxCreate() that is current on another thread is not waited for:
// CUPTI's records number contexts, they do not give their handles. Returns whether there was any
// to wait for. Harmless while a stream is captured.
bool tp_devices_wait(void);

// The version of the CUDA runtime in the process, 0 where there is none that can be asked.
int tp_runtime_version(void);

#endif
