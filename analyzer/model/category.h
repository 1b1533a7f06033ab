// SPDX-License-Identifier: BSD-3-Clause
// What a record means to the analyses, from its category word, and what a name tells.
#ifndef MODEL_CATEGORY_H
#define MODEL_CATEGORY_H

#include "base/text.h"

#include <stdint.h>

// The roles of records. Those up to ROLE_MEMSET are stored as events; of the others only counts,
// times and what trace.h says are kept. The words are those of `info`'s table of categories.
#define ROLE_MAP(X)                                                                                \
    X(OPERATOR, "operator")     /* cpu_op and its names of the past */                             \
    X(ANNOTATION, "annotation") /* user_annotation on the host */                                  \
    X(STEP, "step")             /* a ProfilerStep# of one of these two */                          \
    X(PYTHON, "python")         /* python_function */                                              \
    X(MODULE, "module")         /* python_function with a module id */                             \
    X(RUNTIME, "runtime")       /* cuda_runtime (hip too), xpu_runtime, mtia_runtime, ... */       \
    X(DRIVER, "driver")         /* cuda_driver, xpu_driver, ... */                                 \
    X(KERNEL, "kernel")         /* device work from here ... */                                    \
    X(MEMCPY, "memcpy")                                                                            \
    X(MEMSET, "memset")                 /* ... to here */                                          \
    X(GPU_ANNOTATION, "gpu_annotation") /* a host range projected to the device: no work */        \
    X(SYNC, "sync")                     /* cuda_sync, cuda_event: device-side view of waits */     \
    X(OVERHEAD, "overhead")                                                                        \
    X(SPAN, "span")     /* Trace */                                                                \
    X(MEMORY, "memory") /* [memory] instants */                                                    \
    X(FLOW, "flow")                                                                                \
    X(COUNTER, "counter")                                                                          \
    X(METADATA, "metadata")                                                                        \
    X(OTHER, "other")

typedef enum role {
#define X(name, word) ROLE_##name,
    ROLE_MAP(X)
#undef X
        ROLE_COUNT
} role;

static inline bool role_is_device(role r)
{
    return r >= ROLE_KERNEL && r <= ROLE_MEMSET;
}

static inline bool role_is_call(role r)
{
    return r == ROLE_RUNTIME || r == ROLE_DRIVER;
}

static inline bool role_is_stored(role r)
{
    return r <= ROLE_MEMSET;
}

const char *role_word(role r);

// The role of a category word of any PyTorch version and back end, by one table; ROLE_OTHER where
// unknown. Steps, modules and memory instants need the record too: see trace_builder.
role category_role(text category);

// What a name tells, computed once for each interned name. Bits.
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
} name_flag;

uint32_t name_flags(text name);

#endif
