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
        trace_builder_add(
            b, (made_event){
                   .category = "fwdbwd", .phase = 's', .flow_id = "1", .begin = cases[i].at + 10});
        trace *t = trace_builder_trace(b);

        assert_int_equal(t->base_ns, cases[i].base);
        assert_int_equal(t->base_known, cases[i].known);
        assert_int_equal(notes_of(t, "no_base_time"), !cases[i].known);
        assert_int_equal(t->events.begin[0], cases[i].begin);
        assert_int_equal(t->events.begin[1], cases[i].second);
        assert_int_equal(t->flows[0].time_ns, cases[i].second);
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
        {true,  true,  -5, 80},
        {true,  false, -5, 80},
        {false, true,  0,  90},
        {false, false, 0,  50},
    };
    static const int64_t bases[] = {0, INT64_C(1712195495519000001)};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases) * ARRAY_LEN(bases); i++) {
        const int64_t base = bases[i / ARRAY_LEN(cases)], first = base ? 0 : 10;
        const size_t k = i % ARRAY_LEN(cases);
        trace_builder *b = trace_builder_create();
        made_op(b, "a", "1", base + 10, base + 60);
        made_op(b, "b", "1", base + 20, base + 30);
        if (cases[k].span)
            trace_builder_add(b, (made_event){.category = "Trace",
                                              .name = "PyTorch Profiler (0)",
                                              .begin = base + 5,
                                              .duration = 85});
        if (cases[k].mark)
            trace_builder_add(
                b, (made_event){.phase = 'i', .name = "Record Window End", .begin = base + 100});
        trace *t = trace_builder_trace(b);
        assert_int_equal(t->window_begin, first + cases[k].begin);
        assert_int_equal(t->window_end, first + cases[k].end);
        assert_int_equal(t->window_told, cases[k].span || cases[k].mark);
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
