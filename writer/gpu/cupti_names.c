// SPDX-License-Identifier: BSD-3-Clause
// Pure: the words that traces use for CUPTI's numbers and names.
#include "gpu/cupti_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

const char *tp_cupti_copy_direction(uint32_t copy_kind)
{
    static const char *const words[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                        "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};
    return words[copy_kind < ARRAY_LEN(words) ? copy_kind : 0];
}

const char *tp_cupti_memory_word(uint32_t memory_kind)
{
    static const char *const words[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                        "Array",   "Managed",  "Device Static", "Managed Static"};
    return words[memory_kind < ARRAY_LEN(words) ? memory_kind : 0];
}

void tp_cupti_copy_name(uint32_t copy_kind, uint32_t from, uint32_t to, char *text, size_t size)
{
    snprintf(text, size, "Memcpy %s (%s -> %s)", tp_cupti_copy_direction(copy_kind),
             tp_cupti_memory_word(from), tp_cupti_memory_word(to));
}

const char *tp_cupti_sync_word(uint32_t type)
{
    static const char *const words[] = {NULL, "Event Sync", "Stream Wait Event", "Stream Sync",
                                        "Context Sync"};
    return type < ARRAY_LEN(words) ? words[type] : NULL;
}

const char *tp_cupti_overhead_word(uint32_t overhead_kind)
{
    static const char *const of_cupti[] = {"Unknown",
                                           "Buffer Flush",
                                           "Instrumentation",
                                           "Resource",
                                           "Runtime Triggered Module Loading",
                                           "Lazy Function Loading",
                                           "Command Buffer Full",
                                           "Activity Buffer Request",
                                           "UVM Activity Init"};
    if (overhead_kind == 1)
        return "Driver Compiler";
    // CUPTI's own kinds count in the upper half of the number.
    const uint32_t own = overhead_kind >> 16;
    return (overhead_kind & 0xffff) == 0 && own < ARRAY_LEN(of_cupti) ? of_cupti[own]
                                                                      : "Unrecognized";
}

const char *tp_cupti_jit_word(uint32_t entry_type, uint32_t operation)
{
    switch (operation) {
    case 1:
        return "JIT Cache Load";
    case 2:
        return "JIT Cache Store";
    case 3:
        return entry_type == 2 ? "JIT Compile (NVVM IR to PTX)" : "JIT Compile (PTX to cubin)";
    default:
        return "JIT";
    }
}

const char *tp_cupti_pool_word(uint32_t operation)
{
    static const char *const words[] = {"cudaMemPool", "cudaMemPool created",
                                        "cudaMemPool destroyed", "cudaMemPool trimmed"};
    return words[operation < ARRAY_LEN(words) ? operation : 0];
}

size_t tp_cupti_api_length(const char *name)
{
    const size_t length = strlen(name);
    size_t at = length;

    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--;
    if (length - at >= 4 && at > 2 && memcmp(name + at - 2, "_v", 2) == 0)
        return at - 2;
    return length;
}

// A name, or with '*' at its end the beginning of names.
static bool matches(const char *pattern, const char *name, size_t length)
{
    const size_t size = strlen(pattern);
    if (size > 0 && pattern[size - 1] == '*')
        return length >= size - 1 && memcmp(pattern, name, size - 1) == 0;
    return size == length && memcmp(pattern, name, length) == 0;
}

static bool is_among(const char *const *patterns, size_t count, const char *name)
{
    const size_t length = tp_cupti_api_length(name);
    for (size_t i = 0; i < count; i++)
        if (matches(patterns[i], name, length))
            return true;
    return false;
}

bool tp_cupti_runtime_is_kept(const char *name)
{
    static const char *const left_out[] = {"cudaGetDevice",
                                           "cudaSetDevice",
                                           "cudaGetLastError",
                                           "cudaEventCreate",
                                           "cudaEventCreateWithFlags",
                                           "cudaEventDestroy"};
    return !is_among(left_out, ARRAY_LEN(left_out), name);
}

bool tp_cupti_driver_is_kept(const char *name)
{
    // Kineto keeps the launches of compiled kernels and the mapping of memory. The rest is for
    // programs that use the driver alone: their copies and waits have no other host event.
    static const char *const kept[] = {
        "cuLaunch*",
        "cuGraphLaunch*",
        "cuMemCreate",
        "cuMemMap",
        "cuMemUnmap",
        "cuMemRelease",
        "cuMemcpy*",
        "cuMemset*",
        "cuMemExportToShareableHandle",
        "cuCtxSynchronize*",
        "cuStreamSynchronize*",
        "cuMemImportFromShareableHandle",
        "cuEventSynchronize",
        "cuStreamWaitEvent*",
    };
    return is_among(kept, ARRAY_LEN(kept), name);
}

bool tp_cupti_starts_flow(const char *name)
{
    static const char *const starts[] = {
        "cudaLaunch*",
        "cudaGraphLaunch*",
        "cudaMemcpy*",
        "cudaMemset*",
        "cudaStreamSynchronize*",
        "cudaDeviceSynchronize",
        "cudaStreamWaitEvent*",
        "cuLaunch*",
        "cuGraphLaunch*",
        "cuMemcpy*",
        "cuMemset*",
        "cuCtxSynchronize*",
        "cuStreamSynchronize*",
        "cuStreamWaitEvent*",
    };
    return is_among(starts, ARRAY_LEN(starts), name);
}
