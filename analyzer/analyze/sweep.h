// SPDX-License-Identifier: BSD-3-Clause
// A walk through time that gives each instant to the first of several kinds that is busy then.
// Inline, since it is asked for each event.
#ifndef ANALYZE_SWEEP_H
#define ANALYZE_SWEEP_H

#include <stdint.h>

enum { SWEEP_KINDS = 7 };

// Kinds count from 0, the first in precedence. Constant memory, one pass.
typedef struct sweep {
    unsigned kinds;
    unsigned kind; // the first that is busy now, or `kinds`
    int64_t now;
    int64_t until[SWEEP_KINDS + 1]; // each kind is busy up to there; [kinds]: for ever
    int64_t total[SWEEP_KINDS + 1]; // exclusive times so far; [kinds]: nothing is busy
} sweep;

// Starts at `now`, with nothing busy.
static inline sweep sweep_from(unsigned kinds, int64_t now)
{
    sweep s = {.kinds = kinds, .kind = kinds, .now = now};

    for (unsigned k = 0; k < kinds; k++)
        s.until[k] = INT64_MIN;
    s.until[kinds] = INT64_MAX;
    return s;
}

// Goes on to `time`; an earlier one is ignored. Nothing starts in between, so the kind only changes
// where one ends.
static inline void sweep_to(sweep *s, int64_t time)
{
    while (s->now < time) {
        const int64_t end = s->until[s->kind] < time ? s->until[s->kind] : time;
        s->total[s->kind] += end - s->now;
        s->now = end;
        while (s->until[s->kind] <= s->now && s->kind < s->kinds)
            s->kind++;
    }
}

// Goes on to `begin`, where `kind` becomes busy up to `end`. Begins must come in order. What
// changes nothing, since the kind is busy until then anyway, may leave the sweep where it is.
static inline void sweep_add(sweep *s, unsigned kind, int64_t begin, int64_t end)
{
    if (end <= s->until[kind])
        return;
    sweep_to(s, begin);
    s->until[kind] = end;
    if (kind < s->kind && end > s->now)
        s->kind = kind;
}

// The end of all that is busy now; in the past where nothing is.
static inline int64_t sweep_busy_until(const sweep *s)
{
    int64_t until = INT64_MIN;

    for (unsigned k = 0; k < s->kinds; k++)
        if (s->until[k] > until)
            until = s->until[k];
    return until;
}

#endif
