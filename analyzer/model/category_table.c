// SPDX-License-Identifier: BSD-3-Clause
// The categories of a trace while it is being made.
#include "model/category_table.h"

static category_use *make_use(category_table *c, text word, uint32_t id)
{
    category_use *const made = arena_new(c->scratch, category_use, 1);

    *made = (category_use){
        .key = text_key_of(word),
        .at = strings_text(&c->trace->strings, id).at,
        .id = id,
        .role = category_role(word),
        .forward_backward = category_is_forward_backward(word),
        .row_role = ROLE_COUNT,
    };
    arena_reserve_one(c->scratch, c->uses, c->count, c->capacity);
    c->uses[c->count++] = made;
    return made;
}

category_use *category_table_other_use(category_table *c, text word, text_key key)
{
    const uint32_t id = strings_intern(&c->trace->strings, word);
    const uint32_t at = *id_map_entry(&c->of_word, c->scratch, id, c->count);
    category_use *const found = at < c->count ? c->uses[at] : make_use(c, word, id);

    c->recent[text_key_place(key, CATEGORY_USE_BITS)] = found;
    return found;
}

static uint32_t find_row(category_table *c, uint32_t word, role as)
{
    trace *const t = c->trace;
    const uint64_t key = (uint64_t)word << 32 | as;
    const uint32_t row = *id_map_entry(&c->rows, c->scratch, key, t->category_count);

    if (row < t->category_count)
        return row;
    arena_reserve_one(t->arena, t->categories, row, t->category_capacity);
    t->categories[row] = (category_count){.word = word, .role = (uint8_t)as};
    t->category_count++;
    return row;
}

uint32_t category_table_other_row(category_table *c, category_use *use, role as)
{
    use->row = find_row(c, use->id, as);
    use->row_role = as;
    return use->row;
}
