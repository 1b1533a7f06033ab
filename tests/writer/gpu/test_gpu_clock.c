// SPDX-License-Identifier: BSD-3-Clause
// Clocks that agree, that are apart, and that run away from each other.
#include "gpu/gpu_clock.h"

#include "support/cmocka_all.h"

// Two samples a second apart, each taken within 200 ns.
static tp_gpu_clock clock_with_offsets(int64_t begin_offset_ns, int64_t end_offset_ns)
{
    const int64_t begin = 1700000000000000000;
    const int64_t end = begin + 1000000000;
    return (tp_gpu_clock){
        tp_gpu_clock_sample_of(begin, (uint64_t)(begin + 100 + begin_offset_ns), begin + 200),
        tp_gpu_clock_sample_of(end, (uint64_t)(end + 100 + end_offset_ns), end + 200),
    };
}

static void offsets_within_the_noise_count_as_none(void **state)
{
    const tp_gpu_clock clock = clock_with_offsets(6000, -3000);
    const uint64_t at = 1700000000500000000u;
    (void)state;

    assert_int_equal(tp_gpu_clock_drift(&clock), 0);
    assert_int_equal(tp_gpu_clock_realtime(&clock, at), at);
}

static void a_clock_of_its_own_is_moved_onto_ours(void **state)
{
    const tp_gpu_clock clock = clock_with_offsets(-5000000000, -5000000000);
    (void)state;

    assert_int_equal(tp_gpu_clock_realtime(&clock, 1699999995500000000u), 1700000000500000000);
}

static void a_clock_that_runs_away_is_followed(void **state)
{
    // 2 ms ahead at the beginning, 3 ms at the end.
    const tp_gpu_clock clock = clock_with_offsets(2000000, 3000000);
    (void)state;

    assert_int_equal(tp_gpu_clock_drift(&clock), 1000000);
    assert_int_equal(tp_gpu_clock_realtime(&clock, 1700000000002000000u), 1700000000000000000);
    const int64_t middle = tp_gpu_clock_realtime(&clock, 1700000000502500000u);
    assert_in_range(middle, 1700000000500000000 - 1000, 1700000000500000000 + 1000);
    const int64_t end = tp_gpu_clock_realtime(&clock, 1700000001003000000u);
    assert_in_range(end, 1700000001000000000 - 1000, 1700000001000000000 + 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_within_the_noise_count_as_none),
        cmocka_unit_test(a_clock_of_its_own_is_moved_onto_ours),
        cmocka_unit_test(a_clock_that_runs_away_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
