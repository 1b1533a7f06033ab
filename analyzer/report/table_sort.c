// SPDX-License-Identifier: BSD-3-Clause
// --filter, --sort, --columns and --top, for any table.
#include "report/table_sort.h"

#include <stdlib.h>
#include <string.h>

typedef struct sort_key {
    cell value;
    uint32_t row;
} sort_key;

// A whole number as a text may be of any length.
typedef struct digits {
    bool are; // the text is such a number
    bool negative;
    const char *at; // without zeros in front
    size_t count;
} digits;

static digits digits_of(const char *string)
{
    digits d = {.negative = string[0] == '-', .at = string + (string[0] == '-')};

    const size_t all = strspn(d.at, "0123456789");
    d.are = all && !d.at[all];
    while (*d.at == '0' && d.at[1])
        d.at++;
    d.count = strlen(d.at);
    return d;
}

static int compare_digits(digits x, digits y)
{
    if (x.negative != y.negative)
        return x.negative ? 1 : -1;
    int order = (x.count < y.count) - (x.count > y.count);
    if (!order)
        order = strcmp(y.at, x.at);
    return x.negative ? -order : order;
}

// Steps and devices are texts that mostly are numbers; these go before names, largest first.
static int compare_texts(const char *x, const char *y)
{
    const digits x_digits = digits_of(x), y_digits = digits_of(y);

    if (x_digits.are && y_digits.are)
        return compare_digits(x_digits, y_digits);
    return x_digits.are != y_digits.are ? y_digits.are - x_digits.are : strcmp(x, y);
}

static int compare_known(cell x, cell y)
{
    switch (x.store) {
    case STORE_TEXT:
        return compare_texts(x.text, y.text);
    case STORE_INT:
        return (x.integer < y.integer) - (x.integer > y.integer);
    case STORE_REAL:
        return (x.real < y.real) - (x.real > y.real);
    case STORE_TRISTATE:
        return (int)y.truth - (int)x.truth;
    case STORE_TEXTS:
        return (x.texts.count < y.texts.count) - (x.texts.count > y.texts.count);
    }
    return 0;
}

// Unknown values stay last whichever way round, and equal ones in their old order.
static int compare(const sort_key *x, const sort_key *y, int direction)
{
    if (x->value.known != y->value.known)
        return x->value.known ? -1 : 1;

    const int order = x->value.known ? compare_known(x->value, y->value) * direction : 0;
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_forward(const void *x, const void *y)
{
    return compare(x, y, 1);
}

static int compare_reverse(const void *x, const void *y)
{
    return compare(x, y, -1);
}

static void copy_row(void *rows, uint32_t to, const table *t, uint32_t from)
{
    memcpy((char *)rows + (size_t)to * t->row_size,
           (const char *)t->rows + (size_t)from * t->row_size, t->row_size);
}

// Room for all rows of `t`. Rows are structs of pointers, integers and doubles.
static void *rows_like(const table *t, arena *a)
{
    return arena_alloc_array(a, t->row_size, t->row_count, _Alignof(max_align_t));
}

static void keep_matching(table *t, const regex_t *filter, arena *a)
{
    const column *name = table_column(t, "name");
    if (!name || name->store != STORE_TEXT)
        return;
    // Titles say what shares are of, and that stays so whatever is shown.
    const column *bar = t->bar ? table_column(t, t->bar) : NULL;
    if (bar && t->bar_whole <= 0)
        t->bar_whole = table_sum(t, bar);

    void *rows = rows_like(t, a);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->row_count; i++) {
        const cell value = table_cell(t, i, name);
        if (value.known && regexec(filter, value.text, 0, NULL, 0) == 0)
            copy_row(rows, kept++, t, i);
    }
    t->rows = rows;
    t->row_count = t->total_rows = kept;
}

static void sort_rows(table *t, const char *key, arena *a)
{
    const bool reverse = key[0] == '-';
    const column *c = table_column(t, key + reverse);
    if (!c)
        return;

    sort_key *keys = arena_new(a, sort_key, t->row_count);
    for (uint32_t i = 0; i < t->row_count; i++)
        keys[i] = (sort_key){table_cell(t, i, c), i};
    qsort(keys, t->row_count, sizeof(*keys), reverse ? compare_reverse : compare_forward);

    void *rows = rows_like(t, a);
    for (uint32_t i = 0; i < t->row_count; i++)
        copy_row(rows, i, t, keys[i].row);
    t->rows = rows;
}

static void keep_columns(table *t, const table_choice *choice, arena *a)
{
    column *columns = arena_new(a, column, choice->column_count);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < choice->column_count; i++) {
        const column *c = table_column(t, choice->columns[i]);
        if (!c)
            continue;
        columns[kept] = *c;
        columns[kept++].show = SHOW_ALWAYS;
    }
    t->columns = columns;
    t->column_count = kept;
}

table table_select(const table *t, const table_choice *choice, arena *a)
{
    table chosen = *t;

    chosen.total_rows = chosen.row_count;
    if (choice->filter)
        keep_matching(&chosen, choice->filter, a);
    if (choice->sort)
        sort_rows(&chosen, choice->sort, a);
    if (choice->column_count)
        keep_columns(&chosen, choice, a);
    chosen.limited = choice->limited;
    if (choice->limited && chosen.row_count > choice->top)
        chosen.row_count = choice->top;
    return chosen;
}
