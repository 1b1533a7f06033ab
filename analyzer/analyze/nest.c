// SPDX-License-Identifier: BSD-3-Clause
// Walks the host events of a trace as they nest on their threads.
#include "analyze/nest.h"

#include "analyze/ranges.h"

#define ABOVE_NONE UINT32_MAX

typedef struct stack {
    char *nodes;
    uint32_t depth, capacity;
} stack;

typedef struct walk {
    const trace *trace;
    const nest_visitor *visitor;
    const range_names *names;
    arena *scratch;
} walk;

static nest_node *node_at(const walk *w, const stack *s, uint32_t place)
{
    return (nest_node *)(void *)(s->nodes + (size_t)place * w->visitor->node_size);
}

static void pop(const walk *w, stack *s)
{
    nest_node *const node = node_at(w, s, --s->depth);

    if (node->counted && w->visitor->leave)
        w->visitor->leave(w->visitor->self, node,
                          node->above == ABOVE_NONE ? NULL : node_at(w, s, node->above));
}

// Leaves what is over before `event` begins. A parent that was left already, since events overlap
// without nesting, is replaced by the next one around that is still open.
static void pop_to_parent(const walk *w, stack *s, uint32_t event)
{
    const uint32_t *const link = w->trace->events.link;
    uint32_t parent = link[event];

    for (;;) {
        while (s->depth && (parent == EVENT_NONE || node_at(w, s, s->depth - 1)->event > parent))
            pop(w, s);
        if (!s->depth || node_at(w, s, s->depth - 1)->event == parent)
            return;
        parent = link[parent];
    }
}

// Takes the time of a counted event from the one around it, but no instant twice.
static void cover(const events *e, nest_node *above, uint32_t event)
{
    const int64_t outer_end = event_end(e, above->event), inner_end = event_end(e, event);
    const int64_t end = inner_end < outer_end ? inner_end : outer_end;
    const int64_t begin =
        e->begin[event] > above->covered_until ? e->begin[event] : above->covered_until;

    if (end <= begin)
        return;
    above->covered += end - begin;
    above->covered_until = end;
}

// What the innermost open event hands on to one that begins inside it.
static void inherit(const walk *w, const nest_node *under, nest_node *node, uint32_t place)
{
    const trace *const t = w->trace;

    node->above = under->counted ? place : under->above;
    node->in_operator = under->in_operator;
    node->in_annotation = under->in_annotation;
    if (range_is_operator(t, w->names, under->event))
        node->in_operator = under->event;
    else if (range_is_annotation(t, w->names, under->event))
        node->in_annotation = under->event;
}

static void push(const walk *w, stack *s, uint32_t event)
{
    if (s->depth == s->capacity) {
        const uint32_t wanted = s->capacity ? s->capacity * 2 : 16;
        s->nodes = arena_grow(w->scratch, s->nodes, w->visitor->node_size, s->capacity, wanted);
        s->capacity = wanted;
    }

    nest_node *const node = node_at(w, s, s->depth);
    memset(node, 0, w->visitor->node_size);
    *node = (nest_node){.event = event,
                        .above = ABOVE_NONE,
                        .counted = w->visitor->counts(w->visitor->self, event),
                        .in_operator = EVENT_NONE,
                        .in_annotation = EVENT_NONE,
                        .covered_until = INT64_MIN};
    if (s->depth)
        inherit(w, node_at(w, s, s->depth - 1), node, s->depth - 1);
    s->depth++;
    if (node->counted && node->above != ABOVE_NONE)
        cover(&w->trace->events, node_at(w, s, node->above), event);
    if (w->visitor->enter)
        w->visitor->enter(w->visitor->self, node);
}

void nest_walk(const trace *t, const nest_visitor *v, arena *scratch)
{
    const events *const e = &t->events;
    const range_names names = range_names_of(t);
    const walk w = {t, v, &names, scratch};
    stack *const stacks = arena_new(scratch, stack, t->lane_count);

    for (uint32_t i = 0; i < e->count; i++) {
        const role r = (role)e->role[i];
        if (role_is_device(r) || r == ROLE_PYTHON || r == ROLE_MODULE)
            continue;
        stack *const s = &stacks[e->lane[i]];
        pop_to_parent(&w, s, i);
        push(&w, s, i);
    }
    for (uint32_t i = 0; i < t->lane_count; i++)
        while (stacks[i].depth)
            pop(&w, &stacks[i]);
}
