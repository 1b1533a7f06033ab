// SPDX-License-Identifier: BSD-3-Clause
// Finds the machine's CUPTI at run time, and what this copy of it can do.
//
// A copy that is in the process already is taken, because there can be only one in use: torch
// brings its own. Then the loader's search path, toolkits, and the folders where wheels put it.
#include "gpu/cupti_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static const char *const SONAMES[] = {
    "libcupti.so.13",   "libcupti.so.12",   "libcupti.so.11.8", "libcupti.so.11.7",
    "libcupti.so.11.6", "libcupti.so.11.5", "libcupti.so.11.4", "libcupti.so.11.3",
    "libcupti.so.11.2", "libcupti.so.11.1", "libcupti.so.11.0", "libcupti.so",
};

// Folders where toolkits are, newest first as glob() sorts them.
static const char *const TOOLKITS[] = {"/usr/local/cuda", "/usr/local/cuda-1[0-9]*", "/opt/cuda"};
static const char *const IN_TOOLKIT[] = {"lib64", "extras/CUPTI/lib64", "lib",
                                         "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"};
static const char *const IN_PACKAGES[] = {"nvidia/cuda_cupti/lib", "nvidia/cu13/lib"};

enum { PATH_BYTES = 4096 };

static void *open_quietly(const char *path, int more)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | more);
    if (!handle)
        dlerror(); // a miss is no news
    return handle;
}

static void *open_soname(int more)
{
    for (size_t i = 0; i < ARRAY_LEN(SONAMES); i++) {
        void *handle = open_quietly(SONAMES[i], more);
        if (handle)
            return handle;
    }
    return NULL;
}

// Any of the names in `folder`/`below`. `folder` may be a pattern; the last match is the newest.
static void *open_in(const char *folder, const char *below)
{
    void *handle = NULL;
    for (size_t i = 0; i < ARRAY_LEN(SONAMES) && !handle; i++) {
        char pattern[PATH_BYTES];
        glob_t found = {0};
        const int length =
            snprintf(pattern, sizeof(pattern), "%s/%s/%s", folder, below, SONAMES[i]);
        if (length < (int)sizeof(pattern) && glob(pattern, 0, NULL, &found) == 0)
            for (size_t n = found.gl_pathc; n > 0 && !handle; n--)
                handle = open_quietly(found.gl_pathv[n - 1], 0);
        globfree(&found);
    }
    return handle;
}

static void *open_below(const char *folder, const char *const *below, size_t count)
{
    void *handle = NULL;
    for (size_t i = 0; i < count && !handle; i++)
        handle = open_in(folder, below[i]);
    return handle;
}

static void *open_in_toolkits(void)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    void *handle = NULL;

    for (size_t i = 0; i < ARRAY_LEN(variables) && !handle; i++) {
        const char *folder = getenv(variables[i]);
        if (folder && folder[0])
            handle = open_below(folder, IN_TOOLKIT, ARRAY_LEN(IN_TOOLKIT));
    }
    for (size_t i = 0; i < ARRAY_LEN(TOOLKITS) && !handle; i++)
        handle = open_below(TOOLKITS[i], IN_TOOLKIT, ARRAY_LEN(IN_TOOLKIT));
    return handle;
}

static void *open_in_virtual_environment(void)
{
    char folder[PATH_BYTES];
    const char *environment = getenv("VIRTUAL_ENV");
    if (!environment || !environment[0])
        return NULL;
    if (snprintf(folder, sizeof(folder), "%s/lib/python3*/site-packages", environment) >=
        (int)sizeof(folder))
        return NULL;
    return open_below(folder, IN_PACKAGES, ARRAY_LEN(IN_PACKAGES));
}

static void *open_anywhere(void)
{
    void *handle = open_soname(RTLD_NOLOAD);
    if (!handle)
        handle = open_soname(0);
    if (!handle)
        handle = open_in_toolkits();
    return handle ? handle : open_in_virtual_environment();
}

