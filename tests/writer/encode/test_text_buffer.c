// SPDX-License-Identifier: BSD-3-Clause
// Text that grows: numbers without the locale, and what no longer fits into memory.
#include "support/cmocka_all.h"

#include "encode/text_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void pieces_are_joined_and_ended(void **state)
{
    tp_text text = {0};
    (void)state;

    tp_text_add(&text, "a");
    tp_text_append(&text, "bcd", 2);
    tp_text_print(&text, "%d|%s", 42, "x");
    tp_text_repeat(&text, '-', 3);
    assert_string_equal(text.data, "abc42|x---");
    assert_int_equal(text.size, 10);
    tp_text_clear(&text);
    assert_string_equal(text.data, "");
    for (int i = 0; i < 10000; i++)
        tp_text_print(&text, "%05d", i);
    assert_int_equal(text.size, 50000);
    assert_memory_equal(text.data + 49995, "09999", 6);
    assert_false(text.failed);
    free(text.data);
}

static void fractions_are_rounded_correctly(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *expected;
    } cases[] = {
        {0,        3, "0.000"       },
        {-1.0005,  2, "-1.00"       },
        {0.125,    2, "0.12"        },
        {0.375,    2, "0.38"        },
        {1e9,      1, "1000000000.0"},
        {NAN,      2, "NaN"         },
        {INFINITY, 1, "NaN"         },
    };
    tp_text text = {0};
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tp_text_clear(&text);
        tp_text_fixed(&text, cases[i].value, cases[i].decimals);
        assert_string_equal(text.data, cases[i].expected);
    }
    tp_text_clear(&text);
    tp_text_fixed(&text, 1.7e308, 3);
    assert_int_equal(text.size, 309 + 4);
    free(text.data);
}

static void what_cannot_be_had_sticks(void **state)
{
    tp_text text = {0};
    (void)state;

    tp_text_add(&text, "kept");
    tp_text_repeat(&text, 'x', SIZE_MAX / 2);
    assert_true(text.failed);
    tp_text_add(&text, "more");
    assert_string_equal(text.data, "kept");
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_joined_and_ended),
        cmocka_unit_test(fractions_are_rounded_correctly),
        cmocka_unit_test(what_cannot_be_had_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
