// SPDX-License-Identifier: BSD-3-Clause
// Nesting of host events on their threads, in one pass over all of them in order of begin.
#include "link/op_tree.h"

// The events that may enclose the next one of a thread are the latest and those around it, so the
// links themselves are the stack. What the latest overlaps in part is left behind for good: an
// event inside both is inside the latest, since that ends later.
static uint32_t enclosing(const events *e, uint32_t latest, uint32_t event, uint64_t *overlaps)
{
    const int64_t begin = e->begin[event], end = event_end(e, event);
    uint32_t around = latest;

    for (; around != EVENT_NONE; around = e->link[around]) {
        const int64_t around_end = event_end(e, around);
        if (around_end > begin && around_end >= end)
            break;
        *overlaps += around_end > begin;
    }
    return around;
}

void op_tree_build(trace *t)
{
    enum { OTHERS, FRAMES, KINDS };
    events *const e = &t->events;
    uint32_t *const latest = arena_new(t->arena, uint32_t, (size_t)t->lane_count * KINDS);
    uint64_t overlaps[KINDS] = {0};

    memset(latest, 0xff, sizeof(*latest) * t->lane_count * KINDS);
    for (uint32_t i = 0; i < e->count; i++) {
        if (role_is_device(e->role[i]))
            continue;
        const int kind = e->role[i] == ROLE_PYTHON || e->role[i] == ROLE_MODULE ? FRAMES : OTHERS;
        uint32_t *const open = &latest[(size_t)e->lane[i] * KINDS + (size_t)kind];
        e->link[i] = enclosing(e, *open, i, &overlaps[kind]);
        *open = i;
    }
    arena_release(t->arena, latest);
    trace_note_many(t, "partial_overlap", NOTE_INFO, overlaps[OTHERS],
                    "events of a thread that overlap in part: kept side by side");
}
