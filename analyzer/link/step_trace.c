// SPDX-License-Identifier: BSD-3-Clause
// A trace of some steps only.
#include "link/step_trace.h"

typedef enum extent { EXTENT_MARK, EXTENT_WINDOW } extent;

// Whether `time` is inside a step. *at moves on with times that do not decrease.
static bool inside(const step_list *steps, uint32_t *at, extent of, int64_t time)
{
    for (; *at < steps->count; (*at)++) {
        const step *s = &steps->at[*at];
        if (time < (of == EXTENT_MARK ? s->host_end : s->end))
            return time >= (of == EXTENT_MARK ? s->host_begin : s->begin);
    }
    return false;
}

// The new index of each event, or EVENT_NONE where it is left out; *count of those kept.
static uint32_t *number_kept(const trace *t, const step_list *steps, arena *a, uint32_t *count)
{
    const events *e = &t->events;
    uint32_t *number = arena_new(a, uint32_t, e->count);
    uint32_t mark = 0, window = 0;

    // Work may begin before its launch by the clocks, so hosts come first.
    for (uint32_t i = 0; i < e->count; i++)
        number[i] = !role_is_device(e->role[i]) && inside(steps, &mark, EXTENT_MARK, e->begin[i])
                        ? 0
                        : EVENT_NONE;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!role_is_device(e->role[i]))
            continue;
        const bool unlinked = e->link[i] == EVENT_NONE;
        const bool kept = unlinked ? inside(steps, &window, EXTENT_WINDOW, e->begin[i])
                                   : number[e->link[i]] != EVENT_NONE;
        number[i] = kept ? 0 : EVENT_NONE;
    }
    *count = 0;
    for (uint32_t i = 0; i < e->count; i++)
        if (number[i] != EVENT_NONE)
            number[i] = (*count)++;
    return number;
}

static events events_with_room(uint32_t count, arena *a)
{
    return (events){
        .count = count,
        .capacity = count,
        .begin = arena_new(a, int64_t, count),
        .duration = arena_new(a, int64_t, count),
        .name = arena_new(a, uint32_t, count),
        .lane = arena_new(a, uint32_t, count),
        .role = arena_new(a, uint8_t, count),
        .correlation = arena_new(a, uint32_t, count),
        .external = arena_new(a, uint32_t, count),
        .detail = arena_new(a, uint32_t, count),
        .link = arena_new(a, uint32_t, count),
    };
}

static void copy_event(events *to, uint32_t at, const events *from, uint32_t i,
                       const uint32_t *number)
{
    to->begin[at] = from->begin[i];
    to->duration[at] = from->duration[i];
    to->name[at] = from->name[i];
    to->lane[at] = from->lane[i];
    to->role[at] = from->role[i];
    to->correlation[at] = from->correlation[i];
    to->external[at] = from->external[i];
    to->detail[at] = from->detail[i];
    to->link[at] = from->link[i] == EVENT_NONE ? EVENT_NONE : number[from->link[i]];
}

static void copy_sequences(trace *to, const trace *from, const uint32_t *number, arena *a)
{
    to->sequences = arena_new(a, sequence_mark, from->sequence_count);
    to->sequence_count = 0;
    for (uint32_t i = 0; i < from->sequence_count; i++) {
        sequence_mark mark = from->sequences[i];
        mark.event = number[mark.event];
        if (mark.event != EVENT_NONE)
            to->sequences[to->sequence_count++] = mark;
    }
}

static void copy_clipped(trace *to, const trace *from, const uint32_t *number, arena *a)
{
    to->clipped = arena_new(a, clipped_duration, from->clipped_count);
    to->clipped_count = 0;
    for (uint32_t i = 0; i < from->clipped_count; i++) {
        clipped_duration clipped = from->clipped[i];
        clipped.event = number[clipped.event];
        if (clipped.event != EVENT_NONE)
            to->clipped[to->clipped_count++] = clipped;
    }
}

const trace *step_trace(const trace *t, const step_list *steps, arena *a)
{
    trace *part = arena_new(a, trace, 1);
    uint32_t count;
    const uint32_t *number = number_kept(t, steps, a, &count);

    *part = *t;
    part->events = events_with_room(count, a);
    for (uint32_t i = 0; i < t->events.count; i++)
        if (number[i] != EVENT_NONE)
            copy_event(&part->events, number[i], &t->events, i, number);
    copy_sequences(part, t, number, a);
    copy_clipped(part, t, number, a);
    return part;
}
