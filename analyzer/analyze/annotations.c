// SPDX-License-Identifier: BSD-3-Clause
// Ranges that the program marked: every annotation but steps; also loaders and optimizers of logs
// that recorded them as operators.
#include "analyze/annotations.h"

#include "analyze/group.h"
#include "analyze/nest.h"
#include "analyze/statistics.h"
#include "timeline/interval.h"

#include <stdlib.h>

// Around a launch, ranges nested deeper than this get no device time: the walk stays linear.
enum { DEVICE_DEPTH = 64 };

// Length of a union of intervals that come in order of begin.
typedef struct running_union {
    int64_t until, total;
} running_union;

typedef struct range_sums {
    int64_t total, self, step_ns;
    int64_t slowest, slowest_begin;
    const char *slowest_span;
    running_union marked, device;
    int64_t *durations;
    uint32_t count, capacity;
} range_sums;

typedef struct range_walk {
    const span *span;
    interval_set steps; // those that shares are of
    groups by_name;
    uint32_t *rows; // of each of trace.ranges
    id_map open;    // lane and row: how many are open. A range inside one of its name adds no time,
                    // but collectives run side by side
    arena *scratch; // of the trace
    arena *values;  // of the durations
} range_walk;

// A range that is open at the moment.
typedef struct range_node {
    nest_node base;
    uint32_t row;
} range_node;

static uint32_t row_of(range_walk *w, uint32_t event)
{
    const trace *const t = w->span->trace;
    const uint32_t name = t->events.name[event];
    uint32_t row = groups_find(&w->by_name, name);

    if (row == ID_NONE) {
        const text key = strings_text(&t->strings, name);
        row = groups_add(&w->by_name, name, &key);
    }
    return row;
}

// Begins the part of [begin, end) that the union has not had; returns it empty where there is none.
static interval extend(running_union *u, int64_t begin, int64_t end)
{
    const interval fresh = {begin > u->until ? begin : u->until, end};

    if (fresh.end <= fresh.begin)
        return (interval){0, 0};
    u->until = end;
    u->total = add_saturated(u->total, fresh.end - fresh.begin);
    return fresh;
}

static void add_duration(range_walk *w, range_sums *s, uint32_t event)
{
    const events *const e = &w->span->trace->events;
    const int64_t ns = e->duration[event];

    if (s->count == 0 || ns > s->slowest) {
        s->slowest = ns;
        s->slowest_begin = e->begin[event];
        s->slowest_span = w->span->name;
    }
    arena_reserve_one(w->values, s->durations, s->count, s->capacity);
    s->durations[s->count++] = ns;
}

static uint32_t *open_count(range_walk *w, uint32_t event, uint32_t row)
{
    const uint32_t thread = w->span->trace->events.lane[event];

    return id_map_entry(&w->open, w->scratch, group_ids(thread, row), 0);
}

static void begin_range(range_walk *w, uint32_t event, uint32_t row)
{
    const events *const e = &w->span->trace->events;
    range_sums *const s = groups_row(&w->by_name, row);
    const bool inside_its_like = (*open_count(w, event, row))++ > 0;

    if (!inside_its_like || (event_flags(w->span->trace, event) & NAME_COLLECTIVE))
        s->total = add_saturated(s->total, e->duration[event]);
    add_duration(w, s, event);

    const interval fresh = extend(&s->marked, e->begin[event], event_end(e, event));
    s->step_ns =
        add_saturated(s->step_ns, intervals_total_within(w->steps, fresh.begin, fresh.end));
}

static void leave(void *self, void *left, void *around)
{
    range_walk *const w = self;
    const range_node *const node = left;
    range_sums *const s = groups_row(&w->by_name, node->row);

    (void)around;
    --*open_count(w, node->base.event, node->row);
    s->self = add_saturated(s->self, nest_self_ns(w->span->trace, &node->base));
}

static void walk_ranges(range_walk *w)
{
    static const nest_visitor visitor = {sizeof(range_node), leave};
    const trace *const t = w->span->trace;
    nest n = nest_begin(t, w->scratch);

    for (uint32_t i = 0; i < t->range_count; i++) {
        const marked_range r = t->ranges[i];
        const uint32_t around = r.around == RANGE_NONE ? EVENT_NONE : t->ranges[r.around].event;
        range_node *const node = nest_enter(&n, &visitor, w, r.event, around);
        node->row = w->rows[i] = row_of(w, r.event);
        begin_range(w, r.event, node->row);
    }
    nest_end(&n, &visitor, w);
}

