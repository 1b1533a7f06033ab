// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "support/trace_builder.h"

#include <stdio.h>

typedef struct range {
    const char *name;
    int64_t begin, end;
    const char *parent;
} range;

static const char *name_or_none(const trace *t, uint32_t event)
{
    return event == EVENT_NONE ? "-" : trace_name(t, event).at;
}

static void each_event_is_in_the_innermost_that_holds_it(void **state)
{
    static const range cases[][6] = {
        {{"a", 0, 100, "-"},
         {"b", 10, 90, "a"},
         {"c", 20, 30, "b"},
         {"d", 30, 40, "b"},
         {"e", 95, 100, "a"}},
 // Equal begins: the longer is outside; equal ranges: the earlier in the file.
        {{"in", 0, 10, "out"},     {"out", 0, 20, "-"}                          },
        {{"a", 0, 10, "-"},   {"b", 0, 10, "a"}, {"c", 0, 10, "b"}},
 // One that begins where another ends is not in it.
        {{"a", 0, 10, "-"},      {"b", 10, 20, "-"},        {"c", 10, 10, "b"}},
        {{"a", 0, 10, "-"},                      {"b", 10, 10, "-"}                          },
        {{"a", 0, 0, "-"},    {"b", 0, 0, "-"}                 },
 // Partial overlap: both stay, side by side.
        {{"outer", 0, 100, "-"},
         {"a", 10, 50, "outer"},
         {"b", 40, 80, "outer"},
         {"c", 45, 48, "b"},
         {"d", 60, 70, "b"},
         {"e", 90, 95, "outer"}},
        {{"a", 0, 10, "-"},   {"b", 5, 15, "-"},       {"c", 6, 16, "-"}, {"d", 7, 9, "c"}},
        {{"a", 0, 10, "-"}, {"b", 9, 11, "-"}                       },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace_builder *b = trace_builder_create();
        for (size_t k = 0; k < ARRAY_LEN(cases[i]) && cases[i][k].name; k++)
            made_op(b, cases[i][k].name, "1", cases[i][k].begin, cases[i][k].end);
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        for (size_t k = 0; k < ARRAY_LEN(cases[i]) && cases[i][k].name; k++) {
            const uint32_t event = event_named(t, cases[i][k].name, 0);
            assert_string_equal(name_or_none(t, t->events.link[event]), cases[i][k].parent);
        }
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void made_frame(trace_builder *b, const char *name, int64_t begin, int64_t end)
{
    trace_builder_add(b, (made_event){.category = "python_function",
                                      .name = name,
                                      .begin = begin,
                                      .duration = end - begin});
}

// A frame that calls a profiler's step() ends inside the mark; a generator's outlives its caller.
static void python_frames_come_between_no_others(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_frame(b, "step", 0, 20);
    made_step(b, 1, "1", 10, 100);
    made_op(b, "a", "1", 30, 60);
    made_frame(b, "next", 40, 80);
    made_frame(b, "inner", 42, 44);
    made_op(b, "b", "1", 50, 55);
    made_op(b, "c", "1", 70, 75);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    static const char *const parents[][2] = {
        {"step",           "-"             },
        {"ProfilerStep#1", "-"             },
        {"a",              "ProfilerStep#1"},
        {"next",           "-"             },
        {"inner",          "next"          },
        {"b",              "a"             },
        {"c",              "ProfilerStep#1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(parents); i++)
        assert_string_equal(name_or_none(t, t->events.link[event_named(t, parents[i][0], 0)]),
                            parents[i][1]);
    assert_int_equal(notes_of(t, "partial_overlap"), 0);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void partial_overlaps_are_counted(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_op(b, "a", "1", 0, 10);
    made_op(b, "b", "1", 5, 15);
    made_op(b, "c", "1", 15, 20);
    made_op(b, "d", "2", 18, 25);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    assert_int_equal(notes_of(t, "partial_overlap"), 1);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void threads_nest_on_their_own(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_op(b, "a", "1", 0, 100);
    made_op(b, "b", "2", 10, 90);
    trace_builder_add(b, (made_event){.category = "cpu_op",
                                      .name = "other process",
                                      .process = "2",
                                      .begin = 20,
                                      .duration = 10});
    made_op(b, "c", "1", 30, 40);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    assert_int_equal(t->events.link[event_named(t, "b", 0)], EVENT_NONE);
    assert_int_equal(t->events.link[event_named(t, "other process", 0)], EVENT_NONE);
    assert_int_equal(t->events.link[event_named(t, "c", 0)], event_named(t, "a", 0));
    trace_destroy(t);
    trace_builder_destroy(b);
}

static const char *range_name(const trace *t, uint32_t at)
{
    return name_or_none(t, at == RANGE_NONE ? EVENT_NONE : t->ranges[at].event);
}

static void launches_know_what_is_around_them(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_step(b, 1, "1", 0, 2000);
    made_op(b, "outer", "1", 10, 500);
    made_annotation(b, "mine", "1", 20, 400);
    made_call(b, "cudaStreamSynchronize", "1", "9", 22, 25);
    made_call(b, "cudaGraphLaunch", "1", "1", 30, 100);
    made_call(b, "cuLaunchKernel", "1", "2", 40, 50);
    made_op(b, "enumerate(DataLoader)#x", "1", 600, 700);
    made_call(b, "cudaMemcpyAsync", "1", "3", 610, 620);
    made_op(b, "Optimizer.step#SGD.step", "1", 800, 900);
    made_op(b, "inner", "1", 810, 890);
    made_call(b, "hipLaunchKernel", "1", "4", 820, 830);
    made_call(b, "hipModuleLaunchKernel", "1", "5", 1500, 1510);
    for (int64_t i = 5; i > 0; i--) {
        char key[8];
        snprintf(key, sizeof(key), "%d", (int)i);
        made_kernel(b, key, "7", key, 3000 + i * 10, 3000 + i * 10 + 5);
    }
    made_kernel(b, "again", "7", "2", 4000, 4001);
    made_kernel(b, "stray", "7", NULL, 4010, 4011);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    static const struct {
        const char *call, *in_operator, *in_range;
    } cases[] = {
        {"cudaGraphLaunch",       "outer", "mine"                   },
        {"cuLaunchKernel",        "outer", "mine"                   },
        {"cudaMemcpyAsync",       "-",     "enumerate(DataLoader)#x"},
        {"hipLaunchKernel",       "inner", "Optimizer.step#SGD.step"},
        {"hipModuleLaunchKernel", "-",     "-"                      },
    };
    assert_int_equal(t->launch_count, ARRAY_LEN(cases));
    for (uint32_t i = 0; i < t->launch_count; i++) {
        assert_string_equal(trace_name(t, t->launches[i].call).at, cases[i].call);
        assert_string_equal(name_or_none(t, t->launches[i].in_operator), cases[i].in_operator);
        assert_string_equal(range_name(t, t->launches[i].in_range), cases[i].in_range);
    }
    static const uint32_t launched_by[] = {0, 1, 2, 3, 4, 1, LAUNCH_NONE};
    assert_int_equal(t->work_count, ARRAY_LEN(launched_by));
    for (uint32_t k = 0; k < t->work_count; k++)
        assert_int_equal(t->launched_by[k], launched_by[k]);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void ranges_know_the_range_around_them(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_step(b, 1, "1", 0, 1000);
    made_annotation(b, "a", "1", 10, 500);
    made_op(b, "op", "1", 20, 400);
    made_annotation(b, "b", "1", 30, 200);
    made_annotation(b, "c", "1", 210, 300);
    made_annotation(b, "other thread", "2", 220, 230);
    made_annotation(b, "d", "1", 600, 700);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    static const char *const cases[][2] = {
        {"a",            "-"},
        {"b",            "a"},
        {"c",            "a"},
        {"other thread", "-"},
        {"d",            "-"}
    };

    assert_int_equal(t->range_count, ARRAY_LEN(cases));
    for (uint32_t i = 0; i < t->range_count; i++) {
        assert_string_equal(range_name(t, i), cases[i][0]);
        assert_string_equal(range_name(t, t->ranges[i].around), cases[i][1]);
    }
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void launches_are_numbered_over_many_words_of_bits(void **state)
{
    enum { COUNT = 3000 };
    (void)state;
    trace_builder *b = trace_builder_create();
    char key[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof(key), "%d", i);
        made_call(b, "cudaLaunchKernel", "1", key, 2 * i, 2 * i + 1);
        made_kernel(b, "k", "7", i % 3 ? key : NULL, 10000 + 2 * i, 10000 + 2 * i + 1);
    }
    trace *t = trace_builder_trace(b);
    trace_link(t, false);

    assert_int_equal(t->launch_count, COUNT / 3 * 2);
    for (uint32_t k = 0, next = 0; k < t->work_count; k++) {
        if (k % 3 == 0) {
            assert_int_equal(t->launched_by[k], LAUNCH_NONE);
            continue;
        }
        assert_int_equal(t->launched_by[k], next);
        assert_int_equal(t->launches[next++].call, t->events.link[t->work[k]]);
    }
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void nesting_may_be_of_any_depth_and_lanes_of_any_number(void **state)
{
    enum { DEPTH = 200000, LANES = 65536 };
    (void)state;
    trace_builder *b = trace_builder_create();
    char thread[16];
    for (int i = 0; i < DEPTH; i++)
        made_op(b, "deep", "deep", i, 2 * DEPTH - i);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < LANES; i++) {
            snprintf(thread, sizeof(thread), "%d", i);
            made_op(b, round ? "in" : "out", thread, round, 100 - round);
        }
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    const events *e = &t->events;
    uint32_t roots = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        roots += e->link[i] == EVENT_NONE;
        if (e->link[i] != EVENT_NONE) {
            assert_int_equal(e->lane[e->link[i]], e->lane[i]);
            assert_true(e->begin[e->link[i]] == e->begin[i] - 1);
        }
    }
    assert_int_equal(roots, 1 + LANES);
    trace_destroy(t);
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_is_in_the_innermost_that_holds_it),
        cmocka_unit_test(python_frames_come_between_no_others),
        cmocka_unit_test(partial_overlaps_are_counted),
        cmocka_unit_test(threads_nest_on_their_own),
        cmocka_unit_test(launches_know_what_is_around_them),
        cmocka_unit_test(ranges_know_the_range_around_them),
        cmocka_unit_test(launches_are_numbered_over_many_words_of_bits),
        cmocka_unit_test(nesting_may_be_of_any_depth_and_lanes_of_any_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
