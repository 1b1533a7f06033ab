// SPDX-License-Identifier: BSD-3-Clause
// What the parsing of CUPTI's records asks for, in a form that tests can tell; and both passes.
#include "support/cupti_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static const tp_cupti_function FUNCTIONS[] = {
    {.name = "cudaLaunchKernel", .kept = true, .starts_flow = true},
    {.name = "cudaGetDevice"   },
    {.name = "cudaMalloc",         .kept = true,             .allocates = true            },
};

static const tp_cupti_function *function(void *arg, bool driver, uint32_t id)
{
    (void)arg;
    (void)driver;
    return &FUNCTIONS[id % ARRAY_LEN(FUNCTIONS)];
}

static const char *kernel_name(void *arg, const char *mangled)
{
    (void)arg;
    return mangled; // random bytes are no pointer: not looked at
}

static char last_interned[128];

static const char *intern(void *arg, const char *text)
{
    (void)arg;
    snprintf(last_interned, sizeof(last_interned), "%s", text);
    return last_interned;
}

static int64_t to_trace_ns(void *arg, uint64_t timestamp)
{
    (void)arg;
    return (int64_t)timestamp + 1000000;
}

static const tp_device_info H100 = {
    .id = 0,
    .name = "NVIDIA H100 80GB HBM3",
    .compute_major = 9,
    .max_threads_per_block = 1024,
    .max_threads_per_multiprocessor = 2048,
    .registers_per_block = 65536,
    .warp_size = 32,
    .shared_memory_per_block = 49152,
    .multiprocessors = 132,
    .registers_per_multiprocessor = 65536,
    .shared_memory_per_block_optin = 232448,
    .shared_memory_per_multiprocessor = 233472,
};

static const tp_device_info *device(void *arg, uint32_t id)
{
    (void)arg;
    return id == 0 ? &H100 : NULL;
}

static const tp_cupti_hooks HOOKS = {NULL, function, kernel_name, intern, to_trace_ns, device};

int batch_setup(void **state)
{
    tp_cupti_batch *batch = malloc(sizeof(*batch));
    tp_cupti_batch_init(batch, &HOOKS);
    *state = batch;
    return 0;
}

int batch_teardown(void **state)
{
    tp_cupti_batch_free(*state);
    free(*state);
    return 0;
}

bool batch_convert(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof(kind));
    tp_cupti_index(batch, kind, record, size);
    return tp_cupti_convert(batch, kind, record, size, event);
}
