// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "model/events.h"

#include <stdlib.h>

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % limit);
}

static void add(events *e, arena *a, int64_t begin, int64_t duration)
{
    const uint32_t i = events_append(e, a);
    e->begin[i] = begin;
    e->duration[i] = duration;
    e->name[i] = i;
    e->lane[i] = i + 1;
    e->role[i] = (uint8_t)i;
    e->correlation[i] = i + 2;
    e->external[i] = i + 3;
    e->detail[i] = i + 4;
}

// Shapes of disorder that traces have, and the worst.
typedef enum disorder {
    IN_ORDER,
    REVERSED,
    RANDOM,
    LOCAL,   // a few places out of order
    BUFFERS, // long runs, one behind the other
    EQUAL,
    ENDS, // in order of end, as ranges are recorded
    DISORDERS
} disorder;

static int64_t begin_of(disorder how, uint32_t i, uint32_t count)
{
    switch (how) {
    case REVERSED:
        return (int64_t)(count - i);
    case RANDOM:
        return random_below(count + 1);
    case LOCAL:
        return (int64_t)i * 3 - random_below(20);
    case BUFFERS:
        return (int64_t)(i % (count / 5 + 1)) * 7 + i / (count / 5 + 1);
    case EQUAL:
        return 7;
    case ENDS:
        return (int64_t)(i | 15) - (i & 15);
    default:
        return i;
    }
}

static const events *sorted_before;

static int by_time_then_file(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const events *e = sorted_before;
    if (e->begin[a] != e->begin[b])
        return e->begin[a] < e->begin[b] ? -1 : 1;
    if (e->duration[a] != e->duration[b])
        return e->duration[a] > e->duration[b] ? -1 : 1;
    return a < b ? -1 : 1;
}

// As a whole, or from the orders of two parts, by one thread or two.
static const uint32_t *sort(events *e, arena *a, const uint32_t *expected)
{
    const uint32_t cut = random_below(e->count + 1);
    events first = *e, second = *e;

    first.count = cut;
    second.begin += cut;
    second.duration += cut;
    second.count -= cut;
    uint32_t *order = events_order_join(e, events_order(&first, a, false), cut,
                                        events_order(&second, a, false), a);
    const uint32_t *by_two = events_order(e, a, true);
    for (uint32_t i = 0; i < e->count; i++) {
        assert_int_equal(order ? order[i] : i, expected[i]);
        assert_int_equal(by_two ? by_two[i] : i, expected[i]);
    }
    uint32_t *moved = NULL;
    events_sort_as(e, order, a, e->count % 2, e->count % 3 ? &moved : NULL);
    return moved;
}

static void check_order(disorder how, uint32_t count)
{
    arena *a = arena_create();
    events e = {0}, before = {0};
    for (uint32_t i = 0; i < count; i++) {
        const int64_t begin = begin_of(how, i, count), duration = random_below(4);
        add(&e, a, begin, duration);
        add(&before, a, begin, duration);
    }
    uint32_t *expected = arena_new(a, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        expected[i] = i;
    sorted_before = &before;
    qsort(expected, count, sizeof(*expected), by_time_then_file);

    const uint32_t *moved = sort(&e, a, expected);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t was = expected[i];
        assert_int_equal(e.name[i], was);
        assert_int_equal(e.begin[i], before.begin[was]);
        assert_int_equal(e.duration[i], before.duration[was]);
        assert_int_equal(e.lane[i], was + 1);
        assert_int_equal(e.role[i], (uint8_t)was);
        assert_int_equal(e.correlation[i], was + 2);
        assert_int_equal(e.external[i], was + 3);
        assert_int_equal(e.detail[i], was + 4);
        assert_int_equal(e.link[i], EVENT_NONE);
        if (moved)
            assert_int_equal(moved[was], i);
    }
    arena_destroy(a);
}

static void rows_come_in_order_of_begin_then_length_then_file(void **state)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 1000, 4097, 100000};
    (void)state;
    for (disorder how = 0; how < DISORDERS; how++)
        for (size_t i = 0; i < ARRAY_LEN(counts); i++)
            check_order(how, counts[i]);
}

static void short_random_rows_come_in_order(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++)
        check_order(RANDOM, random_below(200));
}

static void ordered_rows_do_not_move(void **state)
{
    (void)state;
    arena *a = arena_create();
    events e = {0};
    for (uint32_t i = 0; i < 1000; i++)
        add(&e, a, i / 2, 10 - i % 2);
    assert_null(events_order(&e, a, false));
    arena_destroy(a);
}

static void add_rows(events *e, arena *a, disorder how, uint32_t from, uint32_t to, uint32_t count)
{
    for (uint32_t i = from; i < to; i++) {
        add(e, a, begin_of(how, i, count), 1);
        e->name[e->count - 1] = i;
        e->role[e->count - 1] = (uint8_t)i;
        e->detail[e->count - 1] = ~i;
    }
}

static void check_moved(disorder how, uint32_t cut, uint32_t count)
{
    arena *const a = arena_create(), *const other = arena_create();
    events whole = {0}, first = {0}, second = {0};
    uint32_t *moved = NULL;

    add_rows(&whole, a, how, 0, count, count);
    add_rows(&first, a, how, 0, cut, count);
    add_rows(&second, other, how, cut, count, count);
    events_sort_as(&whole, events_order(&whole, a, false), a, false, NULL);
    uint32_t *const first_order = events_order(&first, a, false);
    uint32_t *const second_order = events_order(&second, other, false);
    events_move(&first, a, &second, other);
    const uint32_t second_row = cut + first.empty;
    uint32_t *const order = events_order_join(&first, first_order, cut, second_order, a);
    arena_destroy(other);
    events_sort_as(&first, order, a, count % 2, &moved);
    assert_int_equal(first.count, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t was = first.name[i];
        assert_int_equal(was, whole.name[i]);
        assert_int_equal(first.begin[i], whole.begin[i]);
        assert_int_equal(first.role[i], (uint8_t)was);
        assert_int_equal(first.detail[i], ~was);
        assert_true(!moved || moved[was < cut ? was : second_row + was - cut] == i);
    }
    arena_destroy(a);
}

// Of few rows columns are copied, of many their pages are moved.
static void moved_rows_stand_as_if_all_were_added_in_a_row(void **state)
{
    static const struct {
        uint32_t cut, count;
    } CASES[] = {
        {0,      5     },
        {5,      5     },
        {3,      5     },
        {4096,   5000  },
        {300000, 300007},
        {7,      300000},
        {262144, 600001},
        {300000, 600000}
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        check_moved(IN_ORDER, CASES[i].cut, CASES[i].count);
        check_moved(BUFFERS, CASES[i].cut, CASES[i].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_in_order_of_begin_then_length_then_file),
        cmocka_unit_test(short_random_rows_come_in_order),
        cmocka_unit_test(ordered_rows_do_not_move),
        cmocka_unit_test(moved_rows_stand_as_if_all_were_added_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
