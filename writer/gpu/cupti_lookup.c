// SPDX-License-Identifier: BSD-3-Clause
// What CUPTI's numbers and pointers in records stand for, each asked for once.
#include "gpu/cupti_lookup.h"

#include "gpu/cupti_names.h"
#include "gpu/demangle.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTION_NAME_BYTES = 128 };

// Kept, since it may be any: calls do not vanish for want of a name.
static const tp_cupti_function UNKNOWN = {.name = "INVALID", .kept = true, .starts_flow = true};

// Functions that give or take device memory; their thread is that of the memory event.
static bool allocates(const char *name)
{
    static const char *const beginnings[] = {"cudaMalloc", "cudaFree",    "cuMemAlloc",
                                             "cuMemFree",  "cudaMemPool", "cuMemPool"};
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

const tp_cupti_function *tp_lookup_function(tp_cupti_lookup *lookup, bool driver, uint32_t id)
{
    if (id >= TP_LOOKUP_FUNCTIONS)
        return &UNKNOWN;
    tp_cupti_function *function = &lookup->functions[driver][id];
    if (function->name)
        return function;

    const char *name = NULL;
    char text[FUNCTION_NAME_BYTES];
    const CUpti_CallbackDomain domain =
        driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    const CUptiResult result = lookup->cupti->cuptiGetCallbackName(domain, id, &name);
    if (result != CUPTI_SUCCESS || !name) {
        lookup->refused = lookup->refused ? lookup->refused : result;
        *function = UNKNOWN;
        return function;
    }
    const size_t length = tp_cupti_api_length(name);
    const size_t kept = length < sizeof(text) ? length : sizeof(text) - 1;
    memcpy(text, name, kept);
    text[kept] = '\0';
    *function = (tp_cupti_function){
        .name = tp_name_intern(text, strlen(text)),
        .kept = driver ? tp_cupti_driver_is_kept(text) : tp_cupti_runtime_is_kept(text),
        .allocates = allocates(text),
        .starts_flow = tp_cupti_starts_flow(text),
    };
    return function;
}

const char *tp_lookup_kernel(tp_cupti_lookup *lookup, const char *mangled)
{
    if (!mangled)
        return "(unnamed kernel)";

    uint64_t *known = tp_link_map_at(&lookup->kernels, (uintptr_t)mangled);
    if (known && *known)
        return (const char *)(uintptr_t)*known;

    char *demangled = tp_demangle(mangled);
    const char *shown = demangled ? demangled : mangled;
    const char *name = tp_name_intern(shown, strlen(shown));
    free(demangled);
    if (known)
        *known = (uintptr_t)name;
    return name;
}

void tp_lookup_forget_kernels(tp_cupti_lookup *lookup)
{
    tp_link_map_clear(&lookup->kernels);
}

void tp_lookup_free(tp_cupti_lookup *lookup)
{
    tp_link_map_free(&lookup->kernels);
    memset(lookup->functions, 0, sizeof(lookup->functions)); // the next opening asks anew
    lookup->refused = CUPTI_SUCCESS;
}
