// SPDX-License-Identifier: BSD-3-Clause
// Ranges that a B record began and no E record has ended yet.
#include "model/open_ranges.h"

#include "model/events.h"

static uint32_t free_place(open_ranges *o)
{
    if (o->free) {
        const uint32_t place = o->free - 1;
        o->free = o->at[place].outer;
        return place;
    }
    arena_reserve_one(o->arena, o->at, o->count, o->capacity);
    return o->count++;
}

void open_ranges_push(open_ranges *o, uint64_t thread, uint32_t event, uint32_t category)
{
    const uint32_t place = free_place(o);
    uint32_t *const innermost = id_map_entry(&o->innermost, o->arena, thread, 0);
    o->at[place] = (open_range){event, category, *innermost};
    *innermost = place + 1;
}

bool open_ranges_pop(open_ranges *o, uint64_t thread, open_range *range)
{
    const uint32_t innermost = id_map_get(&o->innermost, thread);
    if (innermost == ID_NONE || innermost == 0)
        return false;

    const uint32_t place = innermost - 1;
    *range = o->at[place];
    id_map_put(&o->innermost, o->arena, thread, range->outer);
    o->at[place].outer = o->free;
    o->free = innermost;
    return true;
}

uint64_t open_ranges_left(const open_ranges *o)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < o->innermost.capacity; i++) {
        if (o->innermost.ids[i] == ID_NONE)
            continue;
        for (uint32_t at = o->innermost.ids[i]; at; at = o->at[at - 1].outer)
            left += o->at[at - 1].event != EVENT_NONE;
    }
    return left;
}
