// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/category.h"

static void words_of_every_version_and_back_end_have_roles(void **state)
{
    static const struct {
        const char *word;
        role role;
    } cases[] = {
        {"cpu_op",              ROLE_OPERATOR      },
        {"Operator",            ROLE_OPERATOR      },
        {"user_annotation",     ROLE_ANNOTATION    },
        {"python_function",     ROLE_PYTHON        },
        {"Python",              ROLE_PYTHON        },
        {"cuda_runtime",        ROLE_RUNTIME       },
        {"Runtime",             ROLE_RUNTIME       },
        {"hip_runtime",         ROLE_RUNTIME       },
        {"xpu_runtime",         ROLE_RUNTIME       },
        {"mtia_runtime",        ROLE_RUNTIME       },
        {"glow_runtime",        ROLE_RUNTIME       },
        {"privateuse1_runtime", ROLE_RUNTIME       },
        {"cuda_driver",         ROLE_DRIVER        },
        {"xpu_driver",          ROLE_DRIVER        },
        {"privateuse1_driver",  ROLE_DRIVER        },
        {"kernel",              ROLE_KERNEL        },
        {"Kernel",              ROLE_KERNEL        },
        {"hpu_op",              ROLE_KERNEL        },
        {"gpu_memcpy",          ROLE_MEMCPY        },
        {"Memcpy",              ROLE_MEMCPY        },
        {"gpu_memset",          ROLE_MEMSET        },
        {"Memset",              ROLE_MEMSET        },
        {"gpu_user_annotation", ROLE_GPU_ANNOTATION},
        {"gpu_user_Annotation", ROLE_GPU_ANNOTATION},
        {"User",                ROLE_GPU_ANNOTATION},
        {"cuda_sync",           ROLE_SYNC          },
        {"cuda_event",          ROLE_SYNC          },
        {"overhead",            ROLE_OVERHEAD      },
        {"Trace",               ROLE_SPAN          },
        {"ac2g",                ROLE_FLOW          },
        {"async_cpu_to_gpu",    ROLE_FLOW          },
        {"fwdbwd",              ROLE_FLOW          },
        {"mtia_counters",       ROLE_COUNTER       },
        {"mtia_ccp_events",     ROLE_OTHER         },
        {"cuda_profiler_range", ROLE_OTHER         },
        {"",                    ROLE_OTHER         },
        {"kernels",             ROLE_OTHER         },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(category_role(text_of(cases[i].word)), cases[i].role);
}

static void every_role_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (role r = 0; r < ROLE_COUNT; r++)
        for (role other = 0; other < r; other++)
            assert_string_not_equal(role_word(r), role_word(other));
    assert_string_equal(role_word(ROLE_KERNEL), "kernel");
}

static void stored_roles_are_host_events_and_device_work(void **state)
{
    (void)state;
    assert_true(role_is_stored(ROLE_OPERATOR) && role_is_stored(ROLE_MEMSET));
    assert_false(role_is_stored(ROLE_GPU_ANNOTATION) || role_is_stored(ROLE_SYNC));
    assert_true(role_is_device(ROLE_KERNEL) && role_is_device(ROLE_MEMCPY));
    assert_false(role_is_device(ROLE_DRIVER));
    assert_true(role_is_call(ROLE_RUNTIME) && role_is_call(ROLE_DRIVER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_every_version_and_back_end_have_roles),
        cmocka_unit_test(every_role_has_a_word_of_its_own),
        cmocka_unit_test(stored_roles_are_host_events_and_device_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
