// SPDX-License-Identifier: BSD-3-Clause
// Launch calls: how long they take and how late the device starts.
#include "analyze/launches.h"

#include "analyze/group.h"
#include "analyze/statistics.h"

#include <stdlib.h>

typedef struct launch_sums {
    int64_t calls, host_total, short_kernels;
    int64_t *delays; // one a call
    uint32_t count, capacity;
} launch_sums;

typedef struct launch_walk {
    groups by_name;
    int64_t negative;
    arena *scratch; // of the delays
} launch_walk;

static launch_sums *sums_of(launch_walk *w, const trace *t, uint32_t call)
{
    const uint32_t name = t->events.name[call];
    uint32_t row = groups_find(&w->by_name, name);

    if (row == ID_NONE) {
        const text key = strings_text(&t->strings, name);
        row = groups_add(&w->by_name, name, &key);
    }
    return groups_row(&w->by_name, row);
}

// A call's first device work tells how late the device was; graphs have more.
static void add_call(launch_walk *w, launch_sums *s, const trace *t, uint32_t call,
                     uint32_t device_event)
{
    const int64_t delay = t->events.begin[device_event] - t->events.begin[call];

    s->calls++;
    s->host_total = add_saturated(s->host_total, t->events.duration[call]);
    arena_reserve_one(w->scratch, s->delays, s->count, s->capacity);
    s->delays[s->count++] = delay;
    w->negative += delay < 0;
}

static void walk_trace(launch_walk *w, const trace *t)
{
    arena *const scratch = arena_create();
    const events *const e = &t->events;
    bool *const started = arena_new(scratch, bool, t->launch_count);

    groups_next_trace(&w->by_name);
    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t event = t->work[k], by = t->launched_by[k];
        if (by == LAUNCH_NONE)
            continue;
        const uint32_t call = t->launches[by].call;
        launch_sums *const s = sums_of(w, t, call);
        if (!started[by])
            add_call(w, s, t, call, event);
        started[by] = true;
        s->short_kernels += e->role[event] == ROLE_KERNEL && e->duration[event] < e->duration[call];
    }
    arena_destroy(scratch);
}

static int row_order(const void *x, const void *y)
{
    const launch_row *const a = x, *const b = y;

    if (a->calls != b->calls)
        return a->calls > b->calls ? -1 : 1;
    return text_order(a->name, b->name);
}

launches launches_analyze(const worker *w, arena *a)
{
    launch_walk walk = {.by_name = groups_create(a, sizeof(launch_sums), 1),
                        .scratch = arena_create()};

    for (uint32_t i = 0; i < w->span_count; i++)
        walk_trace(&walk, w->spans[i].trace);

    const uint32_t count = walk.by_name.count;
    const launches result = {arena_new(a, launch_row, count), count, walk.negative};
    for (uint32_t i = 0; i < count; i++) {
        const launch_sums *const s = groups_row(&walk.by_name, i);
        const statistics delays = statistics_of(s->delays, s->count, walk.scratch);
        result.at[i] = (launch_row){.name = groups_key(&walk.by_name, i, 0),
                                    .calls = s->calls,
                                    .host_mean_ns = divide_half_even(s->host_total, s->calls),
                                    .delay_mean_ns = delays.mean,
                                    .delay_median_ns = delays.median,
                                    .delay_p95_ns = delays.p95,
                                    .short_kernels = s->short_kernels};
    }
    qsort(result.at, count, sizeof(*result.at), row_order);
    arena_destroy(walk.scratch);
    return result;
}