// A function pointer of any type from dlsym(); ISO C has no cast for that.
static bool resolve(void *handle, const char *symbol, void *function)
{
    void *address = dlsym(handle, symbol);
    memcpy(function, &address, sizeof(address));
    return address != NULL;
}

static const char *missing_function(tp_cupti *cupti)
{
#define X(name)                                                                                    \
    if (!resolve(cupti->handle, #name, &cupti->name))                                              \
        return #name;
    TP_CUPTI_FUNCTION_MAP(X)
#undef X
    resolve(cupti->handle, "cuptiActivityEnableRuntimeApi", &cupti->enable_runtime_api);
    resolve(cupti->handle, "cuptiActivityEnableDriverApi", &cupti->enable_driver_api);
    resolve(cupti->handle, "cuptiActivityEnableAndDump", &cupti->enable_and_dump);
    resolve(cupti->handle, "cuptiActivityEnableCudaEventDeviceTimestamps",
            &cupti->enable_event_timestamps);
    return NULL;
}

bool tp_cupti_load(tp_cupti *cupti, char *why, size_t size)
{
    const char *path = getenv(TP_CUPTI_PATH_VARIABLE);
    *cupti = (tp_cupti){0};

    if (path && path[0]) {
        cupti->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!cupti->handle) {
            snprintf(why, size, TP_CUPTI_PATH_VARIABLE ": %s", dlerror());
            return false;
        }
    } else {
        cupti->handle = open_anywhere();
        if (!cupti->handle) {
            snprintf(why, size, "no libcupti.so was found; " TP_CUPTI_PATH_VARIABLE " can name it");
            return false;
        }
    }

    const char *missing = missing_function(cupti);
    if (missing) {
        snprintf(why, size, "libcupti has no %s", missing);
        return false;
    }
    // Newer libraries refuse every call where there is no driver, this one too.
    const CUptiResult result = cupti->cuptiGetVersion(&cupti->version);
    if (result != CUPTI_SUCCESS) {
        snprintf(why, size,
                 "cuptiGetVersion: %s (%d); is there an NVIDIA driver that fits this CUPTI?",
                 tp_cupti_result_text(cupti, result), (int)result);
        return false;
    }
    tp_cupti_probe_sizes(cupti, &cupti->sizes);
    if (cupti->sizes.bytes[TP_CUPTI_CONCURRENT_KERNEL] == 0) {
        snprintf(why, size, "libcupti %u does not tell the sizes of its records", cupti->version);
        return false;
    }
    return true;
}

enum {
    PROBE_BYTES = 4096, // for two records of a kind
    PROBE_STEP = 8,
};

void tp_cupti_probe_sizes(const tp_cupti *cupti, tp_cupti_sizes *sizes)
{
    // With the kind in each place where the second record may begin, the iterator accepts it
    // wherever that is, and tells by its step how long it takes the first to be.
    _Alignas(8) unsigned char buffer[PROBE_BYTES];

    for (uint32_t kind = 0; kind < TP_CUPTI_KINDS; kind++) {
        CUpti_Activity *record = NULL;
        memset(buffer, 0, sizeof(buffer));
        for (size_t at = 0; at < sizeof(buffer); at += PROBE_STEP)
            memcpy(buffer + at, &kind, sizeof(kind));

        sizes->bytes[kind] = 0;
        if (cupti->cuptiActivityGetNextRecord(buffer, sizeof(buffer), &record) != CUPTI_SUCCESS ||
            cupti->cuptiActivityGetNextRecord(buffer, sizeof(buffer), &record) != CUPTI_SUCCESS)
            continue;
        const ptrdiff_t step = (unsigned char *)record - buffer;
        if (step > 0 && step < PROBE_BYTES)
            sizes->bytes[kind] = (uint16_t)step;
    }
}

const char *tp_cupti_result_text(const tp_cupti *cupti, CUptiResult result)
{
    const char *text = NULL;
    if (cupti->cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text)
        return text;
    return result == CUPTI_ERROR_UNKNOWN ? "CUPTI_ERROR_UNKNOWN" : "unknown result";
}
