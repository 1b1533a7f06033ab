// SPDX-License-Identifier: BSD-3-Clause
// What the name of an event tells about it.
#ifndef MODEL_NAME_FLAGS_H
#define MODEL_NAME_FLAGS_H

#include "base/text.h"

#include <stdint.h>

// What a name tells, computed once for each interned name and kind of event that has it. Bits.
typedef enum name_flag {
    NAME_LOADER = 1 << 0,        // enumerate(DataLoader)#..., enumerate(DataPipe)#...
    NAME_LOADER_MULTI = 1 << 1,  // ... of worker processes (_MultiProcessingDataLoaderIter)
    NAME_LOADER_SINGLE = 1 << 2, // ... in this process (_SingleProcessDataLoaderIter)
    NAME_STEP = 1 << 3,          // ProfilerStep#
    NAME_COMMUNICATION = 1 << 4, // of a kernel: a collective (definitions, classes, 2)
    NAME_COLLECTIVE = 1 << 5,    // of a host range: gloo:, nccl:, mpi:, ucc:, xccl:
    NAME_SYNC_CALL = 1 << 6,     // of a call: *Synchronize
    NAME_COPY_CALL = 1 << 7,     // of a call: blocking copy
    NAME_ALLOC_CALL = 1 << 8,    // of a call: allocates or frees device memory
    NAME_LAUNCH_CALL = 1 << 9,   // of a call: launches kernels, copies or graphs
    NAME_GRAPH_LAUNCH = 1 << 10, // of a call: cudaGraphLaunch, hipGraphLaunch
    NAME_TENSOR_YES = 1 << 11,   // of a kernel: uses matrix units
    NAME_TENSOR_NO = 1 << 12,    // of a kernel: surely does not; neither bit: cannot be told
    NAME_TENSOR_OP = 1 << 13,    // of an operator: could use matrix units
    NAME_PAGEABLE = 1 << 14,     // of a copy: Pageable memory on one side
    NAME_OPTIMIZER = 1 << 15,    // Optimizer.*
    NAME_WRAPPER = 1 << 16,      // DataParallel.forward, DistributedDataParallel.forward
} name_flag;

// The flags that make sense for names of calls, of other host events, and of device work.
uint32_t name_flags_call(text name);
uint32_t name_flags_host(text name);
uint32_t name_flags_work(text name);

#endif
