// SPDX-License-Identifier: BSD-3-Clause
// Ranges that the program marked: every annotation but steps; also loaders and optimizers of logs
// that recorded them as operators.
#include "analyze/annotations.h"

#include "analyze/group.h"
#include "analyze/launch_sites.h"
#include "analyze/nest.h"
#include "analyze/ranges.h"
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

// One range of the trace at hand.
typedef struct occurrence {
    uint32_t row;
    uint32_t around; // event of the range around it, or EVENT_NONE
} occurrence;

typedef struct range_walk {
    const span *span;
    range_names names;
    interval_set steps; // those that shares are of
    launch_sites sites;
    groups by_name;
    id_map occurrence_of; // event
    occurrence *occurrences;
    uint32_t occurrence_count, occurrence_capacity;
    id_map open;    // lane and row: how many are open. A range inside one of its name adds no time,
                    // but collectives run side by side
    arena *scratch; // of the trace
    arena *values;  // of the durations
} range_walk;

static bool counts(void *self, uint32_t event)
{
    const range_walk *const w = self;

    return range_is_annotation(w->span->trace, &w->names, event);
}

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

static void enter(void *self, const nest_node *node)
{
    range_walk *const w = self;
    const events *const e = &w->span->trace->events;
    const uint32_t event = node->event;

    if (!node->counted)
        return;
    const uint32_t row = row_of(w, event);
    range_sums *const s = groups_row(&w->by_name, row);
    const bool inside_its_like = (*open_count(w, event, row))++ > 0;
    if (!inside_its_like || (event_flags(w->span->trace, event) & NAME_COLLECTIVE))
        s->total = add_saturated(s->total, e->duration[event]);
    add_duration(w, s, event);

    const interval fresh = extend(&s->marked, e->begin[event], event_end(e, event));
    s->step_ns =
        add_saturated(s->step_ns, intervals_total_within(w->steps, fresh.begin, fresh.end));

    id_map_put(&w->occurrence_of, w->scratch, event, w->occurrence_count);
    arena_reserve_one(w->scratch, w->occurrences, w->occurrence_count, w->occurrence_capacity);
    w->occurrences[w->occurrence_count++] = (occurrence){row, node->in_annotation};
}

static void leave(void *self, void *left, void *around)
{
    range_walk *const w = self;
    const nest_node *const node = left;
    const uint32_t row = row_of(w, node->event);
    range_sums *const s = groups_row(&w->by_name, row);

    (void)around;
    --*open_count(w, node->event, row);
    s->self = add_saturated(s->self, nest_self_ns(w->span->trace, node));
}

// Device work goes to each range around its launch, innermost first.
static void add_device_work(range_walk *w)
{
    const events *const e = &w->span->trace->events;

    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t site = launch_site_of(&w->sites, i);
        if (site == SITE_NONE)
            continue;
        uint32_t around = w->sites.at[site].in_annotation;
        for (int depth = 0; around != EVENT_NONE && depth < DEVICE_DEPTH; depth++) {
            const occurrence *const o = &w->occurrences[id_map_get(&w->occurrence_of, around)];
            range_sums *const s = groups_row(&w->by_name, o->row);
            extend(&s->device, e->begin[i], event_end(e, i));
            around = o->around;
        }
    }
}

// Spans have clocks of their own, so unions begin anew.
static void begin_trace(range_walk *w, const span *s)
{
    w->span = s;
    w->names = range_names_of(s->trace);
    w->scratch = arena_create();
    w->sites = launch_sites_of(s->trace, w->scratch);
    w->occurrence_of = w->open = (id_map){0};
    w->occurrences = NULL;
    w->occurrence_count = w->occurrence_capacity = 0;
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
    const nest_visitor visitor = {&walk, sizeof(nest_node), counts, enter, leave};
    const bool complete_only = any_complete(w);
    int64_t wall = 0;

    for (uint32_t i = 0; i < w->span_count; i++) {
        begin_trace(&walk, &w->spans[i]);
        wall = add_saturated(
            wall, windows_of(&w->spans[i].steps, complete_only, &walk.steps, walk.scratch));
        nest_walk(w->spans[i].trace, &visitor, walk.scratch);
        add_device_work(&walk);
        arena_destroy(walk.scratch);
    }
    const annotations result = table_of(&walk, wall, a);
    arena_destroy(walk.values);
    return result;
}