// Device work goes to each range around its launch, innermost first.
static void add_device_work(range_walk *w)
{
    const trace *const t = w->span->trace;
    const events *const e = &t->events;

    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t work = t->work[k], by = t->launched_by[k];
        uint32_t range = by == LAUNCH_NONE ? RANGE_NONE : t->launches[by].in_range;
        for (int depth = 0; range != RANGE_NONE && depth < DEVICE_DEPTH; depth++) {
            range_sums *const s = groups_row(&w->by_name, w->rows[range]);
            extend(&s->device, e->begin[work], event_end(e, work));
            range = t->ranges[range].around;
        }
    }
}

// Spans have clocks of their own, so unions begin anew.
static void begin_trace(range_walk *w, const span *s)
{
    w->span = s;
    w->scratch = arena_create();
    w->rows = arena_new(w->scratch, uint32_t, s->trace->range_count);
    w->open = (id_map){0};
    groups_next_trace(&w->by_name);
    for (uint32_t i = 0; i < w->by_name.count; i++) {
        range_sums *const sums = groups_row(&w->by_name, i);
        sums->marked.until = sums->device.until = INT64_MIN;
    }
}

// The windows that shares are of: complete steps, or all where none is complete. Returns their sum.
static int64_t windows_of(const step_list *steps, bool complete_only, interval_set *set, arena *a)
{
    int64_t wall = 0;

    *set = (interval_set){0};
    for (uint32_t i = 0; i < steps->count; i++) {
        const step *const s = &steps->at[i];
        if (complete_only && !s->complete)
            continue;
        intervals_append(set, a, s->begin, s->end);
        wall = add_saturated(wall, s->end - s->begin);
    }
    return wall;
}

static bool any_complete(const worker *w)
{
    for (uint32_t i = 0; i < w->span_count; i++)
        for (uint32_t k = 0; k < w->spans[i].steps.count; k++)
            if (w->spans[i].steps.at[k].complete)
                return true;
    return false;
}

static int row_order(const void *x, const void *y)
{
    const annotation_row *const a = x, *const b = y;

    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    return text_order(a->name, b->name);
}

static annotations table_of(const range_walk *w, int64_t wall, arena *a)
{
    const uint32_t count = w->by_name.count;
    const annotations result = {arena_new(a, annotation_row, count), count};

    for (uint32_t i = 0; i < count; i++) {
        const range_sums *const s = groups_row(&w->by_name, i);
        const statistics d = statistics_of(s->durations, s->count, w->values);
        result.at[i] = (annotation_row){
            .name = groups_key(&w->by_name, i, 0),
            .calls = d.count,
            .total_ns = s->total,
            .self_ns = s->self,
            .mean_ns = d.mean,
            .median_ns = d.median,
            .p95_ns = d.p95,
            .min_ns = d.min,
            .max_ns = d.max,
            .slowest_begin_ns = s->slowest_begin,
            .slowest_span = s->slowest_span,
            .step_share = wall > 0 ? (double)s->step_ns / (double)wall : REAL_NONE,
            .device_ns = s->device.total,
        };
    }
    qsort(result.at, count, sizeof(*result.at), row_order);
    return result;
}

annotations annotations_analyze(const worker *w, arena *a)
{
    range_walk walk = {.by_name = groups_create(a, sizeof(range_sums), 1),
                       .values = arena_create()};
    const bool complete_only = any_complete(w);
    int64_t wall = 0;

    for (uint32_t i = 0; i < w->span_count; i++) {
        begin_trace(&walk, &w->spans[i]);
        wall = add_saturated(
            wall, windows_of(&w->spans[i].steps, complete_only, &walk.steps, walk.scratch));
        walk_ranges(&walk);
        add_device_work(&walk);
        arena_destroy(walk.scratch);
    }
    const annotations result = table_of(&walk, wall, a);
    arena_destroy(walk.values);
    return result;
}
