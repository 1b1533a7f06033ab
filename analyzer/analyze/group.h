// SPDX-License-Identifier: BSD-3-Clause
// Rows grouped by texts across the spans of a worker. In one trace equal texts have equal ids, so a
// row is found by ids, and its texts are looked at once a trace.
#ifndef ANALYZE_GROUP_H
#define ANALYZE_GROUP_H

#include "base/id_map.h"
#include "base/text.h"

enum { GROUP_TEXTS = 8 }; // most texts of a key

// One owner. Rows are `row_size` bytes each, zeroed when new, and move when one is added.
typedef struct groups {
    arena *arena;
    size_t row_size;
    uint32_t width; // texts of a key
    char *rows;
    const char **keys; // `width` a row, NUL-terminated; NULL where a text is absent
    uint32_t lent; // bits of the texts that outlive the rows, with a NUL behind; others are copied
    uint32_t count, capacity;
    uint32_t *next; // another row whose texts have the same hash, or ID_NONE
    id_map by_ids;  // of the trace at hand
    id_map by_texts;
} groups;

groups groups_create(arena *a, size_t row_size, uint32_t width);

// No row is added from now on: gives back what it takes to find them.
void groups_close(groups *g);

// Gives back rows and keys too, once they were read; the texts stay.
void groups_release(groups *g);

// Forgets the ids of the last trace; rows and texts stay.
void groups_next_trace(groups *g);

// The row that `ids` stand for in this trace, or ID_NONE if groups_add() has not told yet.
uint32_t groups_find(const groups *g, uint64_t ids);

// The row of `key`, `width` texts (at == NULL: absent), made if it is new; `ids` stand for it from
// now on.
uint32_t groups_add(groups *g, uint64_t ids, const text *key);

static inline void *groups_row(const groups *g, uint32_t row)
{
    return g->rows + (size_t)row * g->row_size;
}

static inline const char *groups_key(const groups *g, uint32_t row, uint32_t part)
{
    return g->keys[(size_t)row * g->width + part];
}

static inline uint64_t group_ids(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

// Order of texts, absent ones first.
int text_order(const char *x, const char *y);

#endif
