// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/strings.h"

#include <stdio.h>

static void equal_texts_have_equal_ids_in_order_of_appearance(void **state)
{
    (void)state;
    arena *a = arena_create();
    strings s = {.arena = a};
    char name[64];

    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 100000; i++) {
            snprintf(name, sizeof(name), "kernel_%u_of_many_with_equal_ends", i);
            assert_int_equal(strings_intern(&s, text_of(name)), i);
        }
    assert_int_equal(s.count, 100000);
    assert_string_equal(strings_text(&s, 99999).at, "kernel_99999_of_many_with_equal_ends");
    assert_int_equal(strings_find(&s, TEXT("kernel_7_of_many_with_equal_ends")), 7);
    assert_int_equal(strings_find(&s, TEXT("kernel_7_of_many_with_equal_end")), STRING_NONE);
    arena_destroy(a);
}

static void any_bytes_are_a_text(void **state)
{
    static const text cases[] = {
        {NULL,                0 },
        {"a",                 1 },
        {"a\0",               2 },
        {"a\0b",              3 },
        {"\xff\xfe",          2 },
        {"aaaaaaaab",         9 },
        {"aaaaaaaac",         9 },
        {"aaaaaaaa",          8 },
        {"aaaaaaaaXaaaaaaaa", 17},
        {"aaaaaaaaYaaaaaaaa", 17},
    };
    (void)state;
    arena *a = arena_create();
    strings s = {.arena = a};

    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < ARRAY_LEN(cases); i++)
            assert_int_equal(strings_intern(&s, cases[i]), i);
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(strings_find(&s, cases[i]), i);
        assert_true(text_equal(strings_text(&s, i), cases[i]));
    }
    assert_int_equal(strings_text(&s, STRING_NONE).length, 0);
    arena_destroy(a);
}

// The hash's step, to make texts that have one hash: words that bring its state to zero.
static uint64_t step(uint64_t a, uint64_t b)
{
    const __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void texts_of_one_hash_are_told_apart(void **state)
{
    const uint64_t salt_a = 0x9e3779b97f4a7c15u, salt_b = 0xd6e8feb86659fd93u;
    (void)state;
    arena *a = arena_create();
    strings s = {.arena = a};
    const uint64_t seed = (uint64_t)(uintptr_t)a, begin = step(16 ^ salt_a ^ seed, salt_b);
    uint64_t words[100][2], hash = 0;

    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        words[i][0] = i;
        words[i][1] = step(begin ^ i, salt_a);
        const text t = {(const char *)words[i], sizeof(words[i])};
        hash = i ? hash : hash_bytes_seeded(t.at, t.length, seed);
        assert_true(hash_bytes_seeded(t.at, t.length, seed) == hash);
        assert_int_equal(strings_intern(&s, t), i);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(words); i++)
        assert_int_equal(strings_find(&s, (text){(const char *)words[i], sizeof(words[i])}), i);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_have_equal_ids_in_order_of_appearance),
        cmocka_unit_test(any_bytes_are_a_text),
        cmocka_unit_test(texts_of_one_hash_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
