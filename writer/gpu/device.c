// SPDX-License-Identifier: BSD-3-Clause
// What the CUDA driver in the process says of its devices, and waiting for them.
#include "gpu/device.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// The driver's interface, as stable as its soname: every result is an int, 0 is success.
typedef struct cuda_driver {
    void *handle;
    int (*cuDriverGetVersion)(int *version);
    int (*cuDeviceGetCount)(int *count);
    int (*cuDeviceGet)(int *device, int ordinal);
    int (*cuDeviceGetName)(char *name, int length, int device);
    int (*cuDeviceTotalMem_v2)(size_t *bytes, int device);
    int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
    int (*cuDevicePrimaryCtxGetState)(int device, unsigned *flags, int *active);
    int (*cuDevicePrimaryCtxRetain)(void **context, int device);
    int (*cuDevicePrimaryCtxRelease_v2)(int device);
    int (*cuCtxGetCurrent)(void **context);
    int (*cuCtxPushCurrent_v2)(void *context);
    int (*cuCtxPopCurrent_v2)(void **context);
    int (*cuCtxSynchronize)(void);
    int (*cuThreadExchangeStreamCaptureMode)(int *mode);
} cuda_driver;

typedef struct driver_symbol {
    const char *name;
    size_t offset;
} driver_symbol;

#define SYMBOL(name)                                                                               \
    {                                                                                              \
#name, offsetof(cuda_driver, name)                                                         \
    }

static const driver_symbol SYMBOLS[] = {
    SYMBOL(cuDriverGetVersion),
    SYMBOL(cuDeviceGetCount),
    SYMBOL(cuDeviceGet),
    SYMBOL(cuDeviceGetName),
    SYMBOL(cuDeviceTotalMem_v2),
    SYMBOL(cuDeviceGetAttribute),
    SYMBOL(cuDevicePrimaryCtxGetState),
    SYMBOL(cuDevicePrimaryCtxRetain),
    SYMBOL(cuCtxGetCurrent),
    SYMBOL(cuDevicePrimaryCtxRelease_v2),
    SYMBOL(cuCtxPushCurrent_v2),
    SYMBOL(cuCtxPopCurrent_v2),
    SYMBOL(cuCtxSynchronize),
    SYMBOL(cuThreadExchangeStreamCaptureMode),
};

// Numbers of CUdevice_attribute.
enum {
    MAX_THREADS_PER_BLOCK = 1,
    SHARED_MEMORY_PER_BLOCK = 8,
    WARP_SIZE = 10,
    REGISTERS_PER_BLOCK = 12,
    MULTIPROCESSOR_COUNT = 16,
    MAX_THREADS_PER_MULTIPROCESSOR = 39,
    COMPUTE_MAJOR = 75,
    COMPUTE_MINOR = 76,
    SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    REGISTERS_PER_MULTIPROCESSOR = 82,
    SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CAPTURE_MODE_RELAXED = 2,
};

// The driver of the process. False where it has none, or one without these functions. To be closed
// with driver_close().
static bool driver_open(cuda_driver *driver)
{
    *driver = (cuda_driver){.handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD)};
    if (!driver->handle) {
        dlerror();
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(SYMBOLS); i++) {
        void *address = dlsym(driver->handle, SYMBOLS[i].name);
        if (!address) {
            dlclose(driver->handle);
            return false;
        }
        memcpy((char *)driver + SYMBOLS[i].offset, &address, sizeof(address));
    }
    return true;
}

static void driver_close(cuda_driver *driver)
{
    dlclose(driver->handle); // the process keeps its own hold
}

static int attribute(const cuda_driver *driver, int device, int which)
{
    int value = 0;
    return driver->cuDeviceGetAttribute(&value, which, device) == 0 ? value : 0;
}

