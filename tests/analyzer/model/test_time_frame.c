// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "support/trace_builder.h"

// The same events with stamps of three kinds.
static void times_are_relative_to_the_base(void **state)
{
    static const struct {
        const char *stored;
        int64_t at, base, begin, second;
        bool known;
    } cases[] = {
        {"1750000000000000000", 1000000,             1750000000000000000, 1000000, 1000010, true },
        {NULL,                  1712195495519000001, 1712195495519000001, 0,       10,      true },
        {NULL,                  1000000,             0,                   1000000, 1000010, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace_builder *b = trace_builder_create();
        if (cases[i].stored)
            trace_builder_metadata(b, "baseTimeNanoseconds", cases[i].stored);
        made_op(b, "second", "1", cases[i].at + 10, cases[i].at + 20);
        made_op(b, "first", "1", cases[i].at, cases[i].at + 5);
        made_window(b, cases[i].at - 3, cases[i].at + 50);
        trace *t = trace_builder_trace(b);

        assert_int_equal(t->base_ns, cases[i].base);
        assert_int_equal(t->base_known, cases[i].known);
        assert_int_equal(notes_of(t, "no_base_time"), !cases[i].known);
        assert_int_equal(t->events.begin[0], cases[i].begin);
        assert_int_equal(t->events.begin[1], cases[i].second);
        assert_int_equal(t->window_begin, cases[i].begin - 3);
        assert_int_equal(t->window_end, cases[i].begin + 50);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void the_window_is_the_span_else_the_end_mark_else_the_events(void **state)
{
    static const struct {
        bool span, mark;
        int64_t begin, end;
    } cases[] = {
        {true,  true,  5,  90 },
        {true,  false, 5,  90 },
        {false, true,  10, 100},
        {false, false, 10, 60 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace_builder *b = trace_builder_create();
        made_op(b, "a", "1", 10, 60);
        made_op(b, "b", "1", 20, 30);
        if (cases[i].span)
            trace_builder_add(b, (made_event){.category = "Trace",
                                              .name = "PyTorch Profiler (0)",
                                              .begin = 5,
                                              .duration = 85});
        if (cases[i].mark)
            trace_builder_add(
                b, (made_event){.phase = 'i', .name = "Record Window End", .begin = 100});
        trace *t = trace_builder_trace(b);
        assert_int_equal(t->window_begin, cases[i].begin);
        assert_int_equal(t->window_end, cases[i].end);
        assert_int_equal(t->window_told, cases[i].span || cases[i].mark);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_relative_to_the_base),
        cmocka_unit_test(the_window_is_the_span_else_the_end_mark_else_the_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
