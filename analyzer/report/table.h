// SPDX-License-Identifier: BSD-3-Clause
// Columns and tables: all that a renderer sees. A column is stated once, for every format.
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/arena.h"
#include "base/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a number means; renderers decide how it looks. Machine formats carry base units.
typedef enum value_unit {
    UNIT_NONE,
    UNIT_NAME,    // what a thing is called; people are told where that is empty
    UNIT_PROSE,   // sentences, shown as paragraphs where a table's look allows
    UNIT_SUBJECT, // a name that the row's sentences hold, which people may see shortened
    UNIT_COUNT,
    UNIT_NS,
    UNIT_TIME, // ns since a log's base
    UNIT_BYTES,
    UNIT_RATIO,
    UNIT_NUMBER
} value_unit;

// C type of the field, worked out by the compiler. Unknown: NULL, INT64_MIN, NaN, 2 of a tristate.
typedef enum value_store {
    STORE_TEXT,
    STORE_INT,
    STORE_REAL,
    STORE_TRISTATE,
    STORE_TEXTS
} value_store;

typedef enum column_show { SHOW_ALWAYS, SHOW_IN_VIEW, SHOW_IN_MACHINE_FORMATS } column_show;

typedef struct column {
    const char *key;   // json key, csv header, sql column, word for --sort and --columns
    const char *title; // text and html heading
    value_unit unit;
    value_store store;
    size_t offset;    // of the field inside the row struct
    column_show show; // where people see it without --columns
} column;

#define COLUMN_FULL(row, field, key, unit, title, show)                                              \
    {                                                                                                \
        key, title, unit,                                                                          \
            _Generic(((row *)0)->field,                                                            \
                const char *: STORE_TEXT,                                                          \
                int64_t: STORE_INT,                                                                \
                double: STORE_REAL,                                                                \
                tristate: STORE_TRISTATE,                                                          \
                text_list: STORE_TEXTS),                                                           \
            offsetof(row, field), show \
    }

#define COLUMN_AS(row, field, key, unit, title)                                                    \
    COLUMN_FULL(row, field, key, unit, title, SHOW_ALWAYS)
#define COLUMN(row, field, unit, title) COLUMN_FULL(row, field, #field, unit, title, SHOW_ALWAYS)

// Not in the brief report.
#define COLUMN_WIDE(row, field, unit, title)                                                       \
    COLUMN_FULL(row, field, #field, unit, title, SHOW_IN_VIEW)

// Only in machine formats, unless --columns names it.
#define COLUMN_QUIET(row, field, unit, title)                                                      \
    COLUMN_FULL(row, field, #field, unit, title, SHOW_IN_MACHINE_FORMATS)
#define COLUMN_AS_QUIET(row, field, key, unit, title)                                              \
    COLUMN_FULL(row, field, key, unit, title, SHOW_IN_MACHINE_FORMATS)

// How people read it; machine formats have rows only.
typedef enum table_look {
    LOOK_ROWS,   // a heading, a line a row
    LOOK_RECORD, // one row: its values side by side under their titles
    LOOK_ITEMS,  // a line of short values a row, its sentences below
} table_look;

typedef struct table {
    const char *key;   // "operators_by_shape"
    const char *title; // heading of the text report
    const column *columns;
    uint32_t column_count;
    const void *rows; // row_count structs of row_size bytes, in the table's default order
    size_t row_size;
    uint32_t row_count;
    uint32_t total_rows; // before --top took the first
    bool limited;        // --top was given
    table_look look;
    const char *bar;     // key of the column whose shares are shown; NULL: none
    double bar_whole;    // what these are shares of; 0: the sum of the table's rows
    uint32_t brief_rows; // shown by the report that asks for no view; 0: not in it
    uint32_t tight_rows; // the same where several workers share the screen
    uint32_t brief_skip; // first rows that the brief report has told in words already
    bool early;          // in the brief report it stands before the others
    bool zeros_tell;     // a column of zeros is shown too, since nothing is a finding there
} table;

// The first fields of a table without rows: {TABLE("launches", "Launches", COLUMNS, launch_row)}.
#define TABLE(table_key, table_title, its_columns, row)                                            \
    .key = table_key, .title = table_title, .columns = its_columns,                                \
    .column_count = sizeof(its_columns) / sizeof((its_columns)[0]), .row_size = sizeof(row)

// A value of a row, with its unknown told apart.
typedef struct cell {
    bool known;
    value_store store;
    union {
        const char *text;
        int64_t integer;
        double real;
        bool truth;
        text_list texts;
    };
} cell;

cell table_cell(const table *t, uint32_t row, const column *c);

// The column of that key, or NULL.
const column *table_column(const table *t, const char *key);

// A value of a column of numbers; unknown ones count as 0.
double table_number(const table *t, uint32_t row, const column *c);

// The sum of a column of numbers over all rows, those behind --top too.
double table_sum(const table *t, const column *c);

#endif
