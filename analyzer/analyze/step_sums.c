// SPDX-License-Identifier: BSD-3-Clause
// Exclusive times of kinds inside each step of a span, in one pass however the steps lie.
#include "analyze/step_sums.h"

#include <stdlib.h>

// A time at which the sums are looked at.
typedef enum point_kind { STEP_BEGIN, STEP_END, WAIT_BEGIN, WAIT_END } point_kind;

typedef struct point {
    int64_t time;
    uint32_t index; // of the step, or of the loader's thread
    point_kind kind;
} point;

typedef struct points {
    point *at;
    uint32_t count;
} points;

// The waits of a thread up to now.
typedef struct wait_state {
    int64_t passed[SWEEP_KINDS + 1]; // inside the waits that have ended
    int64_t since[SWEEP_KINDS + 1];  // the sums where the open one began
    bool open;
} wait_state;

typedef struct summer {
    sweep sweep;
    const span *span;
    const loader_marks *marks;
    wait_state *waits; // by thread of marks
    step_sum *sums;
} summer;

static int by_time(const void *x, const void *y)
{
    const point *a = x, *b = y;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static points points_of(const span *s, const loader_marks *marks, arena *a)
{
    uint32_t count = s->steps.count;
    for (uint32_t i = 0; marks && i < marks->count; i++)
        count += marks->threads[i].waits.count;

    points p = {.at = arena_new(a, point, (size_t)count * 2)};
    for (uint32_t i = 0; i < s->steps.count; i++) {
        p.at[p.count++] = (point){s->steps.at[i].begin, i, STEP_BEGIN};
        p.at[p.count++] = (point){s->steps.at[i].end, i, STEP_END};
    }
    for (uint32_t i = 0; marks && i < marks->count; i++) {
        const interval_set waits = marks->threads[i].waits;
        for (uint32_t k = 0; k < waits.count; k++) {
            p.at[p.count++] = (point){waits.at[k].begin, i, WAIT_BEGIN};
            p.at[p.count++] = (point){waits.at[k].end, i, WAIT_END};
        }
    }
    if (p.count)
        qsort(p.at, p.count, sizeof(*p.at), by_time);
    return p;
}

static void look_at_wait(summer *m, wait_state *wait, bool begins)
{
    for (unsigned k = 0; k <= m->sweep.kinds; k++) {
        if (begins)
            wait->since[k] = m->sweep.total[k];
        else
            wait->passed[k] += m->sweep.total[k] - wait->since[k];
    }
    wait->open = begins;
}

static const wait_state *wait_of(const summer *m, uint32_t host_lane)
{
    if (!m->marks)
        return NULL;
    const loader_thread *thread = loader_marks_thread(m->marks, host_lane);
    return thread ? &m->waits[thread - m->marks->threads] : NULL;
}

// A step's sums are those at its end less those at its begin.
static void look_at_step(summer *m, uint32_t index, int sign)
{
    const wait_state *wait = wait_of(m, m->span->steps.at[index].lane);
    step_sum *sum = &m->sums[index];

    for (unsigned k = 0; k <= m->sweep.kinds; k++) {
        sum->whole[k] += sign * m->sweep.total[k];
        if (!wait)
            continue;
        sum->waiting[k] += sign * wait->passed[k];
        if (wait->open)
            sum->waiting[k] += sign * (m->sweep.total[k] - wait->since[k]);
    }
}

static void look(summer *m, const point *p)
{
    switch (p->kind) {
    case STEP_BEGIN:
        look_at_step(m, p->index, -1);
        break;
    case STEP_END:
        look_at_step(m, p->index, 1);
        break;
    case WAIT_BEGIN:
        look_at_wait(m, &m->waits[p->index], true);
        break;
    case WAIT_END:
        look_at_wait(m, &m->waits[p->index], false);
        break;
    }
}

step_sum *step_sums_of(const span *s, const loader_marks *marks, busy_feed feed, arena *a)
{
    const points p = points_of(s, marks, a);
    summer m = {
        .span = s,
        .marks = marks,
        .waits = arena_new(a, wait_state, marks ? marks->count : 0),
        .sums = arena_new(a, step_sum, s->steps.count),
        .sweep = sweep_from(feed.kinds, p.count ? p.at[0].time : 0),
    };
    busy b;
    bool more = feed.next(feed.self, &b);

    for (uint32_t i = 0; i < p.count; i++) {
        for (; more && b.begin < p.at[i].time; more = feed.next(feed.self, &b))
            sweep_add(&m.sweep, b.kind, b.begin, b.end);
        sweep_to(&m.sweep, p.at[i].time);
        look(&m, &p.at[i]);
    }
    return m.sums;
}
