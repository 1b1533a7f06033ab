// SPDX-License-Identifier: BSD-3-Clause
// The categories of a trace while it is being made: roles of words, and what of each was seen.
#ifndef MODEL_CATEGORY_TABLE_H
#define MODEL_CATEGORY_TABLE_H

#include "model/trace.h"

enum { CATEGORY_SLOTS = 64 };

// Slots remember what was asked for last: a trace has few words, and asks for one each record.
typedef struct category_table {
    trace *trace;
    struct {
        uint32_t word, role;
    } words[CATEGORY_SLOTS];
    uint32_t rows[CATEGORY_SLOTS];
} category_table;

category_table category_table_begin(trace *t);

// The category_role() of an interned word.
role category_table_role(category_table *c, uint32_t word);

// Index into trace.categories, made if it is new.
uint32_t category_table_row(category_table *c, uint32_t word, role as);

#endif
