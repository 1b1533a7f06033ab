// SPDX-License-Identifier: BSD-3-Clause
// The classes of a log without device work: operators are the compute, waits the idle time.
#include "analyze/idle_host.h"

#include "analyze/step_sums.h"

// In order of precedence; the wait of the step's thread for its loader comes before them.
enum { COMPUTE, COMMUNICATION, SYNC, HOST_KINDS };

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

// Whether the operators of an event's thread are taken with its waits cut out of them.
static bool is_cleared(const trace *t, const loader_marks *marks, uint32_t event)
{
    return marks->of_lane[t->events.lane[event]] != 0;
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

static const step_sum *sum_host(const span *s, const loader_marks *marks, arena *a)
{
    const trace *t = s->trace;
    const events *e = &t->events;
    const interval_set cleared = operators_outside_waits(t, marks, a);
    step_sums host = step_sums_begin(s, marks, HOST_KINDS, a);
    uint32_t next = 0;

    for (uint32_t i = 0; i < e->count; i++) {
        const unsigned kind = host_kind(t, i);
        if (kind == HOST_KINDS || (kind == COMPUTE && is_cleared(t, marks, i)))
            continue;
        for (; next < cleared.count && cleared.at[next].begin <= e->begin[i]; next++)
            step_sums_add(&host, COMPUTE, cleared.at[next].begin, cleared.at[next].end);
        step_sums_add(&host, kind, e->begin[i], event_end(e, i));
    }
    for (; next < cleared.count; next++)
        step_sums_add(&host, COMPUTE, cleared.at[next].begin, cleared.at[next].end);
    return step_sums_end(&host);
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
    const step_sum *sums = sum_host(s, &marks, scratch);

    for (uint32_t i = 0; i < s->steps.count; i++)
        fill_row(&rows[i], &sums[i]);
    arena_destroy(scratch);
}
