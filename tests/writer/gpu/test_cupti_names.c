// SPDX-License-Identifier: BSD-3-Clause
// The words of traces for CUPTI's numbers, and numbers that it does not have (yet).
#include "gpu/cupti_names.h"

#include "support/cmocka_all.h"

#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static void copies_are_named_by_direction_and_kinds_of_memory(void **state)
{
    static const struct {
        uint32_t kind, from, to;
        const char *name;
    } cases[] = {
        {1,  1, 3,   "Memcpy HtoD (Pageable -> Device)"             },
        {2,  3, 2,   "Memcpy DtoH (Device -> Pinned)"               },
        {8,  3, 3,   "Memcpy DtoD (Device -> Device)"               },
        {10, 3, 3,   "Memcpy PtoP (Device -> Device)"               },
        {3,  5, 4,   "Memcpy HtoA (Managed -> Array)"               },
        {9,  6, 7,   "Memcpy HtoH (Device Static -> Managed Static)"},
        {11, 8, 255, "Memcpy Unknown (Unknown -> Unknown)"          },
    };
    char name[96];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tp_cupti_copy_name(cases[i].kind, cases[i].from, cases[i].to, name, sizeof(name));
        assert_string_equal(name, cases[i].name);
    }
}

static void overhead_is_named_as_traces_name_it(void **state)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } cases[] = {
        {0,          "Unknown"                         },
        {1,          "Driver Compiler"                 },
        {1 << 16,    "Buffer Flush"                    },
        {2 << 16,    "Instrumentation"                 },
        {3 << 16,    "Resource"                        },
        {4 << 16,    "Runtime Triggered Module Loading"},
        {5 << 16,    "Lazy Function Loading"           },
        {6 << 16,    "Command Buffer Full"             },
        {7 << 16,    "Activity Buffer Request"         },
        {99 << 16,   "Unrecognized"                    },
        {2,          "Unrecognized"                    },
        {UINT32_MAX, "Unrecognized"                    },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(tp_cupti_overhead_word(cases[i].kind), cases[i].name);
}

static void waits_of_an_unknown_kind_have_no_word(void **state)
{
    (void)state;
    assert_null(tp_cupti_sync_word(0));
    assert_null(tp_cupti_sync_word(5));
    assert_string_equal(tp_cupti_sync_word(4), "Context Sync");
}

// Four digits or more are a version; "_v2" is another function.
static void functions_lose_their_version_and_no_more(void **state)
{
    static const struct {
        const char *name, *shown;
    } cases[] = {
        {"cudaLaunchKernel_v7000",      "cudaLaunchKernel"     },
        {"cudaMemcpyAsync_v3020",       "cudaMemcpyAsync"      },
        {"cudaGraphLaunch_v10000",      "cudaGraphLaunch"      },
        {"cudaLaunchKernel_ptsz_v7000", "cudaLaunchKernel_ptsz"},
        {"cuMemcpyDtoH_v2",             "cuMemcpyDtoH_v2"      },
        {"cuLaunchKernel",              "cuLaunchKernel"       },
        {"cudaX_7000",                  "cudaX_7000"           },
        {"_v7000",                      "_v7000"               },
        {"v7000",                       "v7000"                },
        {"7000",                        "7000"                 },
        {"",                            ""                     },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(tp_cupti_api_length(cases[i].name), strlen(cases[i].shown));
        assert_memory_equal(cases[i].name, cases[i].shown, strlen(cases[i].shown));
    }
}

// As Kineto does, and beyond it the driver's copies and waits.
static void traces_show_what_does_work_and_arrows_start_at_it(void **state)
{
    static const struct {
        const char *name;
        bool driver, kept, starts_flow;
    } cases[] = {
        {"cudaLaunchKernel",            false, true,  true },
        {"cudaLaunchKernelExC",         false, true,  true },
        {"cudaLaunchCooperativeKernel", false, true,  true },
        {"cudaGraphLaunch",             false, true,  true },
        {"cudaMemcpyAsync",             false, true,  true },
        {"cudaMemset2DAsync",           false, true,  true },
        {"cudaDeviceSynchronize",       false, true,  true },
        {"cudaStreamSynchronize",       false, true,  true },
        {"cudaStreamWaitEvent",         false, true,  true },
        {"cudaMalloc",                  false, true,  false},
        {"cudaEventRecord",             false, true,  false},
        {"cudaEventSynchronize",        false, true,  false},
        {"cudaGetDevice",               false, false, false},
        {"cudaSetDevice",               false, false, false},
        {"cudaGetLastError",            false, false, false},
        {"cudaEventCreateWithFlags",    false, false, false},
        {"cudaEventDestroy",            false, false, false},
        {"cuLaunchKernel",              true,  true,  true },
        {"cuLaunchKernelEx",            true,  true,  true },
        {"cuMemCreate",                 true,  true,  false},
        {"cuMemcpyHtoDAsync_v2",        true,  true,  true },
        {"cuCtxSynchronize",            true,  true,  true },
        {"cuCtxGetCurrent",             true,  false, false},
        {"cuEventRecord",               true,  false, false},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const bool kept = cases[i].driver ? tp_cupti_driver_is_kept(cases[i].name)
                                          : tp_cupti_runtime_is_kept(cases[i].name);
        assert_int_equal(kept, cases[i].kept);
        assert_int_equal(tp_cupti_starts_flow(cases[i].name), cases[i].starts_flow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_named_by_direction_and_kinds_of_memory),
        cmocka_unit_test(overhead_is_named_as_traces_name_it),
        cmocka_unit_test(waits_of_an_unknown_kind_have_no_word),
        cmocka_unit_test(functions_lose_their_version_and_no_more),
        cmocka_unit_test(traces_show_what_does_work_and_arrows_start_at_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
