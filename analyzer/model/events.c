// SPDX-License-Identifier: BSD-3-Clause
// The columns of a trace's events: growth, and order.
#include "model/events.h"

#include "base/both.h"
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
typedef struct reordering {
    events *events;
    const uint32_t *order;
    int64_t *spare_times;
    uint32_t *spare_words;
} reordering;

static void gather_times(reordering *r, int64_t **column)
{
    int64_t *const from = *column, *const to = r->spare_times;
    for (uint32_t i = 0; i < r->events->count; i++)
        to[i] = from[r->order[i]];
    *column = to;
    r->spare_times = from;
}

static void gather_words(reordering *r, uint32_t **column)
{
    uint32_t *const from = *column, *const to = r->spare_words;
    for (uint32_t i = 0; i < r->events->count; i++)
        to[i] = from[r->order[i]];
    *column = to;
    r->spare_words = from;
}

static void gather_bytes(uint8_t *bytes, const uint32_t *order, uint32_t count, void *spare)
{
    uint8_t *moved = spare;
    for (uint32_t i = 0; i < count; i++)
        moved[i] = bytes[order[i]];
    memcpy(bytes, moved, count);
}

static void reorder_times(void *self)
{
    reordering *const r = self;

    gather_times(r, &r->events->begin);
    gather_times(r, &r->events->duration);
}

static void reorder_words(void *self)
{
    reordering *const r = self;
    events *const e = r->events;

    gather_words(r, &e->name);
    gather_words(r, &e->lane);
    gather_words(r, &e->correlation);
    gather_words(r, &e->external);
    gather_words(r, &e->detail);
    gather_bytes(e->role, r->order, e->count, r->spare_words);
}

uint32_t *events_sort(events *e, arena *a, bool side_by_side)
{
    const size_t words = e->count ? e->count : 1;
    uint32_t *order = merge_order(e->begin, e->duration, e->count, a);

    e->link = order;
    if (!order) {
        e->link = arena_new(a, uint32_t, words);
        memset(e->link, 0xff, sizeof(*e->link) * e->count);
        return NULL;
    }
    reordering r = {e, order, arena_new(a, int64_t, e->capacity),
                    arena_new(a, uint32_t, e->capacity)};
    do_both(side_by_side, reorder_times, reorder_words, &r);
    arena_release(a, r.spare_times);
    for (uint32_t i = 0; i < e->count; i++)
        r.spare_words[order[i]] = i;
    memset(e->link, 0xff, sizeof(*e->link) * e->count);
    return r.spare_words;
}
