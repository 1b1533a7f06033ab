// SPDX-License-Identifier: BSD-3-Clause
// --filter, --sort, --columns and --top, for any table.
#ifndef REPORT_TABLE_SORT_H
#define REPORT_TABLE_SORT_H

#include "report/table.h"

#include <regex.h>

// What the user asked for. Zero keeps a table as it is.
typedef struct table_choice {
    const regex_t *filter; // keeps rows whose name matches; NULL: all
    const char *sort;      // column key, '-' in front turns the order round; NULL: as it is
    const char *const *columns;
    uint32_t column_count; // 0: all
    bool limited;          // keep only the first `top`
    uint32_t top;
} table_choice;

// The table as asked for; rows and columns that change live in `a`. Numbers, also those that are
// texts, are sorted largest first, then other texts from A to Z, unknown last, ties as they were. A
// filter acts on the column `name`; a table without that, or without the column to sort by, stays.
// Columns are those named, in that order; a table with none of them ends up without any, and is to
// be left out.
table table_select(const table *t, const table_choice *choice, arena *a);

#endif
