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
    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t i = t->work[k];
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
        .detail = arena_new(a, uint32_t, count),
        .link = arena_new(a, uint32_t, count),
    };
}

// The new number of what had another, by a table of them; none stays none.
static uint32_t renumbered(uint32_t old, const uint32_t *numbers)
{
    return old == UINT32_MAX ? UINT32_MAX : numbers[old];
}

static void copy_event(events *to, uint32_t at, const events *from, uint32_t i,
                       const uint32_t *number)
{
    to->begin[at] = from->begin[i];
    to->duration[at] = from->duration[i];
    to->name[at] = from->name[i];
    to->lane[at] = from->lane[i];
    to->role[at] = from->role[i];
    to->detail[at] = from->detail[i];
    to->link[at] = renumbered(from->link[i], number);
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

// Returns the new index of each range, or RANGE_NONE.
static uint32_t *copy_ranges(trace *to, const trace *from, const uint32_t *number, arena *a)
{
    uint32_t *const moved = arena_new(a, uint32_t, from->range_count);

    to->ranges = arena_new(a, marked_range, from->range_count);
    to->range_count = 0;
    for (uint32_t i = 0; i < from->range_count; i++) {
        const marked_range r = from->ranges[i];
        moved[i] = number[r.event] == EVENT_NONE ? RANGE_NONE : to->range_count;
        if (moved[i] != RANGE_NONE)
            to->ranges[to->range_count++] =
                (marked_range){number[r.event], renumbered(r.around, moved)};
    }
    return moved;
}

// Returns the new index of each launch, or LAUNCH_NONE.
static uint32_t *copy_launches(trace *to, const trace *from, const uint32_t *number, arena *a)
{
    const uint32_t *const ranges = copy_ranges(to, from, number, a);
    uint32_t *const moved = arena_new(a, uint32_t, from->launch_count);

    to->launches = arena_new(a, launch, from->launch_count);
    to->launch_count = 0;
    for (uint32_t i = 0; i < from->launch_count; i++) {
        const launch l = from->launches[i];
        moved[i] = number[l.call] == EVENT_NONE ? LAUNCH_NONE : to->launch_count;
        if (moved[i] != LAUNCH_NONE)
            to->launches[to->launch_count++] = (launch){
                number[l.call], renumbered(l.in_operator, number), renumbered(l.in_range, ranges)};
    }
    return moved;
}

static void copy_work(trace *to, const trace *from, const uint32_t *number, arena *a)
{
    const uint32_t *const launches = copy_launches(to, from, number, a);

    to->work = arena_new(a, uint32_t, from->work_count);
    to->launched_by = arena_new(a, uint32_t, from->work_count);
    to->work_count = 0;
    for (uint32_t k = 0; k < from->work_count; k++) {
        if (number[from->work[k]] == EVENT_NONE)
            continue;
        to->work[to->work_count] = number[from->work[k]];
        to->launched_by[to->work_count++] = renumbered(from->launched_by[k], launches);
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
    copy_work(part, t, number, a);
    copy_sequences(part, t, number, a);
    copy_clipped(part, t, number, a);
    return part;
}
