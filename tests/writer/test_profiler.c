// SPDX-License-Identifier: BSD-3-Clause
// The profiler's life cycle: what is refused, and what a program without a profiler may call.
#include "support/cmocka_all.h"

#include "tprof/tprof.h"

static void activities_that_there_are_not_are_refused(void **state)
{
    static const struct {
        unsigned activities;
        tprof_status status;
    } cases[] = {
        {0,                    TPROF_OK          },
        {TPROF_CPU,            TPROF_OK          },
        {0xF0,                 TPROF_ERR_ARGUMENT},
        {TPROF_CPU | 4,        TPROF_ERR_ARGUMENT},
        {~(unsigned)TPROF_CPU, TPROF_ERR_ARGUMENT},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const tprof_config config = {.activities = cases[i].activities};
        tprof_profiler *profiler;
        assert_int_equal(tprof_create(&config, &profiler), cases[i].status);
        assert_int_equal(profiler != NULL, cases[i].status == TPROF_OK);
        tprof_destroy(profiler);
    }
}

static void a_program_trains_on_without_a_profiler(void **state)
{
    tprof_averages *averages;
    (void)state;

    assert_int_equal(tprof_start(NULL), TPROF_ERR_ARGUMENT);
    {
        TPROF_SCOPE("range");
    }
    assert_int_equal(tprof_step(NULL), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_stop(NULL), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_flush(NULL), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_add_metadata(NULL, "key", "value"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_add_metadata_json(NULL, "key", "1"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_set_distributed(NULL, NULL), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_set_environment(NULL, &(tprof_environment){0}), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_chrome_trace(NULL, "none.json"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_stacks(NULL, "none.txt", "self_cpu_time_total"),
                     TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_key_averages(NULL, NULL, &averages), TPROF_ERR_ARGUMENT);
    assert_null(averages);
    tprof_destroy(NULL);
}

static void there_is_nothing_to_be_told_without_a_profiler(void **state)
{
    tprof_stats stats = {.events = 1, .files = 1};
    char text[8] = "text";
    (void)state;

    assert_int_equal(tprof_error(NULL, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_int_equal(tprof_last_file(NULL, NULL, 0), 0);
    assert_int_equal(tprof_step_number(NULL), 0);
    tprof_get_stats(NULL, &stats);
    assert_int_equal(stats.events, 0);
    assert_int_equal(stats.files, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activities_that_there_are_not_are_refused),
        cmocka_unit_test(a_program_trains_on_without_a_profiler),
        cmocka_unit_test(there_is_nothing_to_be_told_without_a_profiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
