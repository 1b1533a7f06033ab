// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "support/trace_builder.h"

#include <stdio.h>

static int set_up(void **state)
{
    *state = trace_builder_create();
    return 0;
}

static int tear_down(void **state)
{
    trace_builder_destroy(*state);
    return 0;
}

static void threads_and_streams_are_lanes_whatever_their_ids(void **state)
{
    static const char *const ids[] = {"139627874611776", "-1234567", "python-main"};
    trace_builder *b = *state;
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        made_op(b, "a", ids[i], (int64_t)i, 10);
        made_op(b, "b", ids[i], 20, 30);
    }
    // As in 2021: the stream's number is in the arguments only.
    trace_builder_add(b, (made_event){.category = "Kernel",
                                      .name = "k",
                                      .process = "3",
                                      .thread = "stream 7",
                                      .device = "3",
                                      .stream = "7"});
    trace_builder_add(b, (made_event){.phase = 'M',
                                      .name = "thread_name",
                                      .process = "3",
                                      .thread = "stream 7",
                                      .arg_name = "stream 7 "});
    trace_builder_add(
        b, (made_event){.category = "kernel", .name = "k", .process = "5", .thread = "7"});
    trace_builder_add(
        b, (made_event){
               .phase = 'M', .name = "thread_name", .thread = "python-main", .arg_name = "main"});
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->lane_count, 5);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(t->lanes[i].kind, LANE_THREAD);
        assert_int_equal(t->lanes[i].events, 2);
        assert_string_equal(strings_text(&t->strings, t->lanes[i].thread).at, ids[i]);
    }
    assert_string_equal(strings_text(&t->strings, t->lanes[2].name).at, "main");
    assert_int_equal(t->lanes[0].name, STRING_NONE);
    assert_int_equal(t->lanes[3].kind, LANE_STREAM);
    assert_string_equal(strings_text(&t->strings, t->lanes[3].thread).at, "7");
    assert_string_equal(strings_text(&t->strings, t->lanes[3].name).at, "stream 7 ");
    assert_int_equal(t->device_count, 2);
    assert_int_equal(t->devices[t->lanes[3].device].number, 3);
    assert_int_equal(t->devices[t->lanes[4].device].number, 5);
    trace_destroy(t);
}

static void long_ids_are_told_apart_by_all_their_bytes(void **state)
{
    static const char *const ids[] = {"worker-0/thread-pool", "worker-0/Thread-pool",
                                      "worker-0/thread/pool"};
    trace_builder *b = *state;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < ARRAY_LEN(ids); i++)
            made_op(b, "a", ids[i], round, 10);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->lane_count, ARRAY_LEN(ids));
    trace_destroy(t);
}

static void many_lanes_are_told_apart(void **state)
{
    enum { LANES = 65536 };
    trace_builder *b = *state;
    char thread[16];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < LANES; i++) {
            snprintf(thread, sizeof(thread), "%d", i * 7919);
            made_op(b, "a", thread, i, i + 1);
        }
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->lane_count, LANES);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(t->lanes[i].events, 2);
    trace_destroy(t);
}

static void devices_are_those_that_worked_and_those_listed(void **state)
{
    trace_builder *b = *state;
    trace_builder_metadata(
        b, "deviceProperties",
        "[{\"id\":2,\"name\":\"MI\\u0033\",\"totalGlobalMem\":1024,\"numSms\":104,"
        "\"computeMajor\":9,\"computeMinor\":4},{\"id\":\"11\",\"name\":\"\"}]");
    static const char *const worked[] = {"9", "2", "gpu-x", "10"};
    for (size_t i = 0; i < ARRAY_LEN(worked); i++)
        trace_builder_add(b, (made_event){.category = "kernel",
                                          .name = "k",
                                          .process = worked[i],
                                          .device = worked[i],
                                          .stream = "0"});
    trace *t = trace_builder_trace(b);
    static const char *const order[] = {"2", "9", "10", "11", "gpu-x"};

    assert_int_equal(t->device_count, ARRAY_LEN(order));
    for (uint32_t i = 0; i < t->device_count; i++) {
        assert_string_equal(strings_text(&t->strings, t->devices[i].id).at, order[i]);
        assert_int_equal(t->devices[i].has_work, i != 3);
    }
    const device *d = &t->devices[0];
    assert_string_equal(strings_text(&t->strings, d->name).at, "MI3");
    assert_int_equal(d->memory_bytes, 1024);
    assert_int_equal(d->sm_count, 104);
    assert_int_equal(d->compute_major, 9);
    assert_int_equal(d->compute_minor, 4);
    assert_int_equal(t->devices[1].name, STRING_NONE);
    assert_int_equal(t->devices[1].memory_bytes, -1);
    for (uint32_t i = 0; i < t->events.count; i++)
        assert_int_equal(t->devices[t->lanes[t->events.lane[i]].device].lanes, 1);
    trace_destroy(t);
}

static void listed_devices_without_an_id_are_told_by_their_place(void **state)
{
    trace_builder *b = *state;
    trace_builder_metadata(
        b, "deviceProperties",
        "[{\"name\":\"Max 1100\",\"maxComputeUnits\":448},{\"name\":\"Max 1550\"}]");
    made_kernel(b, "k", "1", NULL, 0, 1);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->device_count, 2);
    assert_string_equal(strings_text(&t->strings, t->devices[0].name).at, "Max 1100");
    assert_int_equal(t->devices[0].sm_count, 448);
    assert_true(t->devices[0].has_work);
    assert_string_equal(strings_text(&t->strings, t->devices[1].id).at, "1");
    trace_destroy(t);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(threads_and_streams_are_lanes_whatever_their_ids),
        TEST(long_ids_are_told_apart_by_all_their_bytes),
        TEST(many_lanes_are_told_apart),
        TEST(devices_are_those_that_worked_and_those_listed),
        TEST(listed_devices_without_an_id_are_told_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
