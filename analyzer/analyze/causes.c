// SPDX-License-Identifier: BSD-3-Clause
// What a host thread is in at each instant, as far as it can keep a device waiting.
#include "analyze/causes.h"

#include "analyze/loader_marks.h"
#include "analyze/sweep.h"

#define LANE_NONE UINT32_MAX

// CAUSE_HOST where an event is none.
static cause cause_of(const trace *t, uint32_t event)
{
    const role r = (role)t->events.role[event];

    if (event_is_loader(t, event))
        return CAUSE_INPUT;
    if (r == ROLE_OPERATOR)
        return CAUSE_LAUNCH;
    if (!role_is_call(r))
        return CAUSE_HOST;

    const uint32_t flags = event_flags(t, event);
    if (flags & NAME_SYNC_CALL)
        return CAUSE_SYNC;
    if (flags & NAME_COPY_CALL)
        return CAUSE_COPY;
    return flags & NAME_ALLOC_CALL ? CAUSE_ALLOC : CAUSE_LAUNCH;
}

static void reserve(cause_line *line, arena *a)
{
    if (line->count < line->capacity)
        return;
    const uint32_t old = line->capacity, wanted = old ? old * 2 : 64;
    line->begin = arena_grow(a, line->begin, sizeof(*line->begin), old, wanted);
    line->cause = arena_grow(a, line->cause, sizeof(*line->cause), old, wanted);
    line->capacity = wanted;
}

// From `begin` on the thread is in `what`.
static void line_add(cause_line *line, arena *a, int64_t begin, cause what)
{
    if (line->count && line->begin[line->count - 1] == begin)
        line->count--; // no time passed in the last one
    if (line->count && line->cause[line->count - 1] == what)
        return;
    reserve(line, a);
    line->begin[line->count] = begin;
    line->cause[line->count++] = (uint8_t)what;
}

// Up to `time`, or, with INT64_MAX, to the end of all that is open.
static void line_to(cause_line *line, arena *a, sweep *s, int64_t time)
{
    while (s->now < time) {
        const cause what = (cause)s->kind;
        line_add(line, a, s->now, what);
        if (what == CAUSE_HOST && time == INT64_MAX)
            return;
        sweep_to(s, s->until[what] < time ? s->until[what] : time);
    }
}

causes causes_of(const trace *t, arena *a)
{
    const events *e = &t->events;
    const causes c = {arena_new(a, cause_line, t->lane_count)};
    sweep *const sweeps = arena_new(a, sweep, t->lane_count);

    for (uint32_t i = 0; i < e->count; i++) {
        const cause what = cause_of(t, i);
        if (what == CAUSE_HOST)
            continue;
        sweep *const s = &sweeps[e->lane[i]];
        if (s->kinds == 0)
            *s = sweep_from(CAUSE_HOST, e->begin[i]);
        if (event_end(e, i) <= s->until[what])
            continue; // it is in that until then anyway
        line_to(&c.lines[e->lane[i]], a, s, e->begin[i]);
        sweep_add(s, what, e->begin[i], event_end(e, i));
    }
    for (uint32_t i = 0; i < t->lane_count; i++)
        if (sweeps[i].kinds)
            line_to(&c.lines[i], a, &sweeps[i], INT64_MAX);
    return c;
}

// The last segment that begins at or before `time`; `count` where there is none.
static uint32_t segment_at(const cause_line *line, int64_t time)
{
    uint32_t low = 0, high = line->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (line->begin[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : line->count;
}

// A piece of a line: what the thread is in from `begin` on, and up to where.
typedef struct piece {
    cause what;
    int64_t end;
} piece;

static piece piece_at(const cause_line *line, uint32_t segment, int64_t end)
{
    if (segment == line->count) // before the first
        return (piece){CAUSE_HOST, line->count && line->begin[0] < end ? line->begin[0] : end};
    const bool last = segment + 1 == line->count;
    return (piece){(cause)line->cause[segment],
                   !last && line->begin[segment + 1] < end ? line->begin[segment + 1] : end};
}

void causes_charge(const causes *c, uint32_t thread, uint32_t other, int64_t begin, int64_t end,
                   int64_t spent[CAUSES])
{
    if (thread == LANE_NONE) {
        spent[CAUSE_HOST] += end - begin;
        return;
    }
    const cause_line *line = &c->lines[thread];
    uint32_t segment = segment_at(line, begin);
    while (begin < end) {
        const piece p = piece_at(line, segment, end);
        if (p.what == CAUSE_HOST && other != LANE_NONE && other != thread)
            causes_charge(c, other, LANE_NONE, begin, p.end, spent);
        else
            spent[p.what] += p.end - begin;
        segment = segment == line->count ? 0 : segment + 1;
        begin = p.end;
    }
}
