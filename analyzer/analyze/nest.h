// SPDX-License-Identifier: BSD-3-Clause
// Walks events as they nest on their threads: outer before inner, and each is left once all inside
// it are done. Linear, whatever the depth. Inline, since it is the loop of whoever walks.
#ifndef ANALYZE_NEST_H
#define ANALYZE_NEST_H

#include "model/trace.h"

// An event that is open at the moment. A walker's own node begins with this one.
typedef struct nest_node {
    uint32_t event;
    int64_t covered, covered_until; // time that events inside take
} nest_node;

typedef struct nest_stack {
    char *nodes;
    uint32_t depth, capacity;
} nest_stack;

typedef struct nest {
    const trace *trace;
    arena *scratch;
    nest_stack *stacks; // by lane
} nest;

typedef struct nest_visitor {
    size_t node_size; // of the walker's node
    // An event, and the one around it or NULL.
    void (*leave)(void *self, void *node, void *around);
} nest_visitor;

static inline nest nest_begin(const trace *t, arena *scratch)
{
    return (nest){t, scratch, arena_new(scratch, nest_stack, t->lane_count)};
}

static inline void *nest_at(const nest_stack *s, const nest_visitor *v, uint32_t place)
{
    return s->nodes + (size_t)place * v->node_size;
}

static inline void nest_pop(nest_stack *s, const nest_visitor *v, void *self)
{
    const uint32_t place = --s->depth;
    v->leave(self, nest_at(s, v, place), place ? nest_at(s, v, place - 1) : NULL);
}

// Takes the time of an event from the one around it, but no instant twice.
static inline void nest_cover(const events *e, nest_node *around, uint32_t event)
{
    const int64_t outer_end = event_end(e, around->event), inner_end = event_end(e, event);
    const int64_t end = inner_end < outer_end ? inner_end : outer_end;
    const int64_t begin =
        e->begin[event] > around->covered_until ? e->begin[event] : around->covered_until;

    if (end <= begin)
        return;
    around->covered += end - begin;
    around->covered_until = end;
}

// Leaves what is over before `event` begins inside `around` (or EVENT_NONE), which was entered
// before, and enters it. Returns its node, zeroed but for the nest_node; valid until the next call.
static inline void *nest_enter(nest *n, const nest_visitor *v, void *self, uint32_t event,
                               uint32_t around)
{
    nest_stack *const s = &n->stacks[n->trace->events.lane[event]];

    while (s->depth && ((nest_node *)nest_at(s, v, s->depth - 1))->event != around)
        nest_pop(s, v, self);
    if (s->depth == s->capacity) {
        // Threads may be many and flat.
        const uint32_t wanted = s->capacity ? s->capacity * 2 : 1;
        s->nodes = arena_grow(n->scratch, s->nodes, v->node_size, s->capacity, wanted);
        s->capacity = wanted;
    }
    if (s->depth)
        nest_cover(&n->trace->events, nest_at(s, v, s->depth - 1), event);
    nest_node *const node = nest_at(s, v, s->depth++);
    memset(node, 0, v->node_size);
    node->event = event;
    node->covered_until = INT64_MIN;
    return node;
}

static inline void nest_end(nest *n, const nest_visitor *v, void *self)
{
    for (uint32_t i = 0; i < n->trace->lane_count; i++)
        while (n->stacks[i].depth)
            nest_pop(&n->stacks[i], v, self);
}

// Own time of an event that is left: its duration without what events inside cover; >= 0.
static inline int64_t nest_self_ns(const trace *t, const nest_node *node)
{
    return t->events.duration[node->event] - node->covered;
}

#endif
