// SPDX-License-Identifier: BSD-3-Clause
// Captures and the clock: times that come back to the nanosecond, metadata, annotations projected
// onto devices.
#include "support/cmocka_all.h"

#include "clock.h"
#include "profiler.h"
#include "window.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static int64_t realtime_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void a_map_goes_through_its_anchors(void **state)
{
    static const struct {
        tp_clock_anchor first, begin, end;
        uint64_t ticks;
        int64_t ns;
    } cases[] = {
  // Two ticks a ns; a window that is long enough for its own slope.
        {{0, 0, 5000}, {1000, 500, 1500},        {200001000, 100000500, 0}, 1000,      1500    },
        {{0, 0, 5000}, {1000, 500, 1500},        {200001000, 100000500, 0}, 100001000, 50001500},
        {{0, 0, 5000}, {1000, 500, 1500},        {200001000, 100000500, 0}, 998,       1499    },
 // A short one takes the slope since the profiler was made.
        {{0, 0, 0},    {80000000, 40000000, 77}, {80000002, 40000009, 0},   80002000,  1077    },
    };
    const bool counter = tp_clock_counter;
    (void)state;

    tp_clock_counter = true;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const tp_clock_map map = tp_clock_map_between(cases[i].first, cases[i].begin, cases[i].end);
        assert_int_equal(tp_clock_ns(&map, cases[i].ticks), cases[i].ns);
    }
    tp_clock_counter = counter;
}

static void recorded_times_are_those_of_the_wall_clock(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU};
    const struct timespec pause = {0, 30000000};
    tprof_profiler *profiler;
    tp_record record;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    const int64_t before = realtime_ns();
    tprof_scope scope = tprof_begin("pause");
    nanosleep(&pause, NULL);
    tprof_end(&scope);
    const int64_t after = realtime_ns();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    tp_cursor cursor = tp_cursor_begin(capture);
    assert_true(tp_cursor_next(&cursor, &record));
    // The slope is good to some ten ppm, the anchors to less than a microsecond.
    assert_in_range(record.begin_ns, before - 5000, after);
    assert_in_range(record.end_ns, before + 30000000, after + 5000);
    assert_in_range(tp_clock_from_realtime(realtime_ns()), after - 5000, realtime_ns() + 5000);
    assert_false(tp_cursor_next(&cursor, &record));
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void metadata_is_kept_in_order_of_key(void **state)
{
    tp_capture *capture = tp_capture_create();
    (void)state;

    assert_true(tp_capture_add_text(capture, "m", "middle"));
    assert_true(tp_capture_add_json(capture, "z", "1"));
    assert_true(tp_capture_add_json(capture, "a", "[]"));
    assert_true(tp_capture_add_text(capture, "m", "again"));
    assert_int_equal(capture->metadata_count, 3);
    assert_string_equal(capture->metadata[0].key, "a");
    assert_string_equal(capture->metadata[1].json, "\"again\"");
    assert_string_equal(capture->metadata[2].key, "z");
    tp_capture_release(tp_capture_retain(capture));
    tp_capture_release(capture);
    tp_capture_release(NULL);
}

static void add_work(tp_capture *capture, uint32_t annotation, uint32_t stream, int64_t begin_ns,
                     int64_t end_ns)
{
    assert_true(tp_capture_add_gpu(capture, &(tp_gpu_event){.kind = TP_GPU_KERNEL,
                                                            .name = "kernel",
                                                            .begin_ns = begin_ns,
                                                            .end_ns = end_ns,
                                                            .stream = stream,
                                                            .annotation_id = annotation}));
}

