// SPDX-License-Identifier: BSD-3-Clause
// Statistics against tables, and the sort against the C library's.
#include "support/cmocka_all.h"

#include "analyze/statistics.h"
#include "base/text.h"

#include <stdlib.h>

static void quotients_round_half_to_even(void **state)
{
    static const struct {
        int64_t dividend, divisor, quotient;
    } cases[] = {
        {0,         1, 0                },
        {5,         2, 2                },
        {7,         2, 4                },
        {1,         2, 0                },
        {3,         2, 2                },
        {-1,        2, 0                },
        {-3,        2, -2               },
        {-5,        2, -2               },
        {-7,        2, -4               },
        {10,        3, 3                },
        {11,        3, 4                },
        {-10,       3, -3               },
        {-11,       3, -4               },
        {INT64_MAX, 1, INT64_MAX        },
        {INT64_MAX, 2, INT64_MAX / 2 + 1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(divide_half_even(cases[i].dividend, cases[i].divisor), cases[i].quotient);
    assert_int_equal(divide_half_even((__int128_t)INT64_MAX * 4, 2), INT64_MAX);
    assert_int_equal(divide_half_even((__int128_t)INT64_MIN * 4, 2), -INT64_MAX);
}

static void sums_stop_at_the_ends(void **state)
{
    (void)state;
    assert_int_equal(add_saturated(2, 3), 5);
    assert_int_equal(add_saturated(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(add_saturated(-INT64_MAX, -2), -INT64_MAX);
}

static void values_are_described_as_defined(void **state)
{
    static const struct {
        int64_t values[21];
        uint32_t count;
        statistics want;
    } cases[] = {
        {{0},                                                                         0, {0, 0, INT_NONE, INT_NONE, INT_NONE, INT_NONE, INT_NONE, INT_NONE}      },
        {{7},                                                                         1, {1, 7, 7, 7, 7, 7, 7, INT_NONE}                                         },
        {{4, 1},                                                                      2, {2, 5, 2, 2, 4, 1, 4, 2}                                                }, // stdev 2.12
        {{4, 3},                                                                      2, {2, 7, 4, 4, 4, 3, 4, 1}                                                },
        {{5, 1, 9},                                                                   3, {3, 15, 5, 5, 9, 1, 9, 4}                                               },
        {{2, 4, 4, 4, 5, 5, 7, 9},                                                    8, {8, 40, 5, 4, 9, 2, 9, 2}                                               }, // 2.138
        {{20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
         20,                                                                             {20, 210, 10, 10, 19, 1, 20, 6}                                         },
        {{21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
         21,                                                                             {21, 231, 11, 11, 20, 1, 21, 6}                                         },
        {{INT64_MAX, INT64_MAX},
         2,                                                                              {2, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, 0}},
    };
    (void)state;

    arena *a = arena_create();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t values[21];
        memcpy(values, cases[i].values, sizeof(values));
        const statistics got = statistics_of(values, cases[i].count, a), *want = &cases[i].want;
        assert_int_equal(got.count, want->count);
        assert_int_equal(got.total, want->total);
        assert_int_equal(got.mean, want->mean);
        assert_int_equal(got.median, want->median);
        assert_int_equal(got.p95, want->p95);
        assert_int_equal(got.min, want->min);
        assert_int_equal(got.max, want->max);
        assert_int_equal(got.stdev, want->stdev);
    }
    arena_destroy(a);
}

static int compare(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static void many_values_sort_as_few_do(void **state)
{
    enum { COUNT = 5000 };
    static int64_t got[COUNT], want[COUNT];
    (void)state;

    arena *a = arena_create();
    for (unsigned kind = 0; kind < 4; kind++) {
        uint64_t random = 88172645463325252u + kind;
        for (size_t i = 0; i < COUNT; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            const int64_t all = (int64_t)random;
            got[i] = kind == 0   ? all
                     : kind == 1 ? (int64_t)(random % 1000)
                     : kind == 2 ? all >> 20
                                 : 5;
        }
        memcpy(want, got, sizeof(want));
        statistics_sort(got, COUNT, a);
        qsort(want, COUNT, sizeof(want[0]), compare);
        assert_memory_equal(got, want, sizeof(want));
    }
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_round_half_to_even),
        cmocka_unit_test(sums_stop_at_the_ends),
        cmocka_unit_test(values_are_described_as_defined),
        cmocka_unit_test(many_values_sort_as_few_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
