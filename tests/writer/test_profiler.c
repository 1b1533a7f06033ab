// SPDX-License-Identifier: BSD-3-Clause
// The profiler's life cycle: what is refused, what a program without a profiler may call, and whose
// limits and statistics are whose.
#include "support/cmocka_all.h"

#include "chunk_pool.h"
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

static void record(int ranges)
{
    for (int i = 0; i < ranges; i++) {
        TPROF_SCOPE("range");
    }
}

static uint64_t events_of(tprof_profiler *profiler)
{
    tprof_stats stats;
    tprof_get_stats(profiler, &stats);
    return stats.events;
}

static void limits_beyond_all_memory_are_the_highest_there_is(void **state)
{
    static const size_t limits[] = {SIZE_MAX, SIZE_MAX - 100000, (size_t)1 << 60, (size_t)1 << 34};
    tprof_profiler *profiler;
    tprof_stats stats;
    (void)state;

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        const tprof_config config = {
            .activities = TPROF_CPU, .memory_bytes = limits[i], .spill_bytes = limits[i]};
        assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        record(1000);
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tprof_get_stats(profiler, &stats);
        assert_int_equal(stats.events, 1000);
        assert_int_equal(stats.dropped_events, 0);
        tprof_destroy(profiler);
    }
}

static void limits_are_those_of_the_profiler_that_records(void **state)
{
    enum { MANY = 50000 };
    const tprof_config roomy = {.activities = TPROF_CPU, .memory_only = true};
    const tprof_config narrow = {
        .activities = TPROF_CPU, .memory_bytes = TP_CHUNK_BYTES, .memory_only = true};
    tprof_profiler *first, *other;
    tprof_stats stats;
    (void)state;

    assert_int_equal(tprof_create(&roomy, &first), TPROF_OK);
    assert_int_equal(tprof_create(&narrow, &other), TPROF_OK);
    assert_int_equal(tprof_start(first), TPROF_OK);
    assert_int_equal(tprof_start(other), TPROF_ERR_STATE);
    record(MANY);
    assert_int_equal(tprof_stop(first), TPROF_OK);
    assert_int_equal(events_of(other), 0);
    tprof_destroy(other);
    tprof_get_stats(first, &stats);
    assert_int_equal(stats.events, MANY);
    assert_int_equal(stats.dropped_events, 0);
    tprof_destroy(first);
}

static void windows_that_nobody_read_are_counted_too(void **state)
{
    enum { WINDOWS = 3, RANGES_EACH = 10 };
    const tprof_config config = {.activities = TPROF_CPU, .schedule = {.active = 1}};
    tprof_profiler *profiler;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    for (int window = 0; window < WINDOWS; window++) {
        record(RANGES_EACH);
        tprof_op op = {.name = "with a detail"};
        tprof_scope scope = tprof_op_begin(&op);
        tprof_end(&scope);
        assert_int_equal(tprof_step(profiler), TPROF_OK);
    }
    // The window that step WINDOWS began is not complete; each one before has its step's mark.
    assert_int_equal(events_of(profiler), WINDOWS * (RANGES_EACH + 2));
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(events_of(profiler), WINDOWS * (RANGES_EACH + 2) + 1);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activities_that_there_are_not_are_refused),
        cmocka_unit_test(a_program_trains_on_without_a_profiler),
        cmocka_unit_test(there_is_nothing_to_be_told_without_a_profiler),
        cmocka_unit_test(limits_beyond_all_memory_are_the_highest_there_is),
        cmocka_unit_test(limits_are_those_of_the_profiler_that_records),
        cmocka_unit_test(windows_that_nobody_read_are_counted_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