static void query_device(const cuda_driver *driver, int ordinal, char *name, size_t name_bytes,
                         tp_device_info *info)
{
    int device = 0;
    size_t memory = 0;

    *info = (tp_device_info){.id = ordinal, .name = name};
    name[0] = '\0';
    if (driver->cuDeviceGet(&device, ordinal) != 0)
        return;
    if (driver->cuDeviceGetName(name, (int)name_bytes, device) != 0)
        name[0] = '\0';
    if (driver->cuDeviceTotalMem_v2(&memory, device) == 0)
        info->total_global_memory = (int64_t)memory;
    info->compute_major = attribute(driver, device, COMPUTE_MAJOR);
    info->compute_minor = attribute(driver, device, COMPUTE_MINOR);
    info->max_threads_per_block = attribute(driver, device, MAX_THREADS_PER_BLOCK);
    info->max_threads_per_multiprocessor =
        attribute(driver, device, MAX_THREADS_PER_MULTIPROCESSOR);
    info->registers_per_block = attribute(driver, device, REGISTERS_PER_BLOCK);
    info->warp_size = attribute(driver, device, WARP_SIZE);
    info->shared_memory_per_block = attribute(driver, device, SHARED_MEMORY_PER_BLOCK);
    info->multiprocessors = attribute(driver, device, MULTIPROCESSOR_COUNT);
    info->registers_per_multiprocessor = attribute(driver, device, REGISTERS_PER_MULTIPROCESSOR);
    info->shared_memory_per_block_optin = attribute(driver, device, SHARED_MEMORY_PER_BLOCK_OPTIN);
    info->shared_memory_per_multiprocessor =
        attribute(driver, device, SHARED_MEMORY_PER_MULTIPROCESSOR);
}

void tp_devices_query(tp_device_table *table)
{
    cuda_driver driver;
    int count = 0;

    table->count = 0;
    table->driver_version = 0;
    if (!driver_open(&driver))
        return;
    // Fails where the program has not initialised the driver.
    if (driver.cuDeviceGetCount(&count) == 0 && count > 0) {
        driver.cuDriverGetVersion(&table->driver_version);
        table->count = (uint32_t)(count < TPROF_DEVICES ? count : TPROF_DEVICES);
        for (uint32_t i = 0; i < table->count; i++)
            query_device(&driver, (int)i, table->names[i], sizeof(table->names[i]),
                         &table->devices[i]);
    }
    driver_close(&driver);
}

const tp_device_info *tp_devices_find(const tp_device_table *table, uint32_t id)
{
    return id < table->count ? &table->devices[id] : NULL;
}

static bool wait_for_current(const cuda_driver *driver)
{
    void *context = NULL;
    if (driver->cuCtxGetCurrent(&context) != 0 || !context)
        return false;
    driver->cuCtxSynchronize();
    return true;
}

static bool wait_for_primary(const cuda_driver *driver, int ordinal)
{
    int device = 0;
    int active = 0;
    unsigned flags = 0;
    void *context = NULL;

    if (driver->cuDeviceGet(&device, ordinal) != 0 ||
        driver->cuDevicePrimaryCtxGetState(device, &flags, &active) != 0 || !active ||
        driver->cuDevicePrimaryCtxRetain(&context, device) != 0)
        return false;
    if (driver->cuCtxPushCurrent_v2(context) == 0) {
        driver->cuCtxSynchronize();
        driver->cuCtxPopCurrent_v2(&context);
    }
    driver->cuDevicePrimaryCtxRelease_v2(device);
    return true;
}

bool tp_devices_wait(void)
{
    cuda_driver driver;
    int count = 0;
    int mode = CAPTURE_MODE_RELAXED;

    if (!driver_open(&driver))
        return false;
    if (driver.cuDeviceGetCount(&count) != 0) {
        driver_close(&driver);
        return false;
    }
    const bool exchanged = driver.cuThreadExchangeStreamCaptureMode(&mode) == 0;
    bool waited = wait_for_current(&driver);
    for (int i = 0; i < count; i++)
        waited |= wait_for_primary(&driver, i);
    if (exchanged)
        driver.cuThreadExchangeStreamCaptureMode(&mode);
    driver_close(&driver);
    return waited;
}

int tp_runtime_version(void)
{
    static const char *const names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};
    int version = 0;

    for (size_t i = 0; i < ARRAY_LEN(names) && version == 0; i++) {
        int (*get_version)(int *) = NULL;
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        if (!handle)
            continue;
        void *address = dlsym(handle, "cudaRuntimeGetVersion");
        memcpy(&get_version, &address, sizeof(address));
        if (get_version && get_version(&version) != 0)
            version = 0;
        dlclose(handle);
    }
    dlerror();
    return version;
}
