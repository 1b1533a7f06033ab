// SPDX-License-Identifier: BSD-3-Clause
// Steps with their exclusive roles, and their statistics.
#include "analyze/overview.h"

#include "analyze/device_events.h"
#include "analyze/environment.h"
#include "analyze/overview_devices.h"
#include "analyze/statistics.h"
#include "analyze/step_sums.h"

#include <stdlib.h>

// Roles of a step's time, in order of precedence; what is left is `other`.
enum { KERNEL, MEMCPY, MEMSET, COMMUNICATION, RUNTIME, LOADER, CPU_EXEC, ROLES };

// Whether a host range is a collective that itself communicates. One of a device library only
// launches kernels, which tell the time themselves, unless the log has no device work at all.
static bool host_communicates(const trace *t, uint32_t event)
{
    if (!(event_flags(t, event) & NAME_COLLECTIVE))
        return false;
    const text name = trace_name(t, event);
    return t->work_count == 0 || text_starts(name, TEXT("gloo:")) ||
           text_starts(name, TEXT("mpi:"));
}

static unsigned host_kind(const trace *t, uint32_t event)
{
    if (event_is_loader(t, event))
        return LOADER;
    if (host_communicates(t, event))
        return COMMUNICATION;
    return t->events.role[event] == ROLE_OPERATOR ? CPU_EXEC : ROLES;
}

// ROLES where the event has none. A user's annotation is no execution: only what runs inside is.
static unsigned kind_of(const trace *t, uint32_t event)
{
    switch (t->events.role[event]) {
    case ROLE_KERNEL:
        return event_flags(t, event) & NAME_COMMUNICATION ? COMMUNICATION : KERNEL;
    case ROLE_MEMCPY:
        return MEMCPY;
    case ROLE_MEMSET:
        return MEMSET;
    case ROLE_RUNTIME:
    case ROLE_DRIVER:
        return RUNTIME;
    case ROLE_OPERATOR:
    case ROLE_ANNOTATION:
        return host_kind(t, event);
    default:
        return ROLES;
    }
}

static const step_sum *sum_roles(const span *s, arena *a)
{
    const trace *t = s->trace;
    step_sums roles = step_sums_begin(s, NULL, ROLES, a);

    for (uint32_t i = 0; i < t->events.count; i++) {
        const unsigned kind = kind_of(t, i);
        if (kind != ROLES)
            step_sums_add(&roles, kind, t->events.begin[i], event_end(&t->events, i));
    }
    return step_sums_end(&roles);
}

static overview_step step_row(const step *s, const step_sum *sum, const char *span_name, arena *a)
{
    const int64_t *roles = sum->whole;

    return (overview_step){
        .step = arena_copy(a, s->name, strlen(s->name)),
        .span = span_name,
        .begin_ns = s->begin,
        .wall_ns = s->end - s->begin,
        .host_begin_ns = s->host_begin,
        .host_wall_ns = s->host_end - s->host_begin,
        .complete = s->complete ? TRISTATE_TRUE : TRISTATE_FALSE,
        .kernel_ns = roles[KERNEL],
        .memcpy_ns = roles[MEMCPY],
        .memset_ns = roles[MEMSET],
        .communication_ns = roles[COMMUNICATION],
        .runtime_ns = roles[RUNTIME],
        .data_loader_ns = roles[LOADER],
        .cpu_exec_ns = roles[CPU_EXEC],
        .other_ns = roles[ROLES],
    };
}

static void add_steps(overview *o, const span *s, arena *a)
{
    arena *scratch = arena_create();
    const step_sum *sums = sum_roles(s, scratch);
    const char *name = arena_copy(a, s->name, strlen(s->name));

    for (uint32_t i = 0; i < s->steps.count; i++)
        o->steps[o->step_count++] = step_row(&s->steps.at[i], &sums[i], name, a);
    arena_destroy(scratch);
}

// Steps stand out above median + max(3 * 1.4826 * MAD, 0.1 * median); rounded down, since walls are
// whole ns.
static int64_t outlier_limit(const int64_t *walls, uint32_t count, int64_t median, arena *a)
{
    int64_t *off = arena_new(a, int64_t, count);

    for (uint32_t i = 0; i < count; i++)
        off[i] = walls[i] < median ? median - walls[i] : walls[i] - median;
    statistics_sort(off, count, a);
    const __int128_t spread = (__int128_t)44478 * statistics_median(off, count);
    const __int128_t tenth = (__int128_t)1000 * median;
    const __int128_t limit = median + (spread > tenth ? spread : tenth) / 10000;
    return limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
}

enum { OUTLIERS_FROM = 5 };

static void find_outliers(overview *o, const int64_t *walls, bool all, arena *a)
{
    step_statistics *s = &o->statistics;
    s->outlier_over_ns = INT_NONE;
    if (s->count < OUTLIERS_FROM) {
        s->outlier_note = "fewer than 5 complete steps: none can be said to stand out";
        return;
    }

    s->outlier_over_ns = outlier_limit(walls, (uint32_t)s->count, s->median_ns, a);
    const char **names = arena_new(a, const char *, o->step_count);
    for (uint32_t i = 0; i < o->step_count; i++) {
        const overview_step *row = &o->steps[i];
        if ((all || row->complete == TRISTATE_TRUE) && row->wall_ns > s->outlier_over_ns)
            names[s->outliers.count++] = row->step;
    }
    s->outliers.at = names;
}

static void describe_steps(overview *o, const worker *w, arena *a)
{
    const bool all = worker_counts_incomplete(w);
    int64_t *walls = arena_new(a, int64_t, o->step_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->step_count; i++)
        if (all || o->steps[i].complete == TRISTATE_TRUE)
            walls[count++] = o->steps[i].wall_ns;

    const statistics s = statistics_of(walls, count, a);
    const int64_t batch = environment_batch_size(w);
    o->statistics = (step_statistics){
        .count = s.count,
        .mean_ns = s.mean,
        .median_ns = s.median,
        .p95_ns = s.p95,
        .min_ns = s.min,
        .max_ns = s.max,
        .stdev_ns = s.stdev,
        .throughput_per_s = batch > 0 && s.total > 0
                                ? (double)batch * (double)count * 1e9 / (double)s.total
                                : REAL_NONE,
    };
    find_outliers(o, walls, all, a);
}

overview overview_analyze(const worker *w, arena *a)
{
    overview o = {.steps = arena_new(a, overview_step, worker_step_count(w))};

    for (uint32_t i = 0; i < w->span_count; i++)
        add_steps(&o, &w->spans[i], a);
    describe_steps(&o, w, a);
    overview_devices_add(&o, w, a);
    environment_add(&o, w, a);
    return o;
}
