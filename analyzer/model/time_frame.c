// SPDX-License-Identifier: BSD-3-Clause
// When a recording was: its base time, and its window.
#include "model/time_frame.h"

// Stamps from here on, in 1973, count from the epoch; relative ones are below a quarter of a year.
static const int64_t ABSOLUTE_FROM = 100000000 * INT64_C(1000000000);

static void shift(trace *t, int64_t base)
{
    for (uint32_t i = 0; i < t->events.count; i++)
        t->events.begin[i] -= base;
    for (uint32_t i = 0; i < t->flow_count; i++)
        t->flows[i].time_ns -= base;
}

// Returns what was taken off all times. Those of files without baseTimeNanoseconds are absolute or,
// where the base was never stored, relative.
static int64_t settle_base(trace *t)
{
    const int64_t first = t->events.count ? t->events.begin[0] : 0;
    if (t->base_known)
        return 0;
    if (first < ABSOLUTE_FROM) {
        if (t->events.count)
            trace_note(t, "no_base_time", NOTE_INFO, ERROR_NO_OFFSET,
                       "times are relative, and the file does not say to what");
        return 0;
    }
    t->base_ns = first;
    t->base_known = true;
    shift(t, first);
    return first;
}

void time_frame_settle(trace *t, const window_marks *marks)
{
    const int64_t base = settle_base(t);
    const events *const e = &t->events;
    int64_t last = TIME_NONE;

    for (uint32_t i = 0; i < e->count; i++)
        last = event_end(e, i) > last ? event_end(e, i) : last;
    t->window_begin = e->count ? e->begin[0] : TIME_NONE;
    t->window_end = last;
    t->window_told = marks->span_seen || marks->end_seen;
    if (marks->span_seen) {
        t->window_begin = marks->span_begin - base;
        t->window_end = marks->span_end - base;
    } else if (marks->end_seen) {
        t->window_end = marks->end - base;
    }
}
