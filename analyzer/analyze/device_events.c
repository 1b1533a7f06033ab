// SPDX-License-Identifier: BSD-3-Clause
// The work of each device of a trace, in order of begin.
#include "analyze/device_events.h"

static uint32_t device_of(const trace *t, uint32_t event)
{
    return t->lanes[t->events.lane[event]].device;
}

device_events device_events_of(const trace *t, arena *a)
{
    uint32_t *first = arena_new(a, uint32_t, (size_t)t->device_count + 2);

    for (uint32_t k = 0; k < t->work_count; k++)
        first[device_of(t, t->work[k]) + 2]++;
    for (uint32_t d = 2; d < t->device_count + 2; d++)
        first[d] += first[d - 1];

    // first[d + 1] is where the next event of d goes; once all are placed it is d's end.
    uint32_t *at = arena_new(a, uint32_t, t->work_count);
    for (uint32_t k = 0; k < t->work_count; k++)
        at[first[device_of(t, t->work[k]) + 1]++] = t->work[k];
    return (device_events){at, first};
}

bool trace_has_device_work(const trace *t)
{
    for (uint32_t d = 0; d < t->device_count; d++)
        if (t->devices[d].has_work)
            return true;
    return false;
}
