// SPDX-License-Identifier: BSD-3-Clause
// Ranges that a B record began and no E record has ended yet, innermost first on each thread.
#ifndef MODEL_OPEN_RANGES_H
#define MODEL_OPEN_RANGES_H

#include "base/id_map.h"

#include <stdbool.h>

typedef struct open_range {
    uint32_t event;    // EVENT_NONE: not stored
    uint32_t category; // index into trace.categories
    uint32_t outer;    // the range that it is in, on its thread
} open_range;

// Starts as {.arena = a}.
typedef struct open_ranges {
    arena *arena;
    open_range *at;
    uint32_t count, capacity;
    uint32_t free;    // 1 + the first place to use again, through `outer`; 0: none
    id_map innermost; // thread -> 1 + its place; 0: none
} open_ranges;

void open_ranges_push(open_ranges *o, uint64_t thread, uint32_t event, uint32_t category);

// Takes the innermost range of a thread; false where none is open.
bool open_ranges_pop(open_ranges *o, uint64_t thread, open_range *range);

// How many ranges of stored events are open.
uint64_t open_ranges_left(const open_ranges *o);

#endif
