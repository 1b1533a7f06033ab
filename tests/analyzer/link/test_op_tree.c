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
        trace_link(t);
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
    trace_link(t);
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
    trace_link(t);
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
    trace_link(t);
    assert_int_equal(t->events.link[event_named(t, "b", 0)], EVENT_NONE);
    assert_int_equal(t->events.link[event_named(t, "other process", 0)], EVENT_NONE);
    assert_int_equal(t->events.link[event_named(t, "c", 0)], event_named(t, "a", 0));
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void owners_are_operators_and_neither_loaders_nor_steps(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_step(b, 1, "1", 0, 1000);
    made_op(b, "outer", "1", 10, 500);
    made_annotation(b, "mine", "1", 20, 400);
    made_call(b, "cudaGraphLaunch", "1", "1", 30, 100);
    made_call(b, "cuLaunchKernel", "1", "2", 40, 50);
    made_op(b, "enumerate(DataLoader)#x", "1", 600, 700);
    made_call(b, "cudaMemcpyAsync", "1", "3", 610, 620);
    trace *t = trace_builder_trace(b);
    trace_link(t);
    static const struct {
        const char *event, *op, *any;
    } cases[] = {
        {"ProfilerStep#1",          "-",     "-"                      },
        {"outer",                   "-",     "ProfilerStep#1"         },
        {"mine",                    "outer", "outer"                  },
        {"cudaGraphLaunch",         "outer", "mine"                   },
        {"cuLaunchKernel",          "outer", "mine"                   },
        {"cudaMemcpyAsync",         "-",     "enumerate(DataLoader)#x"},
        {"enumerate(DataLoader)#x", "-",     "ProfilerStep#1"         },
    };
    const uint32_t *owners = owner_operators(t, t->arena);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const uint32_t event = event_named(t, cases[i].event, 0);
        assert_string_equal(name_or_none(t, owner_operator(t, event)), cases[i].op);
        assert_string_equal(name_or_none(t, owner_any(t, event)), cases[i].any);
        assert_int_equal(owners[event], owner_operator(t, event));
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
    trace_link(t);
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
    const uint32_t *owners = owner_operators(t, t->arena);
    assert_int_equal(owners[event_named(t, "deep", DEPTH - 1)], event_named(t, "deep", DEPTH - 2));
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
        cmocka_unit_test(owners_are_operators_and_neither_loaders_nor_steps),
        cmocka_unit_test(nesting_may_be_of_any_depth_and_lanes_of_any_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
