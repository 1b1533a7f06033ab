// SPDX-License-Identifier: BSD-3-Clause
// What the name of an event tells about it.
#include "model/name_flags.h"

#include "model/tensor_names.h"

#include <ctype.h>

// A '?' behind a letter makes it optional, as in a regular expression.
static const char *const COMMUNICATION[] = {
    "cross_device_reduce", "all_?reduce", "all_?gather", "reduce_?scatter", "all_?to_?all",
};

// Libraries, whose kernels' names begin with theirs: my_nccl_like_kernel is none. Digits before
// it are a mangled name's.
static const char *const COMMUNICATION_LIBRARIES[] = {"nccl", "rccl", "oneccl"};

static const char *const COLLECTIVE[] = {"gloo:", "nccl:", "mpi:", "ucc:", "xccl:"};

// What frees and allocates device memory, and what goes through host memory made for it.
static const char *const ALLOC_RUNTIME[] = {"Malloc", "Free", "HostAlloc", "HostFree"};
static const char *const ALLOC_DRIVER[] = {"Alloc", "Free", "Create", "Map", "Unmap", "Release"};

// Parts of call names that put work on a device, of CUDA, HIP, Level Zero and its unified runtime.
static const char *const LAUNCH[] = {
    "LaunchKernel", "LaunchCooperative", "ModuleLaunch", "KernelLaunch", "GraphLaunch",
    "MemcpyAsync",  "MemsetAsync",       "EnqueueMem",   "EnqueueUSM",   "AppendLaunch"};

// Takes `prefix` off `t`'s front, if it is there.
static bool take(text *t, const char *prefix)
{
    const text p = text_of(prefix);
    if (!text_starts(*t, p))
        return false;
    t->at += p.length;
    t->length -= p.length;
    return true;
}

static bool starts_with_any(text t, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_starts(t, text_of(words[i])))
            return true;
    return false;
}

static bool holds_any(text t, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_holds(t, text_of(words[i])))
            return true;
    return false;
}

static bool matches_here(text t, const char *pattern)
{
    size_t at = 0;
    while (*pattern) {
        const bool optional = pattern[1] == '?';
        if (at < t.length && tolower((unsigned char)t.at[at]) == *pattern)
            at++;
        else if (!optional)
            return false;
        pattern += optional ? 2 : 1;
    }
    return true;
}

static bool matches_any_here(text t, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (matches_here(t, patterns[i]))
            return true;
    return false;
}

static bool is_communication_here(text name, size_t at)
{
    const text rest = {name.at + at, name.length - at};
    const bool inside_word =
        at && (isalpha((unsigned char)name.at[at - 1]) || name.at[at - 1] == '_');

    if (matches_any_here(rest, COMMUNICATION, ARRAY_LEN(COMMUNICATION)))
        return true;
    return !inside_word &&
           matches_any_here(rest, COMMUNICATION_LIBRARIES, ARRAY_LEN(COMMUNICATION_LIBRARIES));
}

// Only the function's own name counts: a compute kernel may take a communicator as an argument, or
// be made from a template for one.
static bool is_communication(text name)
{
    const text anonymous = TEXT("(anonymous namespace)");
    size_t depth = 0;

    for (size_t i = 0; i < name.length; i++) {
        const text rest = {name.at + i, name.length - i};
        if (depth == 0 && name.at[i] == '(' && text_starts(rest, anonymous)) {
            i += anonymous.length - 1;
            continue;
        }
        if (name.at[i] == '<' || name.at[i] == '(')
            depth++;
        else if ((name.at[i] == '>' || name.at[i] == ')') && depth)
            depth--;
        else if (depth == 0 && is_communication_here(name, i))
            return true;
    }
    return false;
}

static bool is_sync_call(text name)
{
    const text word = TEXT("Synchronize");
    return text_ends(name, word) || (text_starts(name, TEXT("cu")) && text_holds(name, word)) ||
           (text_starts(name, TEXT("hip")) && text_holds(name, word));
}

// The call returns when the bytes are there.
static bool is_copy_call(text name)
{
    text rest = name;
    if ((take(&rest, "cudaMemcpy") || take(&rest, "hipMemcpy")) && !text_holds(rest, TEXT("Async")))
        return true;

    rest = name;
    if (!take(&rest, "cuMemcpy"))
        return false;
    return (take(&rest, "HtoD") || take(&rest, "DtoH") || take(&rest, "DtoD")) &&
           (rest.length == 0 || text_equal(rest, TEXT("_v2")));
}

static bool is_alloc_call(text name)
{
    text rest = name;
    if (take(&rest, "cuda") || take(&rest, "hip"))
        return starts_with_any(rest, ALLOC_RUNTIME, ARRAY_LEN(ALLOC_RUNTIME));
    return take(&rest, "cuMem") && starts_with_any(rest, ALLOC_DRIVER, ARRAY_LEN(ALLOC_DRIVER));
}

static uint32_t loader_flags(text name)
{
    if (!text_starts(name, TEXT("enumerate(DataLoader)#")) &&
        !text_starts(name, TEXT("enumerate(DataPipe)#")))
        return 0;
    uint32_t flags = NAME_LOADER;
    if (text_holds(name, TEXT("_MultiProcessingDataLoaderIter")))
        flags |= NAME_LOADER_MULTI;
    if (text_holds(name, TEXT("_SingleProcessDataLoaderIter")))
        flags |= NAME_LOADER_SINGLE;
    return flags;
}

static bool is_wrapper(text name)
{
    return text_equal(name, TEXT("DataParallel.forward")) ||
           text_equal(name, TEXT("DistributedDataParallel.forward"));
}

static uint32_t flag_if(bool holds, name_flag flag)
{
    return holds ? (uint32_t)flag : 0;
}

uint32_t name_flags_call(text name)
{
    const bool copies = is_copy_call(name);
    return flag_if(is_sync_call(name), NAME_SYNC_CALL) | flag_if(copies, NAME_COPY_CALL) |
           flag_if(is_alloc_call(name), NAME_ALLOC_CALL) |
           flag_if(copies || holds_any(name, LAUNCH, ARRAY_LEN(LAUNCH)), NAME_LAUNCH_CALL) |
           flag_if(text_ends(name, TEXT("GraphLaunch")), NAME_GRAPH_LAUNCH);
}

uint32_t name_flags_host(text name)
{
    return loader_flags(name) | flag_if(text_starts(name, TEXT("ProfilerStep#")), NAME_STEP) |
           flag_if(starts_with_any(name, COLLECTIVE, ARRAY_LEN(COLLECTIVE)), NAME_COLLECTIVE) |
           flag_if(text_starts(name, TEXT("Optimizer.")), NAME_OPTIMIZER) |
           flag_if(is_wrapper(name), NAME_WRAPPER) |
           flag_if(operator_may_use_tensor_cores(name), NAME_TENSOR_OP);
}

uint32_t name_flags_work(text name)
{
    const tristate tensor = kernel_uses_tensor_cores(name);
    return flag_if(is_communication(name), NAME_COMMUNICATION) |
           flag_if(text_holds(name, TEXT("Pageable")), NAME_PAGEABLE) |
           flag_if(tensor == TRISTATE_TRUE, NAME_TENSOR_YES) |
           flag_if(tensor == TRISTATE_FALSE, NAME_TENSOR_NO);
}
