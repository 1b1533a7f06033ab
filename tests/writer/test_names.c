// SPDX-License-Identifier: BSD-3-Clause
// Interned names: one pointer a text, from many threads, up to a bound.
#include "support/cmocka_all.h"

#include "capture.h"
#include "names.h"
#include "stack.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void equal_texts_are_one(void **state)
{
    char text[] = "aten::mm";
    const char *name = tp_name_intern(text, 8);
    (void)state;

    assert_ptr_not_equal(name, text);
    text[6] = 'b';
    assert_string_equal(name, "aten::mm");
    assert_ptr_equal(tp_name_intern("aten::mm and more", 8), name);
    assert_ptr_not_equal(tp_name_intern("aten::m", 7), name);
    assert_string_equal(tp_name_intern("", 0), "");
    assert_ptr_equal(tp_name_join("aten", "::", "mm"), name);
}

static void long_names_are_kept_whole(void **state)
{
    static char text[100000];
    (void)state;

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    const char *name = tp_name_join("<", text, ">");
    assert_int_equal(name[0], '<');
    assert_int_equal(name[strlen(name) - 1], '>');
    assert_int_equal(strlen(name), sizeof(text) + 1);
    assert_ptr_equal(tp_name_join("<", text, ">"), name);
    text[sizeof(text) - 2] = 'y';
    assert_ptr_not_equal(tp_name_join("<", text, ">"), name);

    // Stacks too, from the call to the file.
    assert_int_equal(strlen(tp_stack_text(tp_stack_of_text(text))), sizeof(text));
}

static void a_cut_is_between_characters(void **state)
{
    static const struct {
        const char *text;
        size_t most, fits;
    } cases[] = {
        {"",                  4, 0},
        {"four",              4, 4},
        {"five!",             4, 4},
        {"abc\xc3\xa9",       4, 3},
        {"ab\xc3\xa9",        4, 4},
        {"ab\xc3\xa9z",       4, 4},
        {"a\xf0\x9f\x98\x80", 4, 1},
        {"\x80\x80\x80",      2, 0}, // no text, and no end
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(tp_name_fit(cases[i].text, cases[i].most), cases[i].fits);
}

enum { TEXTS = 2000 };

static void *intern_all(void *names)
{
    for (int i = 0; i < TEXTS; i++) {
        char text[16];
        const int length = snprintf(text, sizeof(text), "name %d", i);
        ((const char **)names)[i] = tp_name_intern(text, (size_t)length);
    }
    return NULL;
}

static void threads_get_the_same_pointers(void **state)
{
    static const char *names[8][TEXTS];
    pthread_t threads[8];
    (void)state;

    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, intern_all, names[i]), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < 8; i++)
        assert_memory_equal(names[0], names[i], sizeof(names[0]));
}

static void stacks_have_their_text(void **state)
{
    const tp_stack *given = tp_stack_of_text("train.c(3): f;train.c(9): main");
    (void)state;

    assert_ptr_equal(tp_stack_of_text("train.c(3): f;train.c(9): main"), given);
    assert_string_equal(tp_stack_text(given), "train.c(3): f;train.c(9): main;");
    assert_string_equal(tp_stack_text(tp_stack_of_text("one;")), "one;");
    assert_string_equal(tp_stack_text(NULL), "");
    const tp_stack *here = tp_stack_here(NULL);
    assert_non_null(strstr(tp_stack_text(here), "test_names(0x"));
    assert_ptr_equal(tp_stack_text(here), tp_stack_text(here));
}

// Last: nothing new fits from then on.
static void names_have_a_bound(void **state)
{
    char text[1000];
    const char *name = "";
    (void)state;

    memset(text, 'y', sizeof(text));
    for (int i = 0; i < 20000 && strcmp(name, "(more names)") != 0; i++) {
        const int digits = snprintf(text, 20, "%d", i);
        text[digits] = 'y';
        name = tp_name_intern(text, sizeof(text));
    }
    assert_string_equal(name, "(more names)");
    assert_string_equal(tp_name_intern("aten::mm", 8), "aten::mm");
    text[sizeof(text) - 1] = '\0';
    text[0] = 's';
    assert_string_equal(tp_stack_text(tp_stack_of_text(text)), "(more names);");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_are_one),
        cmocka_unit_test(long_names_are_kept_whole),
        cmocka_unit_test(a_cut_is_between_characters),
        cmocka_unit_test(threads_get_the_same_pointers),
        cmocka_unit_test(stacks_have_their_text),
        cmocka_unit_test(names_have_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
