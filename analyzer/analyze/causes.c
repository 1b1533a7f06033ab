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

causes causes_of(const trace *t, arena *a)
{
    const events *e = &t->events;
    uint32_t *first = arena_new(a, uint32_t, (size_t)t->lane_count + 2);

    for (uint32_t i = 0; i < e->count; i++)
        if (cause_of(t, i) != CAUSE_HOST)
            first[e->lane[i] + 2]++;
    for (uint32_t thread = 2; thread < t->lane_count + 2; thread++)
        first[thread] += first[thread - 1];

    uint32_t *at = arena_new(a, uint32_t, first[t->lane_count + 1]);
    for (uint32_t i = 0; i < e->count; i++)
        if (cause_of(t, i) != CAUSE_HOST)
            at[first[e->lane[i] + 1]++] = i;
    return (causes){t, a, at, first, arena_new(a, cause_line, t->lane_count)};
}

// From `begin` on the thread is in `what`.
static void line_add(cause_line *line, arena *a, int64_t begin, cause what)
{
    if (line->count && line->cause[line->count - 1] == what)
        return;
    if (line->count && line->begin[line->count - 1] == begin) { // no time passed in the last one
        line->count--;
        line_add(line, a, begin, what);
        return;
    }
    arena_reserve_one(a, line->begin, line->count, line->capacity);
    arena_reserve_one(a, line->cause, line->count, line->cause_capacity);
    line->begin[line->count] = begin;
    line->cause[line->count++] = (uint8_t)what;
}

// Up to `time`, or, with INT64_MAX, to the end of all that is open.
static void line_to(cause_line *line, arena *a, sweep *s, int64_t time)
{
    while (s->now < time) {
        const cause what = (cause)sweep_kind(s);
        line_add(line, a, s->now, what);
        if (what == CAUSE_HOST && time == INT64_MAX)
            return;
        const int64_t end = what == CAUSE_HOST ? time : s->until[what];
        sweep_to(s, end < time ? end : time);
    }
}

static const cause_line *line_of(causes *c, uint32_t thread)
{
    cause_line *line = &c->lines[thread];
    if (line->made)
        return line;

    const events *e = &c->trace->events;
    const uint32_t *at = c->events + c->first[thread];
    const uint32_t count = c->first[thread + 1] - c->first[thread];
    sweep s = sweep_from(CAUSE_HOST, count ? e->begin[at[0]] : 0);
    for (uint32_t i = 0; i < count; i++) {
        line_to(line, c->arena, &s, e->begin[at[i]]);
        sweep_add(&s, cause_of(c->trace, at[i]), e->begin[at[i]], event_end(e, at[i]));
    }
    line_to(line, c->arena, &s, INT64_MAX);
    line->made = true;
    return line;
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

void causes_charge(causes *c, uint32_t thread, uint32_t other, int64_t begin, int64_t end,
                   int64_t spent[CAUSES])
{
    if (thread == LANE_NONE) {
        spent[CAUSE_HOST] += end - begin;
        return;
    }
    const cause_line *line = line_of(c, thread);
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
