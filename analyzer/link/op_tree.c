// SPDX-License-Identifier: BSD-3-Clause
// Nesting of host events on their threads, in one pass over all of them in order of begin.
#include "link/op_tree.h"

#include "link/launch_sites.h"
#include "link/ranges.h"

// An event that may enclose the next one of its thread, and what is innermost around that then.
typedef struct open_event {
    int64_t end;
    uint32_t event, in_operator, in_range;
} open_event;

typedef struct open_stack {
    open_event *at;
    uint32_t depth, capacity;
} open_stack;

typedef struct op_tree {
    trace *trace;
    arena *scratch;
    launch_sites sites;
    open_stack *stacks; // of each lane
    uint64_t overlaps;
} op_tree;

// The event that encloses one from `begin` to `end`. What that overlaps in part is left behind for
// good: an event inside both is inside the latest, since that ends later.
static open_event enclosing(open_stack *s, int64_t begin, int64_t end, uint64_t *overlaps)
{
    for (; s->depth; s->depth--) {
        const open_event *const around = &s->at[s->depth - 1];
        if (around->end > begin && around->end >= end)
            return *around;
        *overlaps += around->end > begin;
    }
    return (open_event){0, EVENT_NONE, EVENT_NONE, RANGE_NONE};
}

static void push(op_tree *o, open_stack *s, open_event e)
{
    if (s->depth == s->capacity) {
        const uint32_t wanted = s->capacity ? s->capacity * 2 : 1; // threads may be many and flat
        s->at = arena_grow(o->scratch, s->at, sizeof(*s->at), s->capacity, wanted);
        s->capacity = wanted;
    }
    s->at[s->depth++] = e;
}

static uint32_t add_range(trace *t, uint32_t event, uint32_t around)
{
    arena_reserve_one(t->arena, t->ranges, t->range_count, t->range_capacity);
    t->ranges[t->range_count] = (marked_range){event, around};
    return t->range_count++;
}

static void take_launch(op_tree *o, uint32_t call, const open_event *around)
{
    const uint32_t site = launch_site(&o->sites, call);

    if (site != LAUNCH_NONE)
        o->trace->launches[site] = (launch){call, around->in_operator, around->in_range};
}

static void take_other(op_tree *o, uint32_t event)
{
    trace *const t = o->trace;
    const events *const e = &t->events;
    open_stack *const s = &o->stacks[e->lane[event]];
    const int64_t end = event_end(e, event);
    open_event inside = enclosing(s, e->begin[event], end, &o->overlaps);

    e->link[event] = inside.event;
    if (role_is_call(e->role[event]))
        take_launch(o, event, &inside);
    else if (range_is_operator(t, event))
        inside.in_operator = event;
    else if (range_is_annotation(t, event))
        inside.in_range = add_range(t, event, inside.in_range);
    inside.end = end;
    inside.event = event;
    push(o, s, inside);
}

static bool is_frame(role r)
{
    return r == ROLE_PYTHON || r == ROLE_MODULE;
}

void op_tree_build(trace *t)
{
    arena *const scratch = arena_create();
    op_tree o = {
        .trace = t,
        .scratch = scratch,
        .sites = launch_sites_of(t, scratch),
        .stacks = arena_new(scratch, open_stack, t->lane_count),
    };

    for (uint32_t i = 0; i < t->events.count; i++) {
        const role r = (role)t->events.role[i];
        if (!role_is_device(r) && !is_frame(r))
            take_other(&o, i);
    }
    arena_destroy(scratch);
    trace_note_many(t, "partial_overlap", NOTE_INFO, o.overlaps,
                    "events of a thread that overlap in part: kept side by side");
}

// Whoever is around an event is around all that is inside it, so the links themselves are the
// stack.
static uint32_t frame_around(const events *e, uint32_t event, uint32_t innermost)
{
    const int64_t begin = e->begin[event], end = event_end(e, event);
    uint32_t around = innermost;

    while (around != EVENT_NONE) {
        const int64_t its_end = event_end(e, around);
        if (its_end > begin && its_end >= end)
            break;
        around = e->link[around];
    }
    return around;
}

void op_tree_build_frames(trace *t)
{
    const events *const e = &t->events;
    arena *const scratch = arena_create();
    uint32_t *const innermost = arena_new(scratch, uint32_t, t->lane_count);

    memset(innermost, 0xff, sizeof(*innermost) * t->lane_count);
    for (uint32_t i = 0; i < e->count; i++) {
        if (!is_frame((role)e->role[i]))
            continue;
        e->link[i] = frame_around(e, i, innermost[e->lane[i]]);
        innermost[e->lane[i]] = i;
    }
    arena_destroy(scratch);
}
