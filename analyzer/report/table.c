// SPDX-License-Identifier: BSD-3-Clause
// Values of a table's rows, read through its columns.
#include "report/table.h"

#include <math.h>
#include <string.h>

cell table_cell(const table *t, uint32_t row, const column *c)
{
    const char *at = (const char *)t->rows + (size_t)row * t->row_size + c->offset;
    cell value = {.store = c->store};

    switch (c->store) {
    case STORE_TEXT:
        value.text = *(const char *const *)at;
        value.known = value.text != NULL;
        break;
    case STORE_INT:
        value.integer = *(const int64_t *)at;
        value.known = value.integer != INT_NONE;
        break;
    case STORE_REAL:
        value.real = *(const double *)at;
        value.known = isfinite(value.real);
        break;
    case STORE_TRISTATE:
        value.known = *(const tristate *)at != TRISTATE_UNKNOWN;
        value.truth = *(const tristate *)at == TRISTATE_TRUE;
        break;
    case STORE_TEXTS:
        value.texts = *(const text_list *)at;
        value.known = true;
        break;
    }
    return value;
}

double table_number(const table *t, uint32_t row, const column *c)
{
    const cell value = table_cell(t, row, c);
    if (!value.known)
        return 0;
    return value.store == STORE_REAL ? value.real : (double)value.integer;
}

double table_sum(const table *t, const column *c)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->total_rows; i++)
        sum += table_number(t, i, c);
    return sum;
}

const column *table_column(const table *t, const char *key)
{
    for (uint32_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i].key, key) == 0)
            return &t->columns[i];
    return NULL;
}
