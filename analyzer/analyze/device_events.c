// SPDX-License-Identifier: BSD-3-Clause
// The work of each device of a trace, in order of begin.
#include "analyze/device_events.h"

static uint32_t device_of(const trace *t, uint32_t event)
{
    return t->lanes[t->events.lane[event]].device;
}

device_events device_events_of(const trace *t, arena *a)
{
    const events *e = &t->events;
    uint32_t *first = arena_new(a, uint32_t, (size_t)t->device_count + 2);

    for (uint32_t i = 0; i < e->count; i++)
        if (role_is_device((role)e->role[i]))
            first[device_of(t, i) + 2]++;
    for (uint32_t d = 2; d < t->device_count + 2; d++)
        first[d] += first[d - 1];

    // first[d + 1] is where the next event of d goes; once all are placed it is d's end.
    uint32_t *at = arena_new(a, uint32_t, first[t->device_count + 1]);
    for (uint32_t i = 0; i < e->count; i++)
        if (role_is_device((role)e->role[i]))
            at[first[device_of(t, i) + 1]++] = i;
    return (device_events){at, first};
}

bool trace_has_device_work(const trace *t)
{
    for (uint32_t d = 0; d < t->device_count; d++)
        if (t->devices[d].has_work)
            return true;
    return false;
}
