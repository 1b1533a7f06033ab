// SPDX-License-Identifier: BSD-3-Clause
// Windows in which the system's time was set: each event is put where it was, as far as that can be
// told.
#include "gpu/clock_step.h"

#include "support/cmocka_all.h"

static const int64_t MS = 1000000;
static const int64_t BEGIN = 1700000000000000000;

// A window of 100 ms in whose course the system's time is set by `step_ns`.
static tp_clock_step window(int64_t step_ns)
{
    return (tp_clock_step){
        .begin_ns = BEGIN, .end_ns = BEGIN + 100 * MS, .before_ns = 0, .after_ns = -step_ns};
}

// An event of 1 ms, as CUPTI tells its time.
static tp_gpu_event event_at(int64_t at_ms, int64_t step_ns, uint32_t correlation)
{
    const int64_t begin = BEGIN + at_ms * MS + step_ns;
    return (tp_gpu_event){.begin_ns = begin, .end_ns = begin + MS, .correlation = correlation};
}

static void what_fits_into_the_window_only_one_way_is_put_there(void **state)
{
    const int64_t hour = 3600000 * MS;
    const struct {
        int64_t step_ns, at_ms;
        bool after;
    } cases[] = {
        {hour,     10,  false},
        {hour,     90,  true },
        {-hour,    10,  false},
        {-hour,    90,  true },
        {20 * MS,  10,  false},
        {20 * MS,  90,  true },
        {-20 * MS, 90,  false},
        {-20 * MS, 10,  true },
        {hour,     -50, false}, // warm-up
        {hour,     150, true }, // the window to come
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tp_clock_step step = window(cases[i].step_ns);
        tp_gpu_event event = event_at(cases[i].at_ms, cases[i].after ? cases[i].step_ns : 0, 1);
        assert_true(tp_clock_step_is_one(&step));
        tp_clock_step_place(&step, &event);
        assert_int_equal(event.begin_ns, BEGIN + cases[i].at_ms * MS);
        assert_int_equal(event.end_ns, BEGIN + cases[i].at_ms * MS + MS);
        assert_int_equal(step.unsure, 0);
    }
}

static void calls_in_ranges_tell_where_the_step_is(void **state)
{
    const int64_t set_back = -5 * MS;
    const int64_t first_range[2] = {BEGIN + 40 * MS, BEGIN + 42 * MS};
    const int64_t second_range[2] = {BEGIN + 60 * MS, BEGIN + 62 * MS};
    tp_clock_step step = window(set_back);
    const tp_gpu_event first = event_at(41, 0, 10);
    const tp_gpu_event second = event_at(61, set_back, 20);
    const tp_gpu_event free_call = event_at(50, 0, 15);
    (void)state;

    tp_clock_step_learn(&step, &second, second_range);
    tp_clock_step_learn(&step, &free_call, NULL);
    tp_clock_step_learn(&step, &first, first_range);

    const struct {
        uint32_t correlation;
        int64_t step_ns;
        uint64_t unsure;
    } cases[] = {
        {9,  0,        0},
        {10, 0,        0},
        {20, set_back, 0},
        {21, set_back, 0},
        {15, 0,        1},
        {0,  0,        1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tp_gpu_event event = event_at(50, cases[i].step_ns, cases[i].correlation);
        step.unsure = 0;
        tp_clock_step_place(&step, &event);
        assert_int_equal(event.begin_ns, BEGIN + 50 * MS);
        assert_int_equal(step.unsure, cases[i].unsure);
    }
}

static void a_clock_that_is_led_is_followed(void **state)
{
    tp_clock_step step = window(50000);
    (void)state;

    assert_false(tp_clock_step_is_one(&step));
    for (int64_t at = 0; at <= 100; at += 25) {
        tp_gpu_event event = event_at(at, 500 * at, 1);
        tp_clock_step_place(&step, &event);
        assert_in_range(event.begin_ns, BEGIN + at * MS - 100, BEGIN + at * MS + 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_into_the_window_only_one_way_is_put_there),
        cmocka_unit_test(calls_in_ranges_tell_where_the_step_is),
        cmocka_unit_test(a_clock_that_is_led_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
