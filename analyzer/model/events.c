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
    ROWS_OF_PAGES = 4096, // a multiple of them takes whole pages of each column
};

// What a reader's records fill.
#define EVENT_COLUMNS(X)                                                                           \
    X(begin) X(duration) X(name) X(lane) X(role) X(correlation) X(external) X(detail)

static void grow_to(events *e, arena *a, uint32_t wanted)
{
#define GROW(column) e->column = arena_grow(a, e->column, sizeof(*e->column), e->capacity, wanted);
    EVENT_COLUMNS(GROW)
#undef GROW
    e->capacity = wanted;
}

void events_grow(events *e, arena *a)
{
    const uint32_t factor = e->capacity < MAPPED_CAPACITY ? 8 : 2;

    grow_to(e, a, e->capacity ? e->capacity * factor : FIRST_CAPACITY);
}

// Rows of the other begin where a page does in each column, so that pages can be moved.
void events_move(events *to, arena *a, events *from, arena *from_arena)
{
    const uint32_t empty = -to->count % ROWS_OF_PAGES, at = to->count + empty;

    if (from->count == 0)
        return;
    if ((uint64_t)at + from->count > to->capacity)
        grow_to(to, a, at + from->count);
#define MOVE(column)                                                                               \
    arena_move(from_arena, from->column, sizeof(*from->column) * from->count, to->column + at);
    EVENT_COLUMNS(MOVE)
#undef MOVE
    to->empty = empty;
    to->count = at + from->count;
    *from = (events){0};
}

// Columns are gathered into a spare one, which the former then is for the next.
typedef struct reordering {
    events *events;
    const uint32_t *order;
    uint32_t count; // of the order
    int64_t *spare_times;
    uint32_t *spare_words;
} reordering;

static void gather_times(reordering *r, int64_t **column)
{
    int64_t *const from = *column, *const to = r->spare_times;
    for (uint32_t i = 0; i < r->count; i++)
        to[i] = from[r->order[i]];
    *column = to;
    r->spare_times = from;
}

static void gather_words(reordering *r, uint32_t **column)
{
    uint32_t *const from = *column, *const to = r->spare_words;
    for (uint32_t i = 0; i < r->count; i++)
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
    gather_bytes(e->role, r->order, r->count, r->spare_words);
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
    const uint32_t second_row = first_count + e->empty;

    return merge_two_orders(e->begin, e->duration, (order_part){first, 0, first_count},
                            (order_part){second, second_row, e->count - second_row}, a);
}

void events_sort_as(events *e, uint32_t *order, arena *a, bool side_by_side, uint32_t **moved)
{
    const uint32_t count = e->count - e->empty;

    if (moved)
        *moved = NULL;
    e->link = order;
    if (!order) {
        e->link = arena_new(a, uint32_t, count ? count : 1);
        memset(e->link, 0xff, sizeof(*e->link) * count);
        return;
    }
    reordering r = {e, order, count, arena_new(a, int64_t, count), NULL};
    const bool both = side_by_side && count <= BOTH_MOST;
    if (!both) {
        reorder_times(&r);
        arena_release(a, r.spare_times);
    }
    r.spare_words = arena_new(a, uint32_t, count);
    if (both) {
        do_both(true, reorder_times, reorder_words, &r);
        arena_release(a, r.spare_times);
    } else {
        reorder_words(&r);
    }
    if (moved) {
        // A former column by now, so it has an element for each former row.
        for (uint32_t i = 0; i < count; i++)
            r.spare_words[order[i]] = i;
        *moved = r.spare_words;
    } else {
        arena_release(a, r.spare_words);
    }
    e->count = e->capacity = count;
    e->empty = 0;
    memset(e->link, 0xff, sizeof(*e->link) * count);
}
