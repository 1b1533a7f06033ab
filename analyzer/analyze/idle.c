// SPDX-License-Identifier: BSD-3-Clause
// Where each instant of a step goes: the bottleneck classes, per step and device.
#include "analyze/idle.h"

#include "analyze/causes.h"
#include "analyze/device_events.h"
#include "analyze/idle_host.h"
#include "analyze/sweep.h"
#include "timeline/interval.h"

#include <stdlib.h>

// What a device does, in order of precedence.
enum { COMPUTE, COMMUNICATION, COPY, IDLE };

// A device's work in order of begin, and how far it has been looked at.
typedef struct device_walk {
    const trace *trace;
    const causes *causes;
    const uint32_t *at;
    uint32_t count;
    uint32_t next;      // the first that has not begun yet
    uint32_t gap_next;  // the first that begins at or after the end of the last gap
    uint32_t gap_group; // the one whose gap_chosen is known
    uint32_t gap_chosen;
    sweep sweep;
} device_walk;

static int64_t begin_of(const device_walk *d, uint32_t i)
{
    return d->trace->events.begin[d->at[i]];
}

static unsigned work_kind(const trace *t, uint32_t event)
{
    if (t->events.role[event] != ROLE_KERNEL)
        return COPY;
    return event_flags(t, event) & NAME_COMMUNICATION ? COMMUNICATION : COMPUTE;
}

// Streams are numbers in all known traces; texts come behind numbers.
static bool stream_before(const trace *t, uint32_t x, uint32_t y)
{
    const text a = strings_text(&t->strings, t->lanes[t->events.lane[x]].thread);
    const text b = strings_text(&t->strings, t->lanes[t->events.lane[y]].thread);
    char *a_end, *b_end;
    const long long a_number = strtoll(a.at, &a_end, 10), b_number = strtoll(b.at, &b_end, 10);
    const bool a_is = a.length && !*a_end, b_is = b.length && !*b_end;

    if (a_is != b_is)
        return a_is;
    return a_is ? a_number < b_number : strcmp(a.at, b.at) < 0;
}

// The operation that ends a gap: the first to begin at or after `end`; of several the one on the
// lowest stream. EVENT_NONE where none comes.
static uint32_t gap_ender(device_walk *d, int64_t end)
{
    while (d->gap_next < d->count && begin_of(d, d->gap_next) < end)
        d->gap_next++;
    if (d->gap_next == d->count)
        return EVENT_NONE;
    if (d->gap_group == d->gap_next)
        return d->gap_chosen;

    const int64_t begin = begin_of(d, d->gap_next);
    uint32_t chosen = d->at[d->gap_next];
    for (uint32_t i = d->gap_next + 1; i < d->count && begin_of(d, i) == begin; i++)
        if (stream_before(d->trace, d->at[i], chosen))
            chosen = d->at[i];
    d->gap_group = d->gap_next;
    d->gap_chosen = chosen;
    return chosen;
}

static void charge_causes(device_walk *d, class_row *row, uint32_t thread, uint32_t other,
                          interval gap)
{
    int64_t spent[CAUSES] = {0};

    causes_charge(d->causes, thread, other, gap.begin, gap.end, spent);
    row->idle_input_ns += spent[CAUSE_INPUT];
    row->idle_sync_ns += spent[CAUSE_SYNC];
    row->idle_copy_ns += spent[CAUSE_COPY];
    row->idle_alloc_ns += spent[CAUSE_ALLOC];
    row->idle_launch_ns += spent[CAUSE_LAUNCH];
    row->idle_host_ns += spent[CAUSE_HOST];
}

// Before the launching call has returned the host is late; afterwards the device waits.
static void charge_gap(device_walk *d, class_row *row, uint32_t step_lane, interval gap)
{
    const events *e = &d->trace->events;
    const uint32_t next = gap_ender(d, gap.end);
    if (next == EVENT_NONE) {
        charge_causes(d, row, step_lane, UINT32_MAX, gap);
        return;
    }
    const uint32_t call = e->link[next];
    if (call == EVENT_NONE) {
        row->idle_unknown_ns += gap.end - gap.begin;
        return;
    }
    int64_t cut = event_end(e, call);
    cut = cut < gap.begin ? gap.begin : cut > gap.end ? gap.end : cut;
    row->idle_device_ns += gap.end - cut;
    if (cut > gap.begin)
        charge_causes(d, row, e->lane[call], step_lane, (interval){gap.begin, cut});
}

// Goes on to `time`, inside the step of `row`.
static void walk_to(device_walk *d, class_row *row, uint32_t step_lane, int64_t time)
{
    const int64_t now = d->sweep.now, busy = sweep_busy_until(&d->sweep);
    const int64_t idle_from = busy > now ? busy : now;

    sweep_to(&d->sweep, time);
    if (idle_from < time)
        charge_gap(d, row, step_lane, (interval){idle_from, time});
}

