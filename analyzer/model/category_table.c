// SPDX-License-Identifier: BSD-3-Clause
// The categories of a trace while it is being made.
#include "model/category_table.h"

category_table category_table_begin(trace *t)
{
    category_table made = {.trace = t};
    for (size_t i = 0; i < CATEGORY_SLOTS; i++)
        made.words[i].word = STRING_NONE;
    return made;
}

role category_table_role(category_table *c, uint32_t word)
{
    const uint32_t slot = word % CATEGORY_SLOTS;
    if (c->words[slot].word != word) {
        c->words[slot].word = word;
        c->words[slot].role = category_role(strings_text(&c->trace->strings, word));
    }
    return c->words[slot].role;
}

static bool is_row(const trace *t, uint32_t row, uint32_t word, role as)
{
    return t->categories[row].word == word && t->categories[row].role == as;
}

uint32_t category_table_row(category_table *c, uint32_t word, role as)
{
    trace *const t = c->trace;
    uint32_t *const slot = &c->rows[(word + 7u * as) % CATEGORY_SLOTS];
    if (*slot < t->category_count && is_row(t, *slot, word, as))
        return *slot;

    uint32_t row = 0;
    while (row < t->category_count && !is_row(t, row, word, as))
        row++;
    if (row == t->category_count) {
        arena_reserve_one(t->arena, t->categories, row, t->category_capacity);
        t->categories[row] = (category_count){.word = word, .role = (uint8_t)as};
        t->category_count++;
    }
    *slot = row;
    return row;
}
