// SPDX-License-Identifier: BSD-3-Clause
// Tables and stacks through the public calls: what they need, and what they say without it.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "tprof/tprof.h"

#include <stdlib.h>
#include <string.h>

// Records so many windows of two steps; the last one stays to be read.
static tprof_profiler *profiler_with(int32_t windows, bool with_stack, tprof_handler handler)
{
    const tprof_config config = {
        .activities = TPROF_CPU,
        .schedule = {.active = 2, .repeat = windows},
        .with_stack = with_stack,
        .on_trace_ready = handler,
    };
    tprof_profiler *profiler;
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    return profiler;
}

static void work(void)
{
    const tprof_op op = {.name = "aten::mm", .stack = "net.c(3): forward;train.c(9): main"};
    tprof_scope scope = tprof_op_begin(&op);
    for (volatile int i = 0; i < 100000; i++)
        continue;
    tprof_end(&scope);
}

static void record(tprof_profiler *profiler, int steps)
{
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    for (int step = 0; step < steps; step++) {
        work();
        assert_int_equal(tprof_step(profiler), TPROF_OK);
    }
}

static uint64_t calls_of(const tprof_averages *averages, const char *name)
{
    for (size_t i = 0; i < tprof_averages_count(averages); i++)
        if (strcmp(tprof_averages_row(averages, i)->name, name) == 0)
            return tprof_averages_row(averages, i)->count;
    return 0;
}

static void averages_are_of_the_last_window_and_outlive_the_profiler(void **state)
{
    tprof_profiler *profiler = profiler_with(2, false, (tprof_handler){0});
    tprof_averages *averages;
    (void)state;

    assert_int_equal(tprof_key_averages(profiler, NULL, &averages), TPROF_ERR_STATE);
    assert_null(averages);
    record(profiler, 4);
    assert_int_equal(tprof_key_averages(profiler, NULL, &averages), TPROF_OK);
    tprof_stop(profiler);
    tprof_destroy(profiler);

    assert_int_equal(calls_of(averages, "aten::mm"), 2);
    assert_int_equal(calls_of(averages, "ProfilerStep*"), 2);
    char *table =
        tprof_averages_table(averages, &(tprof_table_options){.sort_by = "cpu_time_total"});
    assert_non_null(table);
    assert_true(strstr(table, "ProfilerStep*") < strstr(table, "aten::mm"));
    free(table);
    tprof_averages_free(averages);
}

static void count_calls(tprof_profiler *profiler, void *arg)
{
    tprof_averages *averages;
    assert_int_equal(tprof_key_averages(profiler, NULL, &averages), TPROF_OK);
    *(uint64_t *)arg += calls_of(averages, "aten::mm");
    tprof_averages_free(averages);
}

static void a_handler_may_ask_for_averages(void **state)
{
    uint64_t calls = 0;
    tprof_profiler *profiler =
        profiler_with(3, false, (tprof_handler){.call = count_calls, .arg = &calls});
    (void)state;

    record(profiler, 6);
    assert_int_equal(calls, 6);
    tprof_stop(profiler);
    tprof_destroy(profiler);
}

// The text of the last failure names `what`.
static void assert_error_names(const tprof_profiler *profiler, const char *what)
{
    char error[256];
    assert_true(tprof_error(profiler, error, sizeof(error)) > 0);
    assert_non_null(strstr(error, what));
}

static void stacks_are_a_file_that_replaces_none(void **state)
{
    tprof_profiler *profiler = profiler_with(1, true, (tprof_handler){0});
    const char *path = temp_path("stacks.txt");
    const char *metric = "self_cpu_time_total";
    size_t size;
    (void)state;

    assert_int_equal(tprof_export_stacks(profiler, path, metric), TPROF_ERR_STATE);
    record(profiler, 2);
    assert_int_equal(tprof_export_stacks(profiler, path, "speed"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_stacks(profiler, NULL, metric), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_stacks(profiler, path, NULL), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_stacks(profiler, path, metric), TPROF_OK);
    char *text = read_whole_file(path, &size);
    assert_non_null(strstr(text, "train.c(9):_main;net.c(3):_forward "));
    free(text);
    assert_int_equal(tprof_export_stacks(profiler, path, metric), TPROF_ERR_EXISTS);
    assert_int_equal(tprof_export_stacks(profiler, temp_path("none/x"), metric), TPROF_ERR_IO);
    assert_error_names(profiler, "none/x");
    tprof_stop(profiler);
    tprof_destroy(profiler);
}

static void the_error_is_that_of_the_last_failure(void **state)
{
    const tprof_tensorboard_options plain = {.plain = true};
    tprof_profiler *profiler =
        profiler_with(1, false, tprof_tensorboard_trace_handler("/dev/null/log", NULL, &plain));
    (void)state;

    record(profiler, 2);
    assert_int_equal(tprof_flush(profiler), TPROF_ERR_IO);
    assert_error_names(profiler, "/dev/null/log");
    assert_int_equal(tprof_export_chrome_trace(profiler, temp_path("none/x")), TPROF_ERR_IO);
    assert_error_names(profiler, "none/x");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    record(profiler, 2);
    assert_int_equal(tprof_flush(profiler), TPROF_ERR_IO);
    assert_error_names(profiler, "/dev/null/log");
    tprof_stop(profiler);
    tprof_destroy(profiler);
}

static void without_stacks_there_is_nothing_to_export(void **state)
{
    tprof_profiler *profiler = profiler_with(1, false, (tprof_handler){0});
    const char *path = temp_path("no_stacks.json");
    size_t size;
    (void)state;

    record(profiler, 2);
    assert_int_equal(
        tprof_export_stacks(profiler, temp_path("no_stacks.txt"), "self_cpu_time_total"),
        TPROF_ERR_STATE);
    // Not even those that the operators gave are kept.
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_OK);
    char *text = read_whole_file(path, &size);
    assert_non_null(strstr(text, "aten::mm"));
    assert_null(strstr(text, "net.c(3)"));
    free(text);
    tprof_stop(profiler);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_of_the_last_window_and_outlive_the_profiler),
        cmocka_unit_test(a_handler_may_ask_for_averages),
        cmocka_unit_test(stacks_are_a_file_that_replaces_none),
        cmocka_unit_test(the_error_is_that_of_the_last_failure),
        cmocka_unit_test(without_stacks_there_is_nothing_to_export),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
