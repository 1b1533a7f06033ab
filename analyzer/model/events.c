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

// Columns are gathered into a spare one, which the former then is for the next.
static int64_t *gather_times(int64_t *column, const uint32_t *order, uint32_t count,
                             int64_t **spare)
{
    int64_t *const moved = *spare;
    for (uint32_t i = 0; i < count; i++)
        moved[i] = column[order[i]];
    *spare = column;
    return moved;
}

static uint32_t *gather_words(uint32_t *column, const uint32_t *order, uint32_t count,
                              uint32_t **spare)
{
    uint32_t *const moved = *spare;
    for (uint32_t i = 0; i < count; i++)
        moved[i] = column[order[i]];
    *spare = column;
    return moved;
}

static void reorder_bytes(uint8_t *bytes, const uint32_t *order, uint32_t count, void *scratch)
{
    uint8_t *moved = scratch;
    for (uint32_t i = 0; i < count; i++)
        moved[i] = bytes[order[i]];
    memcpy(bytes, moved, count);
}

static void reorder_times(events *e, const uint32_t *order, arena *a)
{
    int64_t *spare = arena_new(a, int64_t, e->capacity);

    e->begin = gather_times(e->begin, order, e->count, &spare);
    e->duration = gather_times(e->duration, order, e->count, &spare);
    arena_release(a, spare);
}

// Returns a column to spare.
static uint32_t *reorder_words(events *e, const uint32_t *order, arena *a)
{
    uint32_t *spare = arena_new(a, uint32_t, e->capacity);

    e->name = gather_words(e->name, order, e->count, &spare);
    e->lane = gather_words(e->lane, order, e->count, &spare);
    e->correlation = gather_words(e->correlation, order, e->count, &spare);
    e->external = gather_words(e->external, order, e->count, &spare);
    e->detail = gather_words(e->detail, order, e->count, &spare);
    reorder_bytes(e->role, order, e->count, spare);
    return spare;
}

uint32_t *events_sort(events *e, arena *a)
{
    const size_t words = e->count ? e->count : 1;
    uint32_t *order = merge_order(e->begin, e->duration, e->count, a);
    uint32_t *scratch = NULL;

    if (order) {
        reorder_times(e, order, a);
        scratch = reorder_words(e, order, a);
        for (uint32_t i = 0; i < e->count; i++)
            scratch[order[i]] = i;
    }
    e->link = order ? order : arena_new(a, uint32_t, words);
    memset(e->link, 0xff, sizeof(*e->link) * e->count);
    return scratch;
}
