// SPDX-License-Identifier: BSD-3-Clause
// Which ranges hold which moments of memory: sorted moments and running sums, so that a range costs
// two searches however many moments it holds.
#include "encode/function_events.h"

#include <stdlib.h>

// What all moments before one add up to, and how many more ranges hold it than the one before.
typedef struct running {
    int64_t cpu_bytes, device_bytes;
    int64_t holders;
} running;

static int by_time(const void *left, const void *right)
{
    const tp_memory_moment *a = left, *b = right;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

// How many moments lie before `time_ns`, and, if `inclusive`, at it.
static size_t moments_before(const tp_function_events *events, int64_t time_ns, bool inclusive)
{
    size_t low = 0, high = events->moment_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int64_t t = events->moments[middle].time_ns;
        if (t < time_ns || (inclusive && t == time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_to_ranges(tp_function_events *events, running *sums)
{
    for (size_t i = 0; i < events->moment_count; i++) {
        sums[i + 1].cpu_bytes = sums[i].cpu_bytes + events->moments[i].cpu_bytes;
        sums[i + 1].device_bytes = sums[i].device_bytes + events->moments[i].device_bytes;
    }
    for (size_t i = 0; i < events->count; i++) {
        tp_function_event *e = &events->items[i];
        if (e->is_device)
            continue;
        const size_t from = moments_before(events, e->begin_ns, false);
        const size_t to = moments_before(events, e->end_ns, true);
        e->total.cpu_bytes = sums[to].cpu_bytes - sums[from].cpu_bytes;
        e->total.device_bytes = sums[to].device_bytes - sums[from].device_bytes;
        sums[from].holders++;
        sums[to].holders--;
    }
}

static void add_homeless(tp_function_events *events, const running *sums)
{
    int64_t holders = 0;

    for (size_t i = 0; i < events->moment_count; i++) {
        const tp_memory_moment *m = &events->moments[i];
        holders += sums[i].holders;
        if (holders || events->count == events->capacity)
            continue;
        events->items[events->count] = (tp_function_event){
            .name = TPROF_NAME_MEMORY,
            .begin_ns = m->time_ns,
            .end_ns = m->time_ns,
            .tid = m->tid,
            .total = {.cpu_bytes = m->cpu_bytes, .device_bytes = m->device_bytes},
            .order = (uint32_t)events->count,
            .parent = TP_NO_PARENT,
        };
        events->count++;
    }
}

bool tp_function_events_add_memory(tp_function_events *events)
{
    if (!events->moment_count)
        return true;
    running *sums = calloc(events->moment_count + 1, sizeof(*sums));
    if (!sums)
        return false;
    qsort(events->moments, events->moment_count, sizeof(*events->moments), by_time);
    add_to_ranges(events, sums);
    add_homeless(events, sums);
    free(sums);
    return true;
}
