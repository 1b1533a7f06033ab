// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "model/events.h"
#include "model/open_ranges.h"

static void the_innermost_range_of_a_thread_ends_first(void **state)
{
    (void)state;
    arena *a = arena_create();
    open_ranges o = {.arena = a};
    open_range range;

    assert_false(open_ranges_pop(&o, 1, &range));
    for (uint32_t i = 0; i < 1000; i++)
        open_ranges_push(&o, i % 3, i, i + 7);
    assert_int_equal(open_ranges_left(&o), 1000);
    for (uint32_t i = 1000; i-- > 0;) {
        assert_true(open_ranges_pop(&o, i % 3, &range));
        assert_int_equal(range.event, i);
        assert_int_equal(range.category, i + 7);
    }
    assert_false(open_ranges_pop(&o, 0, &range));
    assert_int_equal(open_ranges_left(&o), 0);
    arena_destroy(a);
}

static void memory_is_that_of_the_deepest_nesting(void **state)
{
    (void)state;
    arena *a = arena_create();
    open_ranges o = {.arena = a};
    open_range range;

    for (uint32_t i = 0; i < 100000; i++) {
        open_ranges_push(&o, 1, i, 0);
        open_ranges_push(&o, 2, i, 0);
        assert_true(open_ranges_pop(&o, 1, &range) && range.event == i);
        assert_true(open_ranges_pop(&o, 2, &range) && range.event == i);
    }
    assert_int_equal(o.count, 2);
    open_ranges_push(&o, 1, EVENT_NONE, 0);
    assert_int_equal(open_ranges_left(&o), 0); // not of a stored event
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_range_of_a_thread_ends_first),
        cmocka_unit_test(memory_is_that_of_the_deepest_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
