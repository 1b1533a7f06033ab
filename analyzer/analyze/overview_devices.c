// SPDX-License-Identifier: BSD-3-Clause
// How busy each device of a worker was, and how well it was used.
#include "analyze/overview_devices.h"

#include "analyze/device_events.h"
#include "analyze/sm_use.h"
#include "analyze/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// A device over all spans of a worker.
typedef struct device_sums {
    const char *id, *name, *capability;
    int64_t number; // order
    int64_t memory_bytes, sm_count;
    bool has_work;
    int64_t busy_ns, kernel_ns, kernel_in_steps_ns; // unions
    int64_t compute_total_ns, tensor_total_ns;      // sums of kernels that do not communicate
    double occupancy_ns, occupancy_of_ns;           // share times length, and length
    double sm_use_ns;
    bool sm_known;
} device_sums;

// From the begin of the first step to the end of the last.
typedef struct window {
    int64_t begin, end;
} window;

// A union being made in order of begin: its length so far, and that of the part inside a window.
typedef struct running_union {
    int64_t until, total, inside;
} running_union;

typedef struct device_table {
    device_sums *at;
    uint32_t count, capacity;
    strings ids; // the number of an id is its place in `at`
} device_table;

static int64_t inside(window w, int64_t begin, int64_t end)
{
    const int64_t from = begin > w.begin ? begin : w.begin, to = end < w.end ? end : w.end;
    return to > from ? to - from : 0;
}

static void union_add(running_union *u, window w, int64_t begin, int64_t end)
{
    const int64_t from = begin > u->until ? begin : u->until;

    if (end <= from)
        return;
    u->total += end - from;
    u->inside += inside(w, from, end);
    u->until = end;
}

static window steps_window(const step_list *steps)
{
    if (steps->count == 0)
        return (window){0, 0};
    window w = {steps->at[0].begin, steps->at[0].end};
    for (uint32_t i = 1; i < steps->count; i++)
        if (steps->at[i].end > w.end)
            w.end = steps->at[i].end;
    return w;
}

static void add_kernel(device_sums *d, const trace *t, uint32_t event, window w)
{
    const events *e = &t->events;
    const uint32_t flags = event_flags(t, event);

    if (!(flags & NAME_COMMUNICATION)) {
        d->compute_total_ns = add_saturated(d->compute_total_ns, e->duration[event]);
        if (flags & NAME_TENSOR_YES)
            d->tensor_total_ns = add_saturated(d->tensor_total_ns, e->duration[event]);
    }
    if (e->detail[event] == DETAIL_NONE)
        return;
    const double percent = t->device_details[e->detail[event]].occupancy_percent;
    if (percent >= 0) { // neither absent (NaN) nor the profiler's mark of an error
        const double part = (double)inside(w, e->begin[event], event_end(e, event));
        d->occupancy_ns += percent / 100 * part;
        d->occupancy_of_ns += part;
    }
}

// The work of a device in one span.
static void add_work(device_sums *d, const trace *t, const uint32_t *at, uint32_t count, window w)
{
    const events *e = &t->events;
    running_union busy = {.until = INT64_MIN}, kernels = {.until = INT64_MIN};

    for (uint32_t i = 0; i < count; i++) {
        const int64_t begin = e->begin[at[i]], end = event_end(e, at[i]);
        union_add(&busy, w, begin, end);
        if (e->role[at[i]] != ROLE_KERNEL)
            continue;
        union_add(&kernels, w, begin, end);
        add_kernel(d, t, at[i], w);
    }
    d->busy_ns = add_saturated(d->busy_ns, busy.total);
    d->kernel_ns = add_saturated(d->kernel_ns, kernels.total);
    d->kernel_in_steps_ns = add_saturated(d->kernel_in_steps_ns, kernels.inside);

    const sm_use use = sm_use_of(t, at, count, w.begin, w.end);
    d->sm_use_ns += use.weighted_ns;
    d->sm_known |= use.known;
}

static device_sums *sums_of(device_table *table, const trace *t, const device *d, arena *a)
{
    const uint32_t id = strings_intern(&table->ids, strings_text(&t->strings, d->id));

    if (id == table->count) {
        arena_reserve_one(a, table->at, table->count, table->capacity);
        table->at[table->count++] =
            (device_sums){.number = d->number, .memory_bytes = INT_NONE, .sm_count = INT_NONE};
    }
    device_sums *sums = &table->at[id];
    sums->id = strings_text(&table->ids, id).at; // the table may have grown
    if (!sums->name && d->name != STRING_NONE)
        sums->name = strings_text(&t->strings, d->name).at;
    if (!sums->capability && d->compute_major >= 0 && d->compute_minor >= 0)
        sums->capability =
            arena_printf(a, "%" PRId64 ".%" PRId64, d->compute_major, d->compute_minor);
    if (d->memory_bytes >= 0)
        sums->memory_bytes = d->memory_bytes;
    if (d->sm_count >= 0)
        sums->sm_count = d->sm_count;
    sums->has_work |= d->has_work;
    return sums;
}

static void add_span(device_table *table, const span *s, arena *scratch)
{
    const trace *t = s->trace;
    const device_events work = device_events_of(t, scratch);
    const window w = steps_window(&s->steps);

    for (uint32_t d = 0; d < t->device_count; d++)
        add_work(sums_of(table, t, &t->devices[d], scratch), t, work.at + work.first[d],
                 work.first[d + 1] - work.first[d], w);
}

static int by_number(const void *x, const void *y)
{
    const device_sums *a = x, *b = y;

    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return strcmp(a->id, b->id);
}

static double share(double part, double whole)
{
    return whole > 0 ? fmin(part / whole, 1) : REAL_NONE;
}

static const char *copy_or_null(const char *string, arena *a)
{
    return string ? arena_copy(a, string, strlen(string)) : NULL;
}

static overview_device device_row(const device_sums *d, double window_ns, arena *a)
{
    const bool worked = d->has_work;

    return (overview_device){
        .device = arena_copy(a, d->id, strlen(d->id)),
        .name = copy_or_null(d->name, a),
        .compute_capability = copy_or_null(d->capability, a),
        .busy_ns = worked ? d->busy_ns : INT_NONE,
        .kernel_ns = worked ? d->kernel_ns : INT_NONE,
        .utilization = worked ? share((double)d->kernel_in_steps_ns, window_ns) : REAL_NONE,
        .sm_efficiency = d->sm_known ? share(d->sm_use_ns, window_ns) : REAL_NONE,
        .occupancy = share(d->occupancy_ns, d->occupancy_of_ns),
        .tensor_core_share = share((double)d->tensor_total_ns, (double)d->compute_total_ns),
        .memory_bytes = d->memory_bytes,
        .sm_count = d->sm_count,
    };
}

void overview_devices_add(overview *o, const worker *w, arena *a)
{
    arena *scratch = arena_create();
    device_table table = {.ids = {.arena = scratch}};
    double window_ns = 0;
    bool any_work = false;

    for (uint32_t i = 0; i < w->span_count; i++) {
        const window steps = steps_window(&w->spans[i].steps);
        window_ns += (double)(steps.end - steps.begin);
        any_work |= trace_has_device_work(w->spans[i].trace);
        add_span(&table, &w->spans[i], scratch);
    }
    if (table.count)
        qsort(table.at, table.count, sizeof(*table.at), by_number);

    o->devices = arena_new(a, overview_device, table.count);
    for (uint32_t i = 0; i < table.count; i++)
        if (table.at[i].has_work || !any_work)
            o->devices[o->device_count++] = device_row(&table.at[i], window_ns, a);
    arena_destroy(scratch);
}
