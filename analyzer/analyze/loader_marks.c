// SPDX-License-Identifier: BSD-3-Clause
// Where the threads of a trace wait for their data loaders.
#include "analyze/loader_marks.h"

static uint32_t thread_of(loader_marks *m, uint32_t host_lane, arena *a)
{
    if (m->of_lane[host_lane] == 0) {
        arena_reserve_one(a, m->threads, m->count, m->capacity);
        m->threads[m->count].lane = host_lane;
        m->of_lane[host_lane] = m->count++;
    }
    return m->of_lane[host_lane];
}

loader_marks loader_marks_of(const trace *t, arena *a)
{
    const events *e = &t->events;
    loader_marks m = {.of_lane = arena_new(a, uint32_t, t->lane_count)};

    arena_reserve_one(a, m.threads, m.count, m.capacity);
    m.threads[m.count++].lane = UINT32_MAX;
    for (uint32_t k = 0; k < t->range_count; k++) {
        const uint32_t i = t->ranges[k].event;
        if (!event_is_loader(t, i))
            continue;
        const uint32_t thread = thread_of(&m, e->lane[i], a);
        intervals_append(&m.threads[thread].waits, a, e->begin[i], event_end(e, i));
        intervals_append(&m.threads[0].waits, a, e->begin[i], event_end(e, i));
        m.flags |= event_flags(t, i);
    }
    return m;
}

const loader_thread *loader_marks_thread(const loader_marks *m, uint32_t host_lane)
{
    const uint32_t thread = host_lane == UINT32_MAX ? 0 : m->of_lane[host_lane];

    if (thread == 0 && host_lane != UINT32_MAX)
        return NULL;
    return m->threads[thread].waits.count ? &m->threads[thread] : NULL;
}
