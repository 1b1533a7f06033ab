// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/units.h"

static void times_are_scaled_to_three_digits(void **state)
{
    static const struct {
        int64_t ns;
        const char *words;
    } cases[] = {
        {0,              "0 ns"    },
        {1,              "1 ns"    },
        {999,            "999 ns"  },
        {1000,           "1.00 us" },
        {9994,           "9.99 us" },
        {9996,           "10.0 us" },
        {99960,          "100 us"  },
        {999400,         "999 us"  },
        {999500,         "1.00 ms" },
        {24560000,       "24.6 ms" },
        {1500000000,     "1.50 s"  },
        {86400000000000, "86400 s" },
        {-3000,          "-3.00 us"},
    };
    char words[UNIT_TEXT_BYTES];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(unit_time(cases[i].ns, words), cases[i].words);
}

static void sizes_shares_and_counts_have_their_forms(void **state)
{
    char words[UNIT_TEXT_BYTES];
    (void)state;

    assert_string_equal(unit_bytes(512, words), "512 B");
    assert_string_equal(unit_bytes(16945709056, words), "16.9 GB");
    assert_string_equal(unit_ratio(0.3244, words), "32.4 %");
    assert_string_equal(unit_ratio(1, words), "100.0 %");
    assert_string_equal(unit_count(0, words), "0");
    assert_string_equal(unit_count(999, words), "999");
    assert_string_equal(unit_count(1000, words), "1,000");
    assert_string_equal(unit_count(-1234567, words), "-1,234,567");
    assert_string_equal(unit_count(INT64_MAX, words), "9,223,372,036,854,775,807");
}

static void names_that_are_empty_are_told_from_texts_that_are(void **state)
{
    const cell empty = {.known = true, .store = STORE_TEXT, .text = ""};
    (void)state;

    assert_string_equal(unit_name("mm"), "mm");
    assert_string_equal(unit_cell(&(column){.unit = UNIT_NAME}, empty, NULL), "(unnamed)");
    assert_string_equal(unit_cell(&(column){.unit = UNIT_NONE}, empty, NULL), "");
}

typedef struct thing {
    int64_t time, count;
    double share, number;
    tristate truth;
    text_list list;
    const char *name;
} thing;

static void cells_say_dash_where_a_value_is_unknown(void **state)
{
    static const column COLUMNS[] = {
        COLUMN(thing, time, UNIT_NS, ""),     COLUMN(thing, count, UNIT_COUNT, ""),
        COLUMN(thing, share, UNIT_RATIO, ""), COLUMN(thing, number, UNIT_NUMBER, ""),
        COLUMN(thing, truth, UNIT_NONE, ""),  COLUMN(thing, list, UNIT_NONE, ""),
        COLUMN(thing, name, UNIT_NONE, ""),
    };
    static const char *const NAMES[] = {"3", "7"};
    static const thing THINGS[] = {
        {INT_NONE, INT_NONE, REAL_NONE, REAL_NONE, TRISTATE_UNKNOWN, {NULL, 0},  NULL},
        {1500,     4,        0.5,       12.345,    TRISTATE_TRUE,    {NAMES, 2}, "x" },
    };
    static const char *const WORDS[2][ARRAY_LEN(COLUMNS)] = {
        {"-",       "-", "-",      "-",    "-",   "-",    "-"},
        {"1.50 us", "4", "50.0 %", "12.3", "yes", "3, 7", "x"},
    };
    (void)state;
    const table t = {TABLE("things", "", COLUMNS, thing), .rows = THINGS, .row_count = 2};
    arena *a = arena_create();

    for (uint32_t row = 0; row < 2; row++)
        for (uint32_t i = 0; i < ARRAY_LEN(COLUMNS); i++)
            assert_string_equal(unit_cell(&COLUMNS[i], table_cell(&t, row, &COLUMNS[i]), a),
                                WORDS[row][i]);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_scaled_to_three_digits),
        cmocka_unit_test(sizes_shares_and_counts_have_their_forms),
        cmocka_unit_test(names_that_are_empty_are_told_from_texts_that_are),
        cmocka_unit_test(cells_say_dash_where_a_value_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
