// SPDX-License-Identifier: BSD-3-Clause
// The events of a trace, one array a field, in order of begin; of equal begins the longer first,
// then as in the file. Under 48 bytes an event with all that is made while loading.
#ifndef MODEL_EVENTS_H
#define MODEL_EVENTS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_MOST (UINT32_MAX - 8192) // room for numbers that mean none, and for empty rows
#define EVENT_NONE  UINT32_MAX
#define DETAIL_NONE UINT32_MAX
#define KEY_NONE    UINT32_MAX

typedef struct events {
    uint32_t count, capacity;
    uint32_t empty;    // rows that hold nothing: see events_move(); else 0
    int64_t *begin;    // ns since the trace's base time
    int64_t *duration; // ns, >= 0
    uint32_t *name;    // string id
    uint32_t *lane;    // thread or stream it ran on
    uint8_t *role;     // role, one of the stored ones
    uint32_t
        *correlation; // calls and device work: the launch's key, or KEY_NONE. Equal ids, equal keys
    uint32_t *external; // "External id" as a key, or KEY_NONE; both NULL once the trace is linked
    uint32_t
        *detail; // operators: index into trace.op_details; device work: into trace.device_details
    uint32_t *link; // host: the enclosing event on its thread; device: the call that launched it;
                    // or EVENT_NONE. Made by events_sort_as(), filled by link/.
} events;

static inline int64_t event_end(const events *e, uint32_t i)
{
    return e->begin[i] + e->duration[i];
}

// Makes room for more rows, by remapping.
void events_grow(events *e, arena *a);

// Moves all rows of `from`, whose columns are of another arena, behind those of `to`, which has no
// empty rows yet. Up to 4095 that hold nothing come before them, so that no column needs to be
// copied; bringing the rows into order leaves these out. `from` is empty then.
void events_move(events *to, arena *a, events *from, arena *from_arena);

// The row that takes the next event. The event's fields but `link` must all be set.
static inline uint32_t events_append(events *e, arena *a)
{
    if (e->count == e->capacity)
        events_grow(e, a);
    return e->count++;
}

// The rows in order of begin, of equal begins the longer first, then as they are; or NULL where
// they stand so. O(n) for nearly sorted input, O(n log n) at worst. In two threads where
// `side_by_side`.
uint32_t *events_order(const events *e, arena *a, bool side_by_side);

// The same, from the orders of the first rows, which is given back, and of those behind them and
// behind the empty ones, counted from their first. Not NULL where there are such.
uint32_t *events_order_join(const events *e, uint32_t *first, uint32_t first_count,
                            uint32_t *second, arena *a);

// Brings the rows into an order that events_order() gave, and which is ended. Makes `link`, all
// EVENT_NONE. *moved, where it is asked for, is the new row of each former one, or NULL where none
// moved; give it back with arena_release(). In two threads where `side_by_side`.
void events_sort_as(events *e, uint32_t *order, arena *a, bool side_by_side, uint32_t **moved);

#endif
