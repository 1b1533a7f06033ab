// SPDX-License-Identifier: BSD-3-Clause
// The sweep against a map of every instant.
#include "support/cmocka_all.h"

#include "analyze/sweep.h"

#include <stdlib.h>

enum { TIMES = 200, KINDS = 4, INTERVALS = 30 };

typedef struct mark {
    int64_t begin, end;
    unsigned kind;
} mark;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int by_begin(const void *x, const void *y)
{
    const mark *a = x, *b = y;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static void each_instant_goes_to_the_first_kind_that_is_busy(void **state)
{
    uint64_t random = 88172645463325252u;
    (void)state;

    for (int round = 0; round < 300; round++) {
        unsigned map[TIMES];
        mark marks[INTERVALS];
        for (int i = 0; i < TIMES; i++)
            map[i] = KINDS;
        for (int i = 0; i < INTERVALS; i++) {
            const int64_t begin = (int64_t)(next_random(&random) % TIMES);
            const int64_t end = begin + (int64_t)(next_random(&random) % 12);
            marks[i] =
                (mark){begin, end < TIMES ? end : TIMES, (unsigned)(next_random(&random) % KINDS)};
            for (int64_t t = begin; t < marks[i].end; t++)
                map[t] = marks[i].kind < map[t] ? marks[i].kind : map[t];
        }
        qsort(marks, INTERVALS, sizeof(marks[0]), by_begin);

        int64_t want[KINDS + 1] = {0};
        for (int i = 0; i < TIMES; i++)
            want[map[i]]++;
        sweep s = sweep_from(KINDS, 0);
        for (int i = 0; i < INTERVALS; i++)
            sweep_add(&s, marks[i].kind, marks[i].begin, marks[i].end);
        sweep_to(&s, TIMES);
        for (int k = 0; k <= KINDS; k++)
            assert_int_equal(s.total[k], want[k]);
    }
}

static void what_began_before_the_start_counts_from_the_start(void **state)
{
    (void)state;
    sweep s = sweep_from(2, 100);
    sweep_add(&s, 1, 10, 120);
    sweep_add(&s, 0, 50, 110);
    assert_int_equal(s.kind, 0);
    assert_int_equal(sweep_busy_until(&s), 120);
    sweep_to(&s, 150);
    assert_int_equal(s.total[0], 10);
    assert_int_equal(s.total[1], 10);
    assert_int_equal(s.total[2], 30);
    assert_int_equal(s.kind, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_instant_goes_to_the_first_kind_that_is_busy),
        cmocka_unit_test(what_began_before_the_start_counts_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
