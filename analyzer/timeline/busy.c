// SPDX-License-Identifier: BSD-3-Clause
// When events of a kind run.
#include "timeline/busy.h"

bool busy_counts(const trace *t, const busy_query *q, uint32_t event)
{
    const uint32_t on = t->events.lane[event], flags = event_flags(t, event);

    return q->roles >> t->events.role[event] & 1 && (flags & q->flags_all) == q->flags_all &&
           !(flags & q->flags_none) && (q->lane == BUSY_ANY || q->lane == on) &&
           (q->device == BUSY_ANY || q->device == t->lanes[on].device);
}

interval_set busy_intervals(const trace *t, const busy_query *q, arena *a)
{
    interval_set busy = {0};
    for (uint32_t i = 0; i < t->events.count; i++)
        if (busy_counts(t, q, i))
            intervals_append(&busy, a, t->events.begin[i], event_end(&t->events, i));
    return busy;
}

interval_set *busy_by_lane(const trace *t, const busy_query *q, arena *a)
{
    interval_set *const busy = arena_new(a, interval_set, t->lane_count);
    for (uint32_t i = 0; i < t->events.count; i++)
        if (busy_counts(t, q, i))
            intervals_append(&busy[t->events.lane[i]], a, t->events.begin[i],
                             event_end(&t->events, i));
    return busy;
}
