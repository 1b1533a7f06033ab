// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/arena.h"

#include <string.h>

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    arena *a = arena_create();
    for (int i = 0; i < 1000; i++) {
        char *byte = arena_new(a, char, 3);
        int64_t *words = arena_new(a, int64_t, i);
        assert_int_equal(byte[0] | byte[1] | byte[2], 0);
        assert_int_equal((uintptr_t)words % _Alignof(int64_t), 0);
        for (int k = 0; k < i; k++)
            assert_int_equal(words[k], 0);
        memset(words, 0xff, sizeof(int64_t) * (size_t)i);
    }
    arena_destroy(a);
}

static void growing_keeps_the_old_and_zeroes_the_new(void **state)
{
    (void)state;
    arena *a = arena_create();
    uint32_t *small = NULL, *other = NULL;
    uint32_t count = 0, capacity = 0, other_count = 0, other_capacity = 0;

    for (uint32_t i = 0; i < 1000000; i++) {
        arena_reserve_one(a, small, count, capacity);
        assert_int_equal(small[count], 0);
        small[count++] = i;
        arena_reserve_one(a, other, other_count, other_capacity);
        other[other_count++] = ~i;
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(small[i], i);
        assert_int_equal(other[i], ~i);
    }
    const size_t held = arena_held(a);
    arena_release(a, small);
    assert_true(arena_held(a) < held);
    arena_destroy(a);
}

static void text_is_copied_and_printed(void **state)
{
    (void)state;
    arena *a = arena_create();
    assert_string_equal(arena_copy(a, "abcdef", 3), "abc");
    assert_string_equal(arena_printf(a, "%d of %s", 3, "ten"), "3 of ten");
    for (int width = 250; width < 260; width++) {
        const char *printed = arena_printf(a, "%0*d", width, 7);
        assert_int_equal(strlen(printed), width);
        assert_int_equal(printed[width - 1], '7');
    }
    arena_destroy(a);
    arena_destroy(NULL);
}

static void memory_that_was_handed_over_lives_on(void **state)
{
    enum { LARGE = 4 << 20 };
    (void)state;
    // Each of the two has no large array, one, or several.
    for (int mine = 0; mine < 3; mine++)
        for (int others = 0; others < 3; others++) {
            arena *a = arena_create(), *other = arena_create();
            char *arrays[6];
            int count = 0;
            const char *text = arena_copy(other, "lives on", 8);
            for (int i = 0; i < mine; i++)
                arrays[count++] = arena_new(a, char, LARGE);
            for (int i = 0; i < others; i++)
                arrays[count++] = arena_new(other, char, LARGE);
            const size_t held = arena_held(a) + arena_held(other);
            arena_join(a, other);
            assert_int_equal(arena_held(a), held);
            assert_string_equal(text, "lives on");
            for (int i = 0; i < count; i++)
                arrays[i][LARGE - 1] = 1;
            for (int i = 0; i < count; i++)
                arena_release(a, arrays[i]);
            assert_int_equal(arena_held(a), held - (size_t)count * (LARGE + 4096));
            assert_int_equal(*arena_new(a, char, 1), 0);
            arena_destroy(a);
        }
}

// To where a page begins, and to where none does; less than a page, pages, and a rest behind them.
static void arrays_move_into_those_of_another_arena(void **state)
{
    static const size_t SIZES[] = {0, 100, 5000, 2 << 20, (2 << 20) + 1234};
    static const size_t PLACES[] = {0, 8, 4096, 12288, 12296};
    enum { ROOM = 4 << 20 };
    (void)state;
    for (size_t s = 0; s < 5; s++)
        for (size_t p = 0; p < 5; p++) {
            arena *const a = arena_create(), *const other = arena_create();
            char *const to = arena_new(a, char, ROOM), *const other_array =
                                                           arena_new(other, char, ROOM);
            char *const from = arena_new(other, char, SIZES[s]);
            memset(to, 1, ROOM);
            memset(from, 2, SIZES[s]);
            arena_move(other, from, SIZES[s], to + PLACES[p]);
            for (size_t i = 0; i < ROOM; i += i % 4096 ? 4095 : 1)
                assert_int_equal(to[i], i >= PLACES[p] && i < PLACES[p] + SIZES[s] ? 2 : 1);
            assert_int_equal(other_array[ROOM - 1], 0);
            arena_destroy(other);
            arena_destroy(a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(growing_keeps_the_old_and_zeroes_the_new),
        cmocka_unit_test(text_is_copied_and_printed),
        cmocka_unit_test(memory_that_was_handed_over_lives_on),
        cmocka_unit_test(arrays_move_into_those_of_another_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
