// SPDX-License-Identifier: BSD-3-Clause
// Which operator an event belongs to.
#include "link/owner.h"

static bool is_operator(const trace *t, uint32_t event)
{
    return t->events.role[event] == ROLE_OPERATOR && !(event_flags(t, event) & NAME_LOADER);
}

uint32_t owner_operator(const trace *t, uint32_t host_event)
{
    uint32_t around = t->events.link[host_event];
    while (around != EVENT_NONE && !is_operator(t, around))
        around = t->events.link[around];
    return around;
}

uint32_t owner_any(const trace *t, uint32_t host_event)
{
    uint32_t around = t->events.link[host_event];
    while (around != EVENT_NONE && role_is_call(t->events.role[around]))
        around = t->events.link[around];
    return around;
}

// What is around an event comes before it in the order; what launched it may not, where the clocks
// of host and device disagree.
uint32_t *owner_operators(const trace *t, arena *a)
{
    const events *const e = &t->events;
    uint32_t *const owners = arena_new(a, uint32_t, e->count);

    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t around = e->link[i];
        if (around == EVENT_NONE)
            owners[i] = EVENT_NONE;
        else if (!role_is_device(e->role[i]))
            owners[i] = is_operator(t, around) ? around : owners[around];
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (role_is_device(e->role[i]) && e->link[i] != EVENT_NONE)
            owners[i] = owners[e->link[i]];
    return owners;
}
