// SPDX-License-Identifier: BSD-3-Clause
// The columns of a trace's events: growth, and order.
#include "model/events.h"

#include "base/both.h"
#include "model/merge_order.h"

#include <string.h>

// Columns of many rows are large arrays: they grow by remapping, never by copying, and pages that
// no row has touched cost nothing. Of fewer rows, as a step a file has, they are small.
enum {
    FIRST_CAPACITY = 1 << 10,
    MAPPED_CAPACITY = 1 << 18,
    BOTH_LEAST = 1 << 15, // rows; fewer are ordered sooner than a thread begins
    BOTH_MOST = 1 << 22,  // rows; of more, the memory for two spare columns counts more than time
};

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
    const uint32_t factor = e->capacity < MAPPED_CAPACITY ? 8 : 2;

    grow_to(e, a, e->capacity ? e->capacity * factor : FIRST_CAPACITY);
}

typedef struct column_move {
    void *to, *from;
    size_t size; // of a row
    const events *rows_to, *rows_from;
} column_move;

static void move_column(const column_move *m)
{
    const size_t bytes = m->size * m->rows_from->count;
    memcpy((char *)m->to + m->size * m->rows_to->count, m->from, bytes);
    arena_discard(m->from, bytes);
}

static void move_first(void *self)
{
    move_column(self);
}

static void move_second(void *self)
{
    move_column((const column_move *)self + 1);
}

// Two columns at a time, and what they held is given back before the next.
void events_move(events *to, arena *a, events *from, arena *from_arena)
{
    const uint64_t wanted = (uint64_t)to->count + from->count;

    if (from->count == 0)
        return;
    if (wanted > to->capacity)
        grow_to(to, a, wanted < FIRST_CAPACITY ? FIRST_CAPACITY : (uint32_t)wanted);
    column_move moves[] = {
        {to->begin,       from->begin,       sizeof(*to->begin),       to, from},
        {to->duration,    from->duration,    sizeof(*to->duration),    to, from},
        {to->name,        from->name,        sizeof(*to->name),        to, from},
        {to->lane,        from->lane,        sizeof(*to->lane),        to, from},
        {to->correlation, from->correlation, sizeof(*to->correlation), to, from},
        {to->external,    from->external,    sizeof(*to->external),    to, from},
        {to->detail,      from->detail,      sizeof(*to->detail),      to, from},
        {to->role,        from->role,        sizeof(*to->role),        to, from},
    };
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i += 2) {
        do_both(true, move_first, move_second, &moves[i]);
        arena_release(from_arena, moves[i].from);
        arena_release(from_arena, moves[i + 1].from);
    }
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

typedef struct two_orders {
    const events *events;
    uint32_t cut; // where the second begins
    uint32_t *first, *second;
    arena *first_arena, *second_arena;
} two_orders;

static void order_first(void *self)
{
    two_orders *const o = self;
    o->first = merge_order(o->events->begin, o->events->duration, o->cut, o->first_arena);
}

static void order_second(void *self)
{
    two_orders *const o = self;
    o->second = merge_order(o->events->begin + o->cut, o->events->duration + o->cut,
                            o->events->count - o->cut, o->second_arena);
}

uint32_t *events_order(const events *e, arena *a, bool side_by_side)
{
    if (!side_by_side || e->count < BOTH_LEAST)
        return merge_order(e->begin, e->duration, e->count, a);

    two_orders o = {
        .events = e, .cut = e->count / 2, .first_arena = a, .second_arena = arena_create()};
    do_both(true, order_first, order_second, &o);
    uint32_t *const order = events_order_join(e, o.first, o.cut, o.second, a);
    arena_destroy(o.second_arena);
    return order;
}

uint32_t *events_order_join(const events *e, uint32_t *first, uint32_t first_count,
                            uint32_t *second, arena *a)
{
    return merge_two_orders(e->begin, e->duration, (order_part){first, first_count},
                            (order_part){second, e->count - first_count}, a);
}

void events_sort_as(events *e, uint32_t *order, arena *a, bool side_by_side, uint32_t **moved)
{
    if (moved)
        *moved = NULL;
    e->link = order;
    if (!order) {
        e->link = arena_new(a, uint32_t, e->count ? e->count : 1);
        memset(e->link, 0xff, sizeof(*e->link) * e->count);
        return;
    }
    reordering r = {e, order, arena_new(a, int64_t, e->count), NULL};
    const bool both = side_by_side && e->count <= BOTH_MOST;
    if (!both) {
        reorder_times(&r);
        arena_release(a, r.spare_times);
    }
    r.spare_words = arena_new(a, uint32_t, e->count);
    if (both) {
        do_both(true, reorder_times, reorder_words, &r);
        arena_release(a, r.spare_times);
    } else {
        reorder_words(&r);
    }
    e->capacity = e->count;
    if (moved) {
        for (uint32_t i = 0; i < e->count; i++)
            r.spare_words[order[i]] = i;
        *moved = r.spare_words;
    } else {
        arena_release(a, r.spare_words);
    }
    memset(e->link, 0xff, sizeof(*e->link) * e->count);
}
