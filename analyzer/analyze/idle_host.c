// SPDX-License-Identifier: BSD-3-Clause
// The classes of a log without device work: operators are the compute, waits the idle time.
#include "analyze/idle_host.h"

#include "analyze/step_sums.h"

// In order of precedence; the wait of the step's thread for its loader comes before them.
enum { COMPUTE, COMMUNICATION, SYNC, HOST_KINDS };

// Two lists in order of begin, merged: events, and what is left of the operators of threads that
// also wait for loaders, once these waits are taken out.
typedef struct host_feed {
    const trace *trace;
    const loader_marks *marks;
    uint32_t event;
    interval_set cleared;
    uint32_t interval;
} host_feed;

// HOST_KINDS where an event is none.
static unsigned host_kind(const trace *t, uint32_t event)
{
    const role r = (role)t->events.role[event];
    const uint32_t flags = event_flags(t, event);

    if (event_is_loader(t, event))
        return HOST_KINDS;
    if ((r == ROLE_OPERATOR || r == ROLE_ANNOTATION) && flags & NAME_COLLECTIVE)
        return COMMUNICATION;
    if (r == ROLE_OPERATOR)
        return COMPUTE;
    return role_is_call(r) && flags & NAME_SYNC_CALL ? SYNC : HOST_KINDS;
}

static bool is_cleared(const host_feed *f, uint32_t event)
{
    return f->marks->of_lane[f->trace->events.lane[event]] != 0;
}

static interval_set operators_outside_waits(const trace *t, const loader_marks *marks, arena *a)
{
    const events *e = &t->events;
    interval_set *operators = arena_new(a, interval_set, marks->count);
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t thread = marks->of_lane[e->lane[i]];
        if (thread && host_kind(t, i) == COMPUTE)
            intervals_append(&operators[thread], a, e->begin[i], event_end(e, i));
    }

    interval_set all = {0};
    for (uint32_t thread = 1; thread < marks->count; thread++) {
        const interval_set left =
            intervals_subtract(operators[thread], marks->threads[thread].waits, a);
        for (uint32_t i = 0; i < left.count; i++) {
            arena_reserve_one(a, all.at, all.count, all.capacity);
            all.at[all.count++] = left.at[i];
        }
    }
    return intervals_from(all.at, all.count, a);
}

// The next event that is of a kind and not in the cleared list.
static void skip_events(host_feed *f)
{
    const events *e = &f->trace->events;

    for (; f->event < e->count; f->event++) {
        const unsigned kind = host_kind(f->trace, f->event);
        if (kind != HOST_KINDS && (kind != COMPUTE || !is_cleared(f, f->event)))
            return;
    }
}

static bool next_host(void *self, busy *out)
{
    host_feed *f = self;
    const events *e = &f->trace->events;

    skip_events(f);
    const bool event = f->event < e->count, cleared = f->interval < f->cleared.count;
    if (!event && !cleared)
        return false;
    if (!event || (cleared && f->cleared.at[f->interval].begin <= e->begin[f->event])) {
        const interval i = f->cleared.at[f->interval++];
        *out = (busy){i.begin, i.end, COMPUTE};
        return true;
    }
    *out = (busy){e->begin[f->event], event_end(e, f->event), host_kind(f->trace, f->event)};
    f->event++;
    return true;
}

static void fill_row(class_row *row, const step_sum *sum)
{
    row->device = "host";
    for (unsigned k = 0; k <= HOST_KINDS; k++)
        row->idle_input_ns += sum->waiting[k];
    row->compute_ns = sum->whole[COMPUTE] - sum->waiting[COMPUTE];
    row->communication_ns = sum->whole[COMMUNICATION] - sum->waiting[COMMUNICATION];
    row->idle_sync_ns = sum->whole[SYNC] - sum->waiting[SYNC];
    row->idle_host_ns = sum->whole[HOST_KINDS] - sum->waiting[HOST_KINDS];
}

void idle_host_fill(const span *s, class_row *rows)
{
    arena *scratch = arena_create();
    const loader_marks marks = loader_marks_of(s->trace, scratch);
    host_feed host = {
        .trace = s->trace,
        .marks = &marks,
        .cleared = operators_outside_waits(s->trace, &marks, scratch),
    };
    const busy_feed feed = {&host, next_host, HOST_KINDS};
    const step_sum *sums = step_sums_of(s, &marks, feed, scratch);

    for (uint32_t i = 0; i < s->steps.count; i++)
        fill_row(&rows[i], &sums[i]);
    arena_destroy(scratch);
}
