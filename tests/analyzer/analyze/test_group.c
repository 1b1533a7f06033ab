// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/group.h"

static uint32_t add(groups *g, uint64_t ids, const char *first, const char *second)
{
    const text key[2] = {first ? text_of(first) : (text){0}, second ? text_of(second) : (text){0}};

    return groups_add(g, ids, key);
}

static void rows_of_two_traces_meet_by_their_texts(void **state)
{
    (void)state;
    arena *a = arena_create();
    groups g = groups_create(a, sizeof(int), 2);

    assert_int_equal(groups_find(&g, 7), ID_NONE);
    const uint32_t mm = add(&g, 7, "aten::mm", "[]"), add_row = add(&g, 8, "aten::add", "[]");
    assert_int_not_equal(mm, add_row);
    assert_int_equal(groups_find(&g, 7), mm);

    groups_next_trace(&g);
    assert_int_equal(groups_find(&g, 7), ID_NONE);
    assert_int_equal(add(&g, 7, "aten::add", "[]"), add_row);
    assert_int_equal(add(&g, 9, "aten::mm", "[]"), mm);
    assert_int_equal(g.count, 2);
    assert_string_equal(groups_key(&g, mm, 0), "aten::mm");
    arena_destroy(a);
}

static void texts_are_told_apart_part_by_part(void **state)
{
    (void)state;
    arena *a = arena_create();
    groups g = groups_create(a, sizeof(int), 2);

    add(&g, 0, "ab", "c");
    add(&g, 1, "a", "bc");
    add(&g, 2, "abc", "");
    add(&g, 3, "abc", NULL);
    add(&g, 4, NULL, "abc");
    assert_int_equal(g.count, 5);
    assert_null(groups_key(&g, 3, 1));
    assert_string_equal(groups_key(&g, 2, 1), "");
    arena_destroy(a);
}

static void rows_start_at_zero_and_keep_what_was_added(void **state)
{
    (void)state;
    arena *a = arena_create();
    groups g = groups_create(a, sizeof(int64_t), 1);

    for (int round = 0; round < 3; round++) {
        groups_next_trace(&g);
        for (uint32_t i = 0; i < 20000; i++) {
            const text key = text_of(arena_printf(a, "kernel_%u", i));
            int64_t *const row = groups_row(&g, groups_add(&g, i, &key));
            assert_int_equal(*row, (int64_t)i * round);
            *row += i;
        }
    }
    assert_int_equal(g.count, 20000);
    arena_destroy(a);
}

static void absent_texts_come_first(void **state)
{
    (void)state;
    assert_true(text_order(NULL, "") < 0);
    assert_true(text_order("", NULL) > 0);
    assert_int_equal(text_order(NULL, NULL), 0);
    assert_true(text_order("a", "b") < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_two_traces_meet_by_their_texts),
        cmocka_unit_test(texts_are_told_apart_part_by_part),
        cmocka_unit_test(rows_start_at_zero_and_keep_what_was_added),
        cmocka_unit_test(absent_texts_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
