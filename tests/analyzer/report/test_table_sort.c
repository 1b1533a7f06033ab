// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/table_sort.h"

#include <stdio.h>
#include <string.h>

typedef struct fruit {
    const char *name;
    int64_t grams;
    double sugar;
    tristate ripe;
    text_list seen_in;
} fruit;

static const column COLUMNS[] = {
    COLUMN(fruit, name, UNIT_NONE, "Fruit"),      COLUMN(fruit, grams, UNIT_COUNT, "Weight"),
    COLUMN(fruit, sugar, UNIT_RATIO, "Sugar"),    COLUMN(fruit, ripe, UNIT_NONE, "Ripe"),
    COLUMN(fruit, seen_in, UNIT_NONE, "Seen in"),
};

static const char *const WOODS[] = {"north", "south"};

static const table FRUITS = {
    TABLE("fruits", "Fruits", COLUMNS, fruit),
    .rows =
        (const fruit[]){
                        {"pear", 180, 0.10, TRISTATE_TRUE, {NULL, 0}},
                        {"fig", 50, 0.16, TRISTATE_UNKNOWN, {WOODS, 2}},
                        {"apple", 180, REAL_NONE, TRISTATE_FALSE, {WOODS, 1}},
                        {NULL, INT_NONE, 0.02, TRISTATE_TRUE, {NULL, 0}},
                        {"plum", 60, 0.10, TRISTATE_FALSE, {NULL, 0}},
                        },
    .row_count = 5,
    .total_rows = 5,
};

// "pear fig -": the names of the rows in order.
static const char *order(const table *t, char *names, size_t size)
{
    const column *name = table_column(&FRUITS, "name");
    names[0] = '\0';
    for (uint32_t i = 0; i < t->row_count; i++) {
        const cell value = table_cell(t, i, name);
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", i ? " " : "", value.known ? value.text : "-");
    }
    return names;
}

static void rows_are_sorted_by_any_column_with_unknown_last(void **state)
{
    static const struct {
        const char *sort, *order;
    } cases[] = {
        {NULL,      "pear fig apple - plum"},
        {"grams",   "pear apple plum fig -"},
        {"-grams",  "fig plum pear apple -"},
        {"name",    "apple fig pear plum -"},
        {"-name",   "plum pear fig apple -"},
        {"sugar",   "fig pear plum - apple"},
        {"-sugar",  "- pear plum fig apple"},
        {"ripe",    "pear - apple plum fig"},
        {"seen_in", "fig apple pear - plum"},
        {"price",   "pear fig apple - plum"},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        arena *a = arena_create();
        char names[100];
        const table_choice choice = {.sort = cases[i].sort};
        const table t = table_select(&FRUITS, &choice, a);
        assert_string_equal(order(&t, names, sizeof(names)), cases[i].order);
        assert_int_equal(t.total_rows, 5);
        assert_false(t.limited);
        arena_destroy(a);
    }
}

static void whole_numbers_that_are_texts_are_sorted_as_numbers(void **state)
{
    static const char *const NAMES[] = {
        "2", "b", "10", "-3", "007", "-20", "a1", "0", "99999999999999999999", "", "-", "1x", "9"};
    fruit rows[ARRAY_LEN(NAMES)];
    (void)state;
    arena *a = arena_create();
    char names[200];

    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        rows[i] = (fruit){.name = NAMES[i]};
    table t = FRUITS;
    t.rows = rows;
    t.row_count = t.total_rows = ARRAY_LEN(NAMES);
    table sorted = table_select(&t, &(table_choice){.sort = "name"}, a);
    assert_string_equal(order(&sorted, names, sizeof(names)),
                        "99999999999999999999 10 9 007 2 0 -3 -20  - 1x a1 b");
    sorted = table_select(&t, &(table_choice){.sort = "-name"}, a);
    assert_string_equal(order(&sorted, names, sizeof(names)),
                        "b a1 1x -  -20 -3 0 2 007 9 10 99999999999999999999");
    arena_destroy(a);
}

static void a_filter_keeps_rows_whose_name_matches(void **state)
{
    (void)state;
    arena *a = arena_create();
    char names[100];
    regex_t filter;
    assert_int_equal(regcomp(&filter, "^p|g$", REG_EXTENDED | REG_NOSUB), 0);
    const table_choice choice = {.filter = &filter, .sort = "grams", .limited = true, .top = 2};

    const table t = table_select(&FRUITS, &choice, a);
    assert_string_equal(order(&t, names, sizeof(names)), "pear plum");
    assert_int_equal(t.total_rows, 3);
    assert_true(t.limited);
    regfree(&filter);
    arena_destroy(a);
}

static void a_filter_leaves_tables_without_names_alone(void **state)
{
    (void)state;
    arena *a = arena_create();
    regex_t filter;
    assert_int_equal(regcomp(&filter, "nothing", REG_EXTENDED | REG_NOSUB), 0);
    table nameless = FRUITS;
    nameless.columns++;
    nameless.column_count--;

    const table t = table_select(&nameless, &(table_choice){.filter = &filter}, a);
    assert_int_equal(t.row_count, 5);
    regfree(&filter);
    arena_destroy(a);
}

static void columns_stand_in_the_order_asked_for(void **state)
{
    (void)state;
    static const char *const WANTED[] = {"ripe", "price", "name"};
    arena *a = arena_create();

    table t = table_select(&FRUITS, &(table_choice){.columns = WANTED, .column_count = 3}, a);
    assert_int_equal(t.column_count, 2);
    assert_string_equal(t.columns[0].key, "ripe");
    assert_string_equal(t.columns[1].key, "name");

    t = table_select(&FRUITS, &(table_choice){.columns = WANTED + 1, .column_count = 1}, a);
    assert_int_equal(t.column_count, 0);
    arena_destroy(a);
}

static void the_first_rows_are_kept(void **state)
{
    (void)state;
    arena *a = arena_create();
    for (uint32_t top = 0; top < 8; top++) {
        const table t = table_select(&FRUITS, &(table_choice){.limited = true, .top = top}, a);
        assert_int_equal(t.row_count, top < 5 ? top : 5);
        assert_int_equal(t.total_rows, 5);
    }
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_by_any_column_with_unknown_last),
        cmocka_unit_test(whole_numbers_that_are_texts_are_sorted_as_numbers),
        cmocka_unit_test(a_filter_keeps_rows_whose_name_matches),
        cmocka_unit_test(a_filter_leaves_tables_without_names_alone),
        cmocka_unit_test(columns_stand_in_the_order_asked_for),
        cmocka_unit_test(the_first_rows_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
