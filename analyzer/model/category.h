// SPDX-License-Identifier: BSD-3-Clause
// What a record means to the analyses, from its category word.
#ifndef MODEL_CATEGORY_H
#define MODEL_CATEGORY_H

#include "base/text.h"

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
// unknown. Steps, modules and memory instants need the record too: see intake.c.
role category_role(text category);

// Whether flow records of this category lead from forward to backward operators.
bool category_is_forward_backward(text category);

#endif
