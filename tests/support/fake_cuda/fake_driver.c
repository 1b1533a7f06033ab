// SPDX-License-Identifier: BSD-3-Clause
// The stand-in's CUDA driver: cuInit() with CUDA's injection, devices (two H100), contexts,
// launches.
#include "fake_timeline.h"

#include <cuda.h>
#include <cupti.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER CUPTI_ACTIVITY_KIND_DRIVER

static bool initialized;
static pthread_once_t injection_once = PTHREAD_ONCE_INIT;

// What the real driver does within cuInit(): loads the library that the variable names, and calls
// it.
static void inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    int (*initialize)(void) = NULL;
    void *library = path && path[0] ? dlopen(path, RTLD_NOW) : NULL;
    if (!library)
        return;
    void *address = dlsym(library, "InitializeInjection");
    memcpy(&initialize, &address, sizeof(initialize));
    if (initialize)
        initialize();
}

FAKE_API CUresult cuInit(unsigned flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_once(&injection_once, inject);
    initialized = true;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDeviceGetCount(int *count)
{
    if (!initialized)
        return CUDA_ERROR_NOT_INITIALIZED;
    *count = FAKE_DEVICES;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal < FAKE_DEVICES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

FAKE_API CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    static const char text[] = "NVIDIA H100 80GB HBM3";
    (void)device;
    if (length < (int)sizeof(text))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(name, text, sizeof(text));
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = 85018279936;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    static const struct {
        CUdevice_attribute attribute;
        int value;
    } values[] = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,                1024  },
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,          49152 },
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE,                            32    },
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,              65536 },
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,                 132   },
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,       2048  },
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,             9     },
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,             0     },
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,     65536 },
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,    232448},
    };
    (void)device;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (values[i].attribute == attribute) {
            *value = values[i].value;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

// ---- Contexts: the primary one of each device, whose handle is its number

static CUcontext context_of(int device)
{
    return (CUcontext)(uintptr_t)(FAKE_CONTEXT + device);
}

FAKE_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    (void)device;
    *flags = 0;
    *active = initialized;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    *context = context_of(device);
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = initialized ? context_of(*fake_current_device()) : NULL;
    return CUDA_SUCCESS;
}

static _Thread_local int pushed_from;

FAKE_API CUresult cuCtxPushCurrent(CUcontext context)
{
    pushed_from = *fake_current_device();
    *fake_current_device() = (int)((uintptr_t)context - FAKE_CONTEXT);
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuCtxPopCurrent(CUcontext *context)
{
    *context = context_of(*fake_current_device());
    *fake_current_device() = pushed_from;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    *mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuCtxSynchronize(void)
{
    fake_call call = fake_call_begin(DRIVER, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize);
    const uint32_t device = (uint32_t)*fake_current_device();
    const fake_sink *sink = fake_sink_now();

    fake_sleep_until(fake_idle_at(device));
    if (sink)
        sink->wait(&(fake_wait){.type = 4,
                                .start_ns = call.start_ns,
                                .end_ns = fake_now_ns(),
                                .correlation = call.correlation,
                                .context = FAKE_CONTEXT + device,
                                .stream = UINT32_MAX});
    fake_call_end(&call);
    return CUDA_SUCCESS;
}

FAKE_API CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared, CUstream stream,
                                 void **arguments, void **extra)
{
    const fake_kernel *kernel = (const fake_kernel *)function;
    fake_call call = fake_call_begin(DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    fake_work work = {
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .kernel = kernel,
        .grid = {(int32_t)grid_x,  (int32_t)grid_y,  (int32_t)grid_z },
        .block = {(int32_t)block_x, (int32_t)block_y, (int32_t)block_z},
        .dynamic_shared_memory = (int32_t)shared,
    };

    (void)arguments;
    (void)extra;
    fake_enqueue(fake_stream_of(stream), &work, kernel->duration_ns, call.correlation);
    fake_call_end(&call);
    return CUDA_SUCCESS;
}
