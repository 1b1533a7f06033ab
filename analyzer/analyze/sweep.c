// SPDX-License-Identifier: BSD-3-Clause
// A walk through time that gives each instant to the first of several kinds that is busy then.
#include "analyze/sweep.h"

sweep sweep_from(unsigned kinds, int64_t now)
{
    sweep s = {.kinds = kinds, .now = now};

    for (unsigned k = 0; k < kinds; k++)
        s.until[k] = INT64_MIN;
    return s;
}

unsigned sweep_kind(const sweep *s)
{
    unsigned k = 0;

    while (k < s->kinds && s->until[k] <= s->now)
        k++;
    return k;
}

// Nothing starts in between, so the kind only changes where one ends.
void sweep_to(sweep *s, int64_t time)
{
    while (s->now < time) {
        const unsigned k = sweep_kind(s);
        const int64_t end = k < s->kinds && s->until[k] < time ? s->until[k] : time;
        s->total[k] += end - s->now;
        s->now = end;
    }
}

void sweep_add(sweep *s, unsigned kind, int64_t begin, int64_t end)
{
    sweep_to(s, begin);
    if (end > s->until[kind])
        s->until[kind] = end;
}

int64_t sweep_busy_until(const sweep *s)
{
    int64_t until = INT64_MIN;

    for (unsigned k = 0; k < s->kinds; k++)
        if (s->until[k] > until)
            until = s->until[k];
    return until;
}
