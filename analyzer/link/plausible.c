// SPDX-License-Identifier: BSD-3-Clause
// Durations of device work that cannot be.
#include "link/plausible.h"

// Work of a stream is serial but for programmatic dependent launch, where the next kernel starts
// microseconds before the one before it ends. It cannot start before that one's predecessor ends,
// so a second start has less room still.
static const int64_t OVERLAP_MAX_NS = 100000, SECOND_OVERLAP_MAX_NS = 10000;
// Where no mark tells the end of the recording, device work may well be the last that happened.
static const int64_t UNTOLD_SLACK_NS = INT64_C(600) * 1000000000;

static const int64_t NEVER = INT64_MAX;

// The latest distinct starts of a stream that were seen, going backwards in time.
typedef struct starts {
    int64_t first, second, third;
} starts;

static int64_t later(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

// Ends of device work are what is in doubt, so they do not tell when the recording ended.
recording recording_of(const trace *t)
{
    const events *const e = &t->events;
    recording r = {.end = INT64_MIN};

    for (uint32_t i = 0; i < e->count; i++)
        r.end = later(r.end, role_is_device(e->role[i]) ? e->begin[i] : event_end(e, i));
    if (t->window_told)
        r.end = later(r.end, t->window_end);
    r.slack = e->count ? r.end - e->begin[0] : 0;
    if (!t->window_told)
        r.slack = later(r.slack, UNTOLD_SLACK_NS);
    return r;
}

static void step_back(starts *s, int64_t begin)
{
    if (begin == s->first)
        return;
    s->third = s->second;
    s->second = s->first;
    s->first = begin;
}

static bool is_plausible(const starts *s, const recording *r, int64_t end)
{
    const bool over_next = s->second != NEVER && end - s->second > OVERLAP_MAX_NS;
    const bool over_second = s->third != NEVER && end - s->third > SECOND_OVERLAP_MAX_NS;
    return !over_next && !over_second && end - r->end <= r->slack;
}

static void clip(trace *t, uint32_t event, int64_t end)
{
    arena_reserve_one(t->arena, t->clipped, t->clipped_count, t->clipped_capacity);
    t->clipped[t->clipped_count++] = (clipped_duration){event, t->events.duration[event]};
    t->events.duration[event] = end - t->events.begin[event];
}

static void reverse(clipped_duration *at, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const clipped_duration swapped = at[i];
        at[i] = at[count - 1 - i];
        at[count - 1 - i] = swapped;
    }
}

void plausible_clip(trace *t, recording r)
{
    if (t->work_count == 0)
        return;
    const events *const e = &t->events;
    starts *const streams = arena_new(t->arena, starts, t->lane_count);

    for (uint32_t i = 0; i < t->lane_count; i++)
        streams[i] = (starts){NEVER, NEVER, NEVER};
    for (uint32_t k = t->work_count; k-- > 0;) {
        const uint32_t i = t->work[k];
        starts *const s = &streams[e->lane[i]];
        step_back(s, e->begin[i]);
        if (!is_plausible(s, &r, event_end(e, i)))
            clip(t, i, s->second != NEVER ? s->second : r.end);
    }
    reverse(t->clipped, t->clipped_count);
    arena_release(t->arena, streams);
    trace_note_many(t, "implausible_duration", NOTE_WARNING, t->clipped_count,
                    "device work that ran past the recording or over later work of its stream: "
                    "clipped, see raw_total_ns");
}
