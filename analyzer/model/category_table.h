// SPDX-License-Identifier: BSD-3-Clause
// The categories of a trace while it is being made: what each word stands for, worked out once a
// word and found again by a few compares, and what was seen of it.
#ifndef MODEL_CATEGORY_TABLE_H
#define MODEL_CATEGORY_TABLE_H

#include "model/trace.h"

// What a word of "cat" stands for. `role` is that of records with a duration.
typedef struct category_use {
    text_key key;
    const char *at;        // its text
    uint32_t id;           // string id
    role role;             // see category_role()
    bool forward_backward; // see category_is_forward_backward()
    role row_role;         // the latest of category_table_row(); ROLE_COUNT: none yet ...
    uint32_t row;          // ... and what it gave
} category_use;

enum { CATEGORY_USE_BITS = 6 };

// Starts as {.trace = t, .scratch = a}; the scratch arena must live as long.
typedef struct category_table {
    trace *trace;
    arena *scratch;
    category_use **uses;
    uint32_t count, capacity;
    id_map of_word;                               // string id -> index into uses
    id_map rows;                                  // string id and role -> row
    category_use *recent[1 << CATEGORY_USE_BITS]; // by text_key_place()
} category_table;

// What category_table_use() does with a word that was not met lately.
category_use *category_table_other_use(category_table *c, text word, text_key key);

// Made if it is new; stays where it is.
static inline category_use *category_table_use(category_table *c, text word)
{
    const text_key key = text_key_of(word);
    category_use *const recent = c->recent[text_key_place(key, CATEGORY_USE_BITS)];

    if (recent && text_keys_equal(recent->key, key) && text_has_middle(recent->at, word))
        return recent;
    return category_table_other_use(c, word, key);
}

// What category_table_row() does with another role than the latest.
uint32_t category_table_other_row(category_table *c, category_use *use, role as);

// Index into trace.categories, made if it is new.
static inline uint32_t category_table_row(category_table *c, category_use *use, role as)
{
    return use->row_role == as ? use->row : category_table_other_row(c, use, as);
}

#endif
