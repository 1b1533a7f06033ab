// SPDX-License-Identifier: BSD-3-Clause
// Pure: how many blocks of a kernel a multiprocessor can hold, and what traces say of that.
#ifndef GPU_OCCUPANCY_H
#define GPU_OCCUPANCY_H

#include "capture.h"

#include <stdint.h>

enum { TP_OCCUPANCY_NO_LIMIT = INT32_MAX };

// Blocks a multiprocessor holds at a time, by what bounds them; -1 each where the device's
// generation is not known.
typedef struct tp_occupancy {
    int32_t by_warps, by_blocks, by_registers, by_shared_memory;
    int32_t blocks; // the least of them
} tp_occupancy;

typedef enum tp_occupancy_limit {
    TP_SHARED_DEFAULT, // 48 KiB a block, as Kineto asks: a kernel with more holds 0 blocks
    TP_SHARED_OPTIN,   // what the device allows those that ask for it
} tp_occupancy_limit;

// Grid, block, registers and shared memory of `kernel` are looked at.
tp_occupancy tp_occupancy_of(const tp_kernel *kernel, const tp_device_info *device,
                             tp_occupancy_limit limit);

// Sets blocks_per_sm, warps_per_sm, occupancy_percent (as torch writes it) and occupancy_ratio
// (with the opt-in limit) of `kernel`; to "unknown" where `device` is NULL or states no
// multiprocessors.
void tp_occupancy_fill(tp_kernel *kernel, const tp_device_info *device);

#endif
