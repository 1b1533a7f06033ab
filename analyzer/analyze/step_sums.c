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

typedef struct look_list {
    point *at;
    uint32_t count, next;
} look_list;

// The waits of a thread up to now.
typedef struct wait_state {
    int64_t passed[SWEEP_KINDS + 1]; // inside the waits that have ended
    int64_t since[SWEEP_KINDS + 1];  // the sums where the open one began
    bool open;
} wait_state;

static int by_time(const void *x, const void *y)
{
    const point *a = x, *b = y;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static look_list *looks_of(const span *s, const loader_marks *marks, arena *a)
{
    uint32_t count = s->steps.count;
    for (uint32_t i = 0; marks && i < marks->count; i++)
        count += marks->threads[i].waits.count;

    look_list *const l = arena_new(a, look_list, 1);
    l->at = arena_new(a, point, (size_t)count * 2);
    for (uint32_t i = 0; i < s->steps.count; i++) {
        l->at[l->count++] = (point){s->steps.at[i].begin, i, STEP_BEGIN};
        l->at[l->count++] = (point){s->steps.at[i].end, i, STEP_END};
    }
    for (uint32_t i = 0; marks && i < marks->count; i++) {
        const interval_set waits = marks->threads[i].waits;
        for (uint32_t k = 0; k < waits.count; k++) {
            l->at[l->count++] = (point){waits.at[k].begin, i, WAIT_BEGIN};
            l->at[l->count++] = (point){waits.at[k].end, i, WAIT_END};
        }
    }
    if (l->count)
        qsort(l->at, l->count, sizeof(*l->at), by_time);
    return l;
}

static void look_at_wait(step_sums *m, wait_state *wait, bool begins)
{
    for (unsigned k = 0; k <= m->sweep.kinds; k++) {
        if (begins)
            wait->since[k] = m->sweep.total[k];
        else
            wait->passed[k] += m->sweep.total[k] - wait->since[k];
    }
    wait->open = begins;
}

static const wait_state *wait_of(const step_sums *m, uint32_t host_lane)
{
    if (!m->marks)
        return NULL;
    const loader_thread *thread = loader_marks_thread(m->marks, host_lane);
    return thread ? &m->waits[thread - m->marks->threads] : NULL;
}

// A step's sums are those at its end less those at its begin.
static void look_at_step(step_sums *m, uint32_t index, int sign)
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

static void look(step_sums *m, const point *p)
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

step_sums step_sums_begin(const span *s, const loader_marks *marks, unsigned kinds, arena *a)
{
    look_list *const looks = looks_of(s, marks, a);
    const int64_t first = looks->count ? looks->at[0].time : INT64_MAX;

    return (step_sums){
        .sweep = sweep_from(kinds, first),
        .next_look = first,
        .span = s,
        .marks = marks,
        .looks = looks,
        .waits = arena_new(a, wait_state, marks ? marks->count : 0),
        .sums = arena_new(a, step_sum, s->steps.count),
    };
}

void step_sums_look(step_sums *m, int64_t time)
{
    look_list *const l = m->looks;

    for (; l->next < l->count && l->at[l->next].time <= time; l->next++) {
        sweep_to(&m->sweep, l->at[l->next].time);
        look(m, &l->at[l->next]);
    }
    m->next_look = l->next < l->count ? l->at[l->next].time : INT64_MAX;
}

const step_sum *step_sums_end(step_sums *m)
{
    step_sums_look(m, INT64_MAX);
    return m->sums;
}
