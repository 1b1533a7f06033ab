// SPDX-License-Identifier: BSD-3-Clause
// The columns of a trace's events: growth, and order.
#include "model/events.h"

#include "model/merge_order.h"

#include <string.h>

// From the first row on, the columns are large arrays: they grow by remapping, never by copying,
// and pages that no row has touched cost nothing.
enum { FIRST_CAPACITY = 1 << 18 };

static void *grow_column(arena *a, void *column, size_t size, const events *e, uint32_t wanted)
{
    return arena_grow(a, column, size, e->capacity, wanted);
}

static void grow_to(events *e, arena *a, uint32_t wanted)
{
    e->begin = grow_column(a, e->begin, sizeof(*e->begin), e, wanted);
    e->duration = grow_column(a, e->duration, sizeof(*e->duration), e, wanted);
    e->name = grow_column(a, e->name, sizeof(*e->name), e, wanted);
    e->lane = grow_column(a, e->lane, sizeof(*e->lane), e, wanted);
    e->role = grow_column(a, e->role, sizeof(*e->role), e, wanted);
    e->correlation = grow_column(a, e->correlation, sizeof(*e->correlation), e, wanted);
    e->external = grow_column(a, e->external, sizeof(*e->external), e, wanted);
    e->detail = grow_column(a, e->detail, sizeof(*e->detail), e, wanted);
    e->capacity = wanted;
}

void events_grow(events *e, arena *a)
{
    grow_to(e, a, e->capacity ? e->capacity * 2 : FIRST_CAPACITY);
}

static void move_column(void *to, void *from, size_t size, const uint32_t counts[2], arena *a)
{
    memcpy((char *)to + size * counts[0], from, size * counts[1]);
    arena_release(a, from);
}

void events_move(events *to, arena *a, events *from, arena *from_arena)
{
    const uint32_t counts[2] = {to->count, from->count};
    const uint64_t wanted = (uint64_t)to->count + from->count;

    if (from->count == 0)
        return;
    if (wanted > to->capacity)
        grow_to(to, a, wanted < FIRST_CAPACITY ? FIRST_CAPACITY : (uint32_t)wanted);
    move_column(to->begin, from->begin, sizeof(*to->begin), counts, from_arena);
    move_column(to->duration, from->duration, sizeof(*to->duration), counts, from_arena);
    move_column(to->name, from->name, sizeof(*to->name), counts, from_arena);
    move_column(to->lane, from->lane, sizeof(*to->lane), counts, from_arena);
    move_column(to->role, from->role, sizeof(*to->role), counts, from_arena);
    move_column(to->correlation, from->correlation, sizeof(*to->correlation), counts, from_arena);
    move_column(to->external, from->external, sizeof(*to->external), counts, from_arena);
    move_column(to->detail, from->detail, sizeof(*to->detail), counts, from_arena);
    to->count += from->count;
    *from = (events){0};
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
