// SPDX-License-Identifier: BSD-3-Clause
// Data-loader waits: exposed where the device idles meanwhile, hidden where it works.
#include "analyze/dataloader.h"

#include "analyze/device_events.h"
#include "analyze/statistics.h"
#include "analyze/step_sums.h"

// The one kind: any device of the process works.
enum { BUSY, IDLE };

static const step_sum *sum_work(const span *s, const loader_marks *marks, arena *a)
{
    const trace *t = s->trace;
    step_sums work = step_sums_begin(s, marks, IDLE, a);

    for (uint32_t k = 0; k < t->work_count; k++)
        step_sums_add(&work, BUSY, t->events.begin[t->work[k]], event_end(&t->events, t->work[k]));
    return step_sums_end(&work);
}

// Returns the name flags of the span's loader marks.
static uint32_t add_span(dataloader *d, const span *s, arena *a)
{
    arena *scratch = arena_create();
    const loader_marks marks = loader_marks_of(s->trace, scratch);
    const step_sum *sums = sum_work(s, &marks, scratch);
    const char *name = arena_copy(a, s->name, strlen(s->name));

    for (uint32_t i = 0; i < s->steps.count; i++) {
        const step *from = &s->steps.at[i];
        const int64_t hidden = sums[i].waiting[BUSY], exposed = sums[i].waiting[IDLE];
        d->steps[d->step_count++] = (loader_step){
            .step = arena_copy(a, from->name, strlen(from->name)),
            .span = name,
            .wall_ns = from->end - from->begin,
            .wait_ns = hidden + exposed,
            .exposed_ns = exposed,
            .hidden_ns = hidden,
        };
    }
    arena_destroy(scratch);
    return marks.flags;
}

static const char *loader_kind(uint32_t flags)
{
    if (!(flags & NAME_LOADER))
        return "none";
    const bool single = flags & NAME_LOADER_SINGLE, multi = flags & NAME_LOADER_MULTI;
    if (single == multi)
        return "unknown"; // neither tells, or both kinds are used
    return single ? "single_process" : "multi_process";
}

// Sums over the steps that count.
typedef struct loader_sums {
    int64_t steps, wall, wait, exposed;
} loader_sums;

static loader_sums sums_of(const dataloader *d, const worker *w)
{
    const bool all = worker_counts_incomplete(w);
    loader_sums sums = {0};
    uint32_t row = 0;

    for (uint32_t i = 0; i < w->span_count; i++)
        for (uint32_t k = 0; k < w->spans[i].steps.count; k++, row++) {
            if (!all && !w->spans[i].steps.at[k].complete)
                continue;
            sums.steps++;
            sums.wall = add_saturated(sums.wall, d->steps[row].wall_ns);
            sums.wait = add_saturated(sums.wait, d->steps[row].wait_ns);
            sums.exposed = add_saturated(sums.exposed, d->steps[row].exposed_ns);
        }
    return sums;
}

// Whole loaders that together deliver a batch in the time a step takes without the wait.
static int64_t workers_for(const loader_sums *s)
{
    const int64_t rest = s->wall - s->exposed;

    if (s->wait <= 0 || rest <= 0)
        return INT_NONE;
    return s->wait / rest + (s->wait % rest != 0);
}

static const char *assumption_of(const char *kind, const loader_sums *s)
{
    if (!strcmp(kind, "none"))
        return "no data-loader mark in this log";
    if (!strcmp(kind, "multi_process"))
        return "how long a worker process takes for a batch is not recorded, so no number of "
               "workers can be given";
    if (!strcmp(kind, "unknown"))
        return "the marks do not tell one loader that works in this process, so no number of "
               "workers can be given";
    if (workers_for(s) == INT_NONE)
        return "no step waits for the loader, or the steps do nothing else";
    return "assumes that loading scales with the number of worker processes: the cores are free "
           "and "
           "the storage keeps up";
}

static void summarise(dataloader *d, const worker *w, uint32_t flags)
{
    const loader_sums s = sums_of(d, w);
    const char *kind = loader_kind(flags);
    const bool one_process = !strcmp(kind, "single_process");

    d->summary = (loader_summary){
        .loader = kind,
        .wait_share = s.wall > 0 ? (double)s.wait / (double)s.wall : REAL_NONE,
        .exposed_share = s.wall > 0 ? (double)s.exposed / (double)s.wall : REAL_NONE,
        .step_without_exposed_ns =
            s.steps ? divide_half_even((__int128_t)s.wall - s.exposed, s.steps) : INT_NONE,
        .workers_suggested = one_process ? workers_for(&s) : INT_NONE,
        .assumption = assumption_of(kind, &s),
    };
}

dataloader dataloader_analyze(const worker *w, arena *a)
{
    dataloader d = {.steps = arena_new(a, loader_step, worker_step_count(w))};
    uint32_t flags = 0;

    for (uint32_t i = 0; i < w->span_count; i++)
        flags |= add_span(&d, &w->spans[i], a);
    summarise(&d, w, flags);
    return d;
}
