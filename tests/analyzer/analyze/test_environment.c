// SPDX-License-Identifier: BSD-3-Clause
// What a log says of itself, as rows.
#include "support/cmocka_all.h"

#include "analyze/environment.h"
#include "support/made_worker.h"

#include <stdio.h>
#include <string.h>

static const char *value_of(const overview *o, const char *key)
{
    const char *value = NULL;

    for (uint32_t i = 0; i < o->environment_count; i++)
        if (!strcmp(o->environment[i].key, key)) {
            assert_null(value); // a key has one row
            value = o->environment[i].value;
        }
    return value;
}

static void metadata_reads_as_people_read_it(void **state)
{
    static const char *const SCRIPTS[] = {
        "meta schemaVersion 1\n"
        "meta cuda_runtime_version 12090\n"
        "meta hip_runtime_version 60443483\n"
        "meta record_shapes 1\n"
        "meta host_name \"node\"\n"
        "meta distributedInfo "
        "{\"backend\":\"nccl\",\"rank\":3,\"world_size\":8,\"pg_config\":[1]}\n"
        "meta environment "
        "{\"model\":\"net\",\"batch_size\":16,\"versions\":{\"libtprof\":\"0.1\",\"cuda\":\"13\"}}"
        "\n"
        "meta mine \"a\\\"b\"\n"
        "step 1 main 0 100\nop a main 0 10\nkernel k 7 - 0 10\n",
        "meta host_name \"other\"\nstep 1 main 0 100\nop a main 0 10\n",
    };
    static const char *const WANT[][2] = {
        {"cuda_runtime_version", "12.9"     },
        {"hip_runtime_version",  "6.4.43483"},
        {"record_shapes",        "yes"      },
        {"host_name",            "node"     },
        {"distributed_backend",  "nccl"     },
        {"rank",                 "3"        },
        {"world_size",           "8"        },
        {"model",                "net"      },
        {"batch_size",           "16"       },
        {"versions.libtprof",    "0.1"      },
        {"versions.cuda",        "13"       },
        {"mine",                 "a\"b"     },
        {"devices",              "1"        },
        {"processes",            "1"        },
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 2);
    overview o = overview_analyze(&m.worker, m.arena);
    for (size_t i = 0; i < ARRAY_LEN(WANT); i++) {
        const char *value = value_of(&o, WANT[i][0]);
        if (!value || strcmp(value, WANT[i][1]))
            fail_msg("%s is %s, not %s", WANT[i][0], value ? value : "absent", WANT[i][1]);
    }
    assert_null(value_of(&o, "schemaVersion"));
    assert_int_equal(environment_batch_size(&m.worker), 16);
    made_worker_close(&m);
}

// Devices that did nothing are told of only where none worked.
static void each_device_tells_what_is_known_of_it(void **state)
{
#define PROPERTIES                                                                                 \
    "meta deviceProperties [{\"id\":0,\"name\":\"GPU\",\"totalGlobalMem\":84900000000,"            \
    "\"numSms\":10,\"computeMajor\":9,\"computeMinor\":0},{\"id\":1,\"numSms\":8}]\n"
    static const char *const SCRIPTS[] = {
        PROPERTIES "op a main 0 10\nkernel k 7 - 0 10\n",
        PROPERTIES "op a main 0 10\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 1);
    const overview o = overview_analyze(&m.worker, m.arena);
    assert_string_equal(value_of(&o, "device_0"), "GPU, compute capability 9.0, 10 SMs, 84.9 GB");
    assert_null(value_of(&o, "device_1"));
    made_worker_close(&m);

    made_worker_open(&m, SCRIPTS + 1, 1);
    const overview idle = overview_analyze(&m.worker, m.arena);
    assert_string_equal(value_of(&idle, "device_1"), "8 SMs");
    made_worker_close(&m);
}

static void the_batch_size_is_found_where_programs_put_it(void **state)
{
    static const struct {
        const char *script;
        int64_t size;
    } cases[] = {
        {"meta batch_size 8\nop a main 0 1\n",                   8 },
        {"meta batch \"64\"\nop a main 0 1\n",                   64},
        {"meta environment {\"batch_size\":4}\nop a main 0 1\n", 4 },
        {"meta batch_size \"large\"\nop a main 0 1\n",           -1},
        {"meta environment {\"batch_size\":0}\nop a main 0 1\n", -1},
        {"op a main 0 1\n",                                      -1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        assert_int_equal(environment_batch_size(&m.worker), cases[i].size);
        made_worker_close(&m);
    }
}

static void long_values_are_cut_and_many_keys_bounded(void **state)
{
    enum { KEYS = 300 };
    static char script[KEYS * 300];
    const char *scripts[] = {script};
    size_t used = 0;
    (void)state;

    for (int i = 0; i < KEYS; i++)
        used +=
            (size_t)snprintf(script + used, sizeof(script) - used, "meta key%d \"%0240d\"\n", i, i);
    snprintf(script + used, sizeof(script) - used, "op a main 0 1\n");
    made_worker m;
    made_worker_open(&m, scripts, 1);
    const overview o = overview_analyze(&m.worker, m.arena);
    assert_true(o.environment_count <= 110);
    assert_int_equal(strlen(value_of(&o, "key0")), 203);
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata_reads_as_people_read_it),
        cmocka_unit_test(each_device_tells_what_is_known_of_it),
        cmocka_unit_test(the_batch_size_is_found_where_programs_put_it),
        cmocka_unit_test(long_values_are_cut_and_many_keys_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
