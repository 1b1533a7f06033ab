// SPDX-License-Identifier: BSD-3-Clause
// The algebra against a bitmap of a short time line, on random sets.
#include "support/cmocka_all.h"

#include "base/text.h"
#include "timeline/interval.h"

#include <stdlib.h>

enum { SPAN = 64, ROUNDS = 20000 };

typedef uint64_t bitmap; // bit n: the instant [n, n + 1)

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % limit);
}

static bitmap bits_between(int64_t begin, int64_t end)
{
    bitmap bits = 0;
    for (int64_t i = begin; i < end; i++)
        if (i >= 0 && i < SPAN)
            bits |= (bitmap)1 << i;
    return bits;
}

static bitmap bits_of(interval_set s)
{
    bitmap bits = 0;
    for (uint32_t i = 0; i < s.count; i++)
        bits |= bits_between(s.at[i].begin, s.at[i].end);
    return bits;
}

// Sorted, none empty, none touching the next.
static void assert_is_set(interval_set s)
{
    for (uint32_t i = 0; i < s.count; i++) {
        assert_true(s.at[i].begin < s.at[i].end);
        if (i)
            assert_true(s.at[i - 1].end < s.at[i].begin);
    }
}

static void assert_same(interval_set s, bitmap expected)
{
    assert_is_set(s);
    assert_true(bits_of(s) == expected);
    assert_int_equal(intervals_total(s), __builtin_popcountll(expected));
}

static interval_set random_set(arena *a, bitmap *bits)
{
    const uint32_t count = random_below(8);
    interval *items = arena_new(a, interval, count);
    *bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i].begin = random_below(SPAN);
        items[i].end = items[i].begin + random_below(1 + (uint32_t)(SPAN - items[i].begin));
        *bits |= bits_between(items[i].begin, items[i].end);
    }
    return intervals_from(items, count, a);
}

static void sets_combine_as_bitmaps_do(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        arena *a = arena_create();
        bitmap x_bits, y_bits;
        const interval_set x = random_set(a, &x_bits), y = random_set(a, &y_bits);

        assert_same(x, x_bits);
        assert_same(intervals_union(x, y, a), x_bits | y_bits);
        assert_same(intervals_intersect(x, y, a), x_bits & y_bits);
        assert_same(intervals_subtract(x, y, a), x_bits & ~y_bits);
        arena_destroy(a);
    }
}

static void a_window_cuts_a_set(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        arena *a = arena_create();
        bitmap bits;
        const interval_set x = random_set(a, &bits);
        const int64_t begin = (int64_t)random_below(SPAN + 8) - 4;
        const int64_t end = begin - 2 + random_below(SPAN);
        const bitmap inside = bits & bits_between(begin, end);
        const interval_set clipped = intervals_clip(x, begin, end, a);

        assert_same(clipped, inside);
        assert_int_equal(intervals_total_within(x, begin, end), __builtin_popcountll(inside));
        assert_same(x, bits); // a view or a copy, the original stays
        arena_destroy(a);
    }
}

static void a_window_that_cuts_no_end_gives_a_view(void **state)
{
    (void)state;
    arena *a = arena_create();
    interval_set x = {0};
    for (int64_t i = 0; i < 10; i++)
        intervals_append(&x, a, i * 10, i * 10 + 5);
    assert_ptr_equal(intervals_clip(x, 20, 45, a).at, x.at + 2);
    assert_int_equal(intervals_clip(x, 20, 45, a).count, 3);
    assert_ptr_not_equal(intervals_clip(x, 21, 45, a).at, x.at + 2);
    arena_destroy(a);
}

static void appending_joins_what_touches_and_drops_what_is_empty(void **state)
{
    static const interval items[] = {
        {0,  5 },
        {5,  7 },
        {6,  6 },
        {6,  9 },
        {7,  8 },
        {10, 10},
        {11, 12}
    };
    (void)state;
    arena *a = arena_create();
    interval_set x = {0};
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        intervals_append(&x, a, items[i].begin, items[i].end);
    assert_int_equal(x.count, 2);
    assert_int_equal(x.at[0].end, 9);
    assert_int_equal(x.at[1].begin, 11);
    arena_destroy(a);
}

static void empty_sets_are_neutral(void **state)
{
    (void)state;
    arena *a = arena_create();
    const interval_set none = {0};
    assert_int_equal(intervals_from(NULL, 0, a).count, 0);
    assert_int_equal(intervals_union(none, none, a).count, 0);
    assert_int_equal(intervals_intersect(none, none, a).count, 0);
    assert_int_equal(intervals_subtract(none, none, a).count, 0);
    assert_int_equal(intervals_clip(none, 0, 10, a).count, 0);
    assert_int_equal(intervals_total_within(none, 0, 10), 0);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_combine_as_bitmaps_do),
        cmocka_unit_test(a_window_cuts_a_set),
        cmocka_unit_test(a_window_that_cuts_no_end_gives_a_view),
        cmocka_unit_test(appending_joins_what_touches_and_drops_what_is_empty),
        cmocka_unit_test(empty_sets_are_neutral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