static void begin_next(device_walk *d)
{
    const uint32_t event = d->at[d->next++];
    const events *e = &d->trace->events;

    sweep_add(&d->sweep, work_kind(d->trace, event), e->begin[event], event_end(e, event));
}

// Work without duration ends no gap and fills none.
static bool next_is_empty(const device_walk *d)
{
    return d->trace->events.duration[d->at[d->next]] == 0;
}

static void walk_step(device_walk *d, const step *s, class_row *row)
{
    while (d->next < d->count && begin_of(d, d->next) < s->begin)
        begin_next(d);
    sweep_to(&d->sweep, s->begin);

    const sweep before = d->sweep;
    while (d->next < d->count && begin_of(d, d->next) < s->end) {
        if (next_is_empty(d)) {
            d->next++;
            continue;
        }
        walk_to(d, row, s->lane, begin_of(d, d->next));
        begin_next(d);
    }
    walk_to(d, row, s->lane, s->end);
    row->compute_ns = d->sweep.total[COMPUTE] - before.total[COMPUTE];
    row->communication_ns = d->sweep.total[COMMUNICATION] - before.total[COMMUNICATION];
    row->copy_ns = d->sweep.total[COPY] - before.total[COPY];
}

// Rows of a device stand `stride` apart, since steps come first in the order of rows.
static void walk_device(device_walk *d, const step_list *steps, class_row *rows, uint32_t stride)
{
    if (steps->count == 0)
        return;
    const int64_t begin = steps->at[0].begin;
    d->gap_group = d->count;
    d->sweep = sweep_from(IDLE, d->count && begin_of(d, 0) < begin ? begin_of(d, 0) : begin);
    for (uint32_t i = 0; i < steps->count; i++)
        walk_step(d, &steps->at[i], &rows[(size_t)i * stride]);
}

// Only broken logs get near these.
enum { DEVICES_AT_MOST = 256, ROWS_AT_MOST = 1 << 20 };

static uint32_t working_devices(const trace *t)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < t->device_count; d++)
        count += t->devices[d].has_work;
    return count;
}

// Devices that get rows; at least one where any worked.
static uint32_t row_devices(const span *s)
{
    uint32_t most = s->steps.count ? ROWS_AT_MOST / s->steps.count : ROWS_AT_MOST;
    if (most > DEVICES_AT_MOST)
        most = DEVICES_AT_MOST;
    if (most == 0)
        most = 1;
    const uint32_t working = working_devices(s->trace);
    return working < most ? working : most;
}

static void name_rows(class_row *rows, const span *s, uint32_t stride, arena *a)
{
    const char *span_name = arena_copy(a, s->name, strlen(s->name));

    for (uint32_t i = 0; i < s->steps.count; i++) {
        const step *from = &s->steps.at[i];
        const char *name = arena_copy(a, from->name, strlen(from->name));
        for (uint32_t d = 0; d < stride; d++) {
            class_row *row = &rows[(size_t)i * stride + d];
            row->step = name;
            row->span = span_name;
            row->wall_ns = from->end - from->begin;
            row->complete = from->complete;
        }
    }
}

static void name_device(class_row *rows, uint32_t steps, uint32_t stride, const char *name)
{
    for (uint32_t i = 0; i < steps; i++)
        rows[(size_t)i * stride].device = name;
}

static void walk_devices(const span *s, class_row *rows, uint32_t stride, arena *a)
{
    arena *scratch = arena_create();
    const trace *t = s->trace;
    const device_events work = device_events_of(t, scratch);
    const causes host = causes_of(t, scratch);

    for (uint32_t d = 0, done = 0; done < stride; d++) {
        if (!t->devices[d].has_work)
            continue;
        done++;
        device_walk walk = {
            .trace = t,
            .causes = &host,
            .at = work.at + work.first[d],
            .count = work.first[d + 1] - work.first[d],
        };
        const text id = strings_text(&t->strings, t->devices[d].id);
        name_device(rows, s->steps.count, stride, arena_copy(a, id.at, id.length));
        walk_device(&walk, &s->steps, rows, stride);
        rows++;
    }
    arena_destroy(scratch);
}

class_table classes_analyze(const worker *w, arena *a)
{
    class_table table = {0};
    size_t count = 0;
    for (uint32_t i = 0; i < w->span_count; i++) {
        const uint32_t devices = row_devices(&w->spans[i]);
        count += (size_t)w->spans[i].steps.count * (devices ? devices : 1);
    }

    table.at = arena_new(a, class_row, count);
    for (uint32_t i = 0; i < w->span_count; i++) {
        const span *s = &w->spans[i];
        const uint32_t devices = row_devices(s), stride = devices ? devices : 1;
        class_row *rows = table.at + table.count;
        name_rows(rows, s, stride, a);
        if (devices)
            walk_devices(s, rows, stride, a);
        else
            idle_host_fill(s, rows);
        table.count += s->steps.count * stride;
        table.devices_left_out += working_devices(s->trace) - devices;
    }
    return table;
}
