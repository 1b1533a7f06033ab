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
    UNIT_COUNT,
    UNIT_NS,
    UNIT_TIME,
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

typedef struct column {
    const char *key;   // json key, csv header, sql column, word for --sort and --columns
    const char *title; // text and html heading
    value_unit unit;
    value_store store;
    size_t offset; // of the field inside the row struct
} column;

#define COLUMN_AS(row, field, key, unit, title)                                                      \
    {                                                                                                \
        key, title, unit,                                                                          \
     _Generic(((row *)0)->field, const char *: STORE_TEXT, int64_t: STORE_INT,                   \
              double: STORE_REAL, tristate: STORE_TRISTATE, text_list: STORE_TEXTS),             \
     offsetof(row, field) \
    }

#define COLUMN(row, field, unit, title) COLUMN_AS(row, field, #field, unit, title)

typedef struct table {
    const char *key;   // "operators_by_shape"
    const char *title; // heading of the text report
    const column *columns;
    uint32_t column_count;
    const void *rows; // row_count structs of row_size bytes, in the table's default order
    size_t row_size;
    uint32_t row_count;
} table;

#endif
