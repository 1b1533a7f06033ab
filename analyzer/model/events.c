// SPDX-License-Identifier: BSD-3-Clause
// The columns of a trace's events: growth, and order.
#include "model/events.h"

#include "model/merge_order.h"

#include <string.h>

// From the first row on, the columns are large arrays: they grow by remapping, never by copying,
// and pages that no row has touched cost nothing.
enum { FIRST_CAPACITY = 1 << 18 };

void events_grow(events *e, arena *a)
{
    const uint32_t old = e->capacity, wanted = old ? old * 2 : FIRST_CAPACITY;

    e->begin = arena_grow(a, e->begin, sizeof(*e->begin), old, wanted);
    e->duration = arena_grow(a, e->duration, sizeof(*e->duration), old, wanted);
    e->name = arena_grow(a, e->name, sizeof(*e->name), old, wanted);
    e->lane = arena_grow(a, e->lane, sizeof(*e->lane), old, wanted);
    e->role = arena_grow(a, e->role, sizeof(*e->role), old, wanted);
    e->correlation = arena_grow(a, e->correlation, sizeof(*e->correlation), old, wanted);
    e->external = arena_grow(a, e->external, sizeof(*e->external), old, wanted);
    e->detail = arena_grow(a, e->detail, sizeof(*e->detail), old, wanted);
    e->capacity = wanted;
}

// A column of 8-byte values is moved as two columns of 4-byte halves, so that sorting needs 8 bytes
// of scratch an event and no more.
typedef struct column {
    void *base;
    size_t stride, offset;
} column;

static void reorder_words(column c, const uint32_t *order, uint32_t count, uint32_t *scratch)
{
    char *const base = (char *)c.base + c.offset;

    for (uint32_t i = 0; i < count; i++)
        memcpy(&scratch[i], base + (size_t)order[i] * c.stride, sizeof(*scratch));
    if (c.stride == sizeof(*scratch)) {
        memcpy(base, scratch, sizeof(*scratch) * count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        memcpy(base + (size_t)i * c.stride, &scratch[i], sizeof(*scratch));
}

static void reorder_bytes(uint8_t *bytes, const uint32_t *order, uint32_t count, void *scratch)
{
    uint8_t *moved = scratch;
    for (uint32_t i = 0; i < count; i++)
        moved[i] = bytes[order[i]];
    memcpy(bytes, moved, count);
}

static void reorder(events *e, const uint32_t *order, uint32_t *scratch)
{
    const column columns[] = {
        {e->begin,       8, 0},
        {e->begin,       8, 4},
        {e->duration,    8, 0},
        {e->duration,    8, 4},
        {e->name,        4, 0},
        {e->lane,        4, 0},
        {e->correlation, 4, 0},
        {e->external,    4, 0},
        {e->detail,      4, 0},
    };
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        reorder_words(columns[i], order, e->count, scratch);
    reorder_bytes(e->role, order, e->count, scratch);
}

uint32_t *events_sort(events *e, arena *a)
{
    const size_t words = e->count ? e->count : 1;
    uint32_t *order = merge_order(e->begin, e->duration, e->count, a);
    uint32_t *scratch = NULL;

    if (order) {
        scratch = arena_new(a, uint32_t, words);
        reorder(e, order, scratch);
        for (uint32_t i = 0; i < e->count; i++)
            scratch[order[i]] = i;
    }
    e->link = order ? order : arena_new(a, uint32_t, words);
    memset(e->link, 0xff, sizeof(*e->link) * e->count);
    return scratch;
}
