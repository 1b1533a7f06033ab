// SPDX-License-Identifier: BSD-3-Clause
// What becomes of an intake when all records are there: order, base time, window, lanes.
#include "model/intake_state.h"

#include "base/both.h"

void intake_order(intake *in, bool side_by_side)
{
    arena_release(in->trace->arena, in->order);
    in->order = events_order(&in->trace->events, in->trace->arena, side_by_side);
    in->ordered = true;
}

static void settle_times(void *self)
{
    intake *const in = self;
    time_frame_settle(in->trace, &in->marks);
}

static void count_roles(void *self)
{
    intake *const in = self;
    in->census = health_count(in->trace);
}

int64_t intake_first_time(const intake *in)
{
    const events *const e = &in->trace->events;
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < e->count; i++)
        if (e->begin[i] != 0 && e->begin[i] < first)
            first = e->begin[i];
    return first;
}

// Their rows were in order by the time 0, if they were.
void intake_mend_zero_times(intake *in, int64_t first)
{
    static const int64_t DAY = INT64_C(86400) * 1000000000;
    events *const e = &in->trace->events;

    if (in->zero_times == 0 || first < DAY || first == INT64_MAX)
        return;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->begin[i] == 0)
            e->begin[i] = first;
    in->mended_times += in->zero_times;
    in->zero_times = 0;
    if (in->ordered)
        intake_order(in, false);
}

trace *intake_finish(intake *in, bool side_by_side)
{
    trace *const t = in->trace;

    if (in->zero_times)
        intake_mend_zero_times(in, intake_first_time(in));
    trace_note_many(t, "zero_time", NOTE_WARNING, in->mended_times,
                    "events at the time 0, long before all others, as broken device records are: "
                    "taken for the beginning of the trace");

    trace_note_many(t, "missing_duration", NOTE_WARNING, open_ranges_left(&in->ranges),
                    "an event without a duration was counted with 0");
    if (!in->ordered)
        intake_order(in, side_by_side);
    uint32_t *moved = NULL;
    events_sort_as(&t->events, in->order, t->arena, side_by_side,
                   t->sequence_count ? &moved : NULL);
    for (uint32_t i = 0; moved && i < t->sequence_count; i++)
        t->sequences[i].event = moved[t->sequences[i].event];
    arena_release(t->arena, moved);

    do_both(side_by_side, settle_times, count_roles, in);
    lanes_finish(&in->lanes);
    health_note_all(t, in->census);
    strings_settle(&t->strings);
    arena_destroy(in->scratch); // which holds the intake itself
    return t;
}
