// SPDX-License-Identifier: BSD-3-Clause
// Walks the host events of a trace as they nest on their threads: outer before inner, and each is
// left once all inside it are done. Linear, whatever the depth.
#ifndef ANALYZE_NEST_H
#define ANALYZE_NEST_H

#include "model/trace.h"

// An event that is open at the moment. A visitor's own node begins with this one.
typedef struct nest_node {
    uint32_t event;
    uint32_t above; // place on its thread's stack of the nearest counted event around it
    bool counted;
    uint32_t in_operator, in_annotation; // innermost ones around it (ranges.h), or EVENT_NONE
    int64_t covered, covered_until;      // of a counted one: time that counted ones inside take
} nest_node;

// What a walk asks and tells. Counted events share their time with counted ones inside; the others
// are looked through, as if they were not there.
typedef struct nest_visitor {
    void *self;
    size_t node_size; // of the visitor's node; zeroed on entry behind the nest_node
    bool (*counts)(void *self, uint32_t event);
    void (*enter)(void *self, const nest_node *node); // NULL allowed
    // A counted event and the nearest counted one around it, or NULL. NULL allowed.
    void (*leave)(void *self, void *node, void *above);
} nest_visitor;

// `t` is linked. `scratch` lends memory for the open events of each thread.
void nest_walk(const trace *t, const nest_visitor *v, arena *scratch);

// Own time of an event that is left: its duration without what counted ones inside cover; >= 0.
static inline int64_t nest_self_ns(const trace *t, const nest_node *node)
{
    return t->events.duration[node->event] - node->covered;
}

#endif