static void annotations_reach_from_first_to_last_work_of_a_stream(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *profiler;
    tp_record record;
    uint32_t ids[2] = {0, 0};
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    for (int i = 0; i < 2; i++) {
        tprof_scope scope = tprof_annotation_begin(i ? "second" : "first");
        tprof_end(&scope);
    }
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    const tp_cursor start = tp_cursor_begin(capture);
    tp_cursor cursor = start;
    for (int i = 0; i < 2 && tp_cursor_next(&cursor, &record); i++)
        ids[i] = record.id;

    add_work(capture, ids[1], 7, 500, 600);
    add_work(capture, ids[0], 7, 100, 200);
    add_work(capture, ids[0], 7, 150, 180);
    add_work(capture, ids[0], 13, 300, 400);
    add_work(capture, ids[1] + 5000, 7, 700, 800); // not an annotation of this window
    add_work(capture, 0, 7, 900, 1000);
    tp_capture_prepare(capture);
    tp_capture_prepare(capture);
    assert_int_equal(capture->gpu_count, 6 + 3);
    const tp_gpu_event *made = capture->gpu + 6;
    const struct {
        const char *name;
        uint32_t stream;
        int64_t begin_ns, end_ns;
    } expected[] = {
        {"first",  7,  99,  201},
        {"first",  13, 299, 401},
        {"second", 7,  499, 601}
    };
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_int_equal(made[i].kind, TP_GPU_ANNOTATION);
        assert_string_equal(made[i].name, expected[i].name);
        assert_int_equal(made[i].stream, expected[i].stream);
        assert_int_equal(made[i].begin_ns, expected[i].begin_ns);
        assert_int_equal(made[i].end_ns, expected[i].end_ns);
    }
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void inner_scopes_left_open_end_with_the_outer_one(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU, .with_modules = true};
    tprof_profiler *profiler;
    tp_record record;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    tprof_scope outer = tprof_module_begin("Outer_0", 1);
    tprof_scope inner = tprof_module_begin("Inner_0", 2);
    tprof_end(&outer);
    tprof_end(&inner);
    outer = tprof_module_begin("Next_0", 3);
    tprof_end(&outer);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    tp_cursor cursor = tp_cursor_begin(capture);
    assert_true(tp_cursor_next(&cursor, &record));
    assert_string_equal(record.name, "nn.Module: Outer_0");
    assert_true(tp_cursor_next(&cursor, &record));
    assert_string_equal(record.name, "nn.Module: Next_0");
    assert_int_equal(record.function->parent, 0);
    assert_false(tp_cursor_next(&cursor, &record));
    assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 1);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void ranges_go_on_from_step_to_step(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU, .schedule = {.active = 3}};
    static const char *const names[] = {"ProfilerStep#0", "ProfilerStep#1", "epoch",
                                        "ProfilerStep#2"};
    tprof_profiler *profiler;
    tp_record record;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    tprof_scope epoch = tprof_annotation_begin("epoch");
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    tprof_end(&epoch);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    tp_cursor cursor = tp_cursor_begin(capture);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_true(tp_cursor_next(&cursor, &record));
        assert_string_equal(record.name, names[i]);
    }
    assert_false(tp_cursor_next(&cursor, &record));
    assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void *end_scope(void *scope)
{
    tprof_scope own = tprof_annotation_begin("own");
    tprof_end(scope);
    usleep(2000);
    tprof_end(&own);
    return NULL;
}

static void scopes_that_are_not_there_end_nothing(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *profiler;
    tp_record record;
    pthread_t other;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    tprof_scope mine = tprof_annotation_begin("mine");
    tprof_scope copy = mine;
    assert_int_equal(pthread_create(&other, NULL, end_scope, &copy), 0);
    pthread_join(other, NULL);
    copy = mine;
    tprof_end(&mine);
    tprof_scope later = tprof_annotation_begin("later");
    tprof_end(&copy);
    usleep(2000);
    tprof_end(&later);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    tp_cursor cursor = tp_cursor_begin(capture);
    int count = 0;
    for (; tp_cursor_next(&cursor, &record); count++)
        assert_true(record.end_ns - record.begin_ns >= 2000000);
    assert_int_equal(count, 3);
    assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_goes_through_its_anchors),
        cmocka_unit_test(recorded_times_are_those_of_the_wall_clock),
        cmocka_unit_test(metadata_is_kept_in_order_of_key),
        cmocka_unit_test(annotations_reach_from_first_to_last_work_of_a_stream),
        cmocka_unit_test(inner_scopes_left_open_end_with_the_outer_one),
        cmocka_unit_test(ranges_go_on_from_step_to_step),
        cmocka_unit_test(scopes_that_are_not_there_end_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
