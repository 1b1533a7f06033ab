// SPDX-License-Identifier: BSD-3-Clause
// The few numbers that rules look at, from all analyses of a worker.
#include "diagnose/facts.h"

#include "analyze/statistics.h"
#include "base/id_map.h"

// The device with most work, the lowest of several; NULL where none worked.
static const overview_device *busiest_device(const overview *o)
{
    const overview_device *busiest = NULL;

    for (uint32_t i = 0; i < o->device_count; i++) {
        const overview_device *d = &o->devices[i];
        if (d->busy_ns != INT_NONE && (!busiest || d->busy_ns > busiest->busy_ns))
            busiest = d;
    }
    return busiest;
}

static void add_row(class_row *sums, const class_row *row)
{
    sums->wall_ns = add_saturated(sums->wall_ns, row->wall_ns);
    sums->compute_ns = add_saturated(sums->compute_ns, row->compute_ns);
    sums->communication_ns = add_saturated(sums->communication_ns, row->communication_ns);
    sums->copy_ns = add_saturated(sums->copy_ns, row->copy_ns);
    sums->idle_input_ns = add_saturated(sums->idle_input_ns, row->idle_input_ns);
    sums->idle_sync_ns = add_saturated(sums->idle_sync_ns, row->idle_sync_ns);
    sums->idle_copy_ns = add_saturated(sums->idle_copy_ns, row->idle_copy_ns);
    sums->idle_alloc_ns = add_saturated(sums->idle_alloc_ns, row->idle_alloc_ns);
    sums->idle_launch_ns = add_saturated(sums->idle_launch_ns, row->idle_launch_ns);
    sums->idle_host_ns = add_saturated(sums->idle_host_ns, row->idle_host_ns);
    sums->idle_device_ns = add_saturated(sums->idle_device_ns, row->idle_device_ns);
    sums->idle_unknown_ns = add_saturated(sums->idle_unknown_ns, row->idle_unknown_ns);
}

// The columns that make a class. Unmarked code of a host without any operator beside it may be
// anything, so there it is no loss.
static int64_t class_of_row(const class_row *r, bottleneck b, bool on_host)
{
    const bool unmarked_counts = !on_host || r->compute_ns > 0;

    switch (b) {
    case BOTTLENECK_INPUT:
        return r->idle_input_ns;
    case BOTTLENECK_SYNCHRONIZATION:
        return add_saturated(r->idle_sync_ns, r->idle_alloc_ns);
    case BOTTLENECK_COMMUNICATION:
        return r->communication_ns;
    case BOTTLENECK_COPY:
        return add_saturated(r->copy_ns, r->idle_copy_ns);
    case BOTTLENECK_LAUNCH:
        return add_saturated(add_saturated(r->idle_launch_ns, r->idle_device_ns),
                             unmarked_counts ? r->idle_host_ns : 0);
    case BOTTLENECK_COMPUTE:
        return r->compute_ns;
    case BOTTLENECKS:
        break;
    }
    return 0;
}

static bool counts(const facts *f, const class_row *row)
{
    return (row->complete || f->incomplete_too) && !strcmp(row->device, f->device);
}

static void sum_classes(facts *f)
{
    const class_table *classes = &f->all->classes;

    for (uint32_t i = 0; i < classes->count; i++) {
        if (!counts(f, &classes->at[i]))
            continue;
        f->steps++;
        add_row(&f->sums, &classes->at[i]);
    }
    f->wall_ns = f->sums.wall_ns;
    for (bottleneck b = 0; b < BOTTLENECKS; b++)
        f->class_ns[b] = class_of_row(&f->sums, b, f->on_host);
}

static void sum_kernels(facts *f)
{
    const kernel_table *by_name = &f->all->kernels.by_name;
    for (uint32_t i = 0; i < by_name->count; i++) {
        f->kernels += by_name->at[i].calls;
        f->kernels_ns = add_saturated(f->kernels_ns, by_name->at[i].total_ns);
    }
    const launches *l = &f->all->launches;
    for (uint32_t i = 0; i < l->count; i++)
        f->short_kernels += l->at[i].short_kernels;
}

static uint64_t hash_of(const char *name)
{
    return hash_bytes(name, strlen(name));
}

// Kernels that are known to do without matrix units although their operator could use them.
static void sum_missed_tensor_time(facts *f)
{
    const operator_table *ops = &f->all->operators.by_name;
    const kernel_table *by_operator = &f->all->kernels.by_operator;
    arena *scratch = arena_create();
    id_map eligible = {0};

    for (uint32_t i = 0; i < ops->count; i++) {
        f->operators_host_ns = add_saturated(f->operators_host_ns, ops->at[i].host_self_ns);
        if (ops->at[i].tensor_core_eligible == TRISTATE_TRUE)
            id_map_put(&eligible, scratch, hash_of(ops->at[i].name), i);
    }
    for (uint32_t i = 0; i < by_operator->count; i++) {
        const kernel_row *k = &by_operator->at[i];
        if (!k->operator_name || k->tensor_cores != TRISTATE_FALSE)
            continue;
        if (id_map_get(&eligible, hash_of(k->operator_name)) != ID_NONE)
            f->missed_tensor_ns = add_saturated(f->missed_tensor_ns, k->total_ns);
    }
    arena_destroy(scratch);
}

// Sums of the steps that stand out, and of the others.
typedef struct outlier_split {
    class_row out, rest;
    int64_t out_count, rest_count;
} outlier_split;

static outlier_split split_outliers(const facts *f, int64_t limit)
{
    const class_table *classes = &f->all->classes;
    outlier_split split = {0};

    for (uint32_t i = 0; i < classes->count; i++) {
        const class_row *row = &classes->at[i];
        if (!counts(f, row))
            continue;
        const bool out = row->wall_ns > limit;
        add_row(out ? &split.out : &split.rest, row);
        *(out ? &split.out_count : &split.rest_count) += 1;
    }
    return split;
}

// Which class grew most in the steps that stand out, on average.
static void explain_outliers(facts *f)
{
    const step_statistics *s = &f->all->overview.statistics;
    f->outlier_class = BOTTLENECKS;
    if (s->outliers.count == 0)
        return;

    const outlier_split split = split_outliers(f, s->outlier_over_ns);
    f->outlier_excess_ns =
        divide_half_even(split.out.wall_ns - (__int128_t)split.out_count * s->median_ns, 1);
    if (split.out_count == 0 || split.rest_count == 0)
        return;
    double most = 0;
    for (bottleneck b = 0; b < BOTTLENECKS; b++) {
        const double grown =
            (double)class_of_row(&split.out, b, f->on_host) / (double)split.out_count -
            (double)class_of_row(&split.rest, b, f->on_host) / (double)split.rest_count;
        if (grown > most) {
            most = grown;
            f->outlier_class = b;
        }
    }
}

facts facts_of(const analysis *all)
{
    const overview_device *busiest = busiest_device(&all->overview);
    facts f = {
        .all = all,
        .device = busiest ? busiest->device : "host",
        .device_row = busiest,
        .on_host = !busiest,
        .incomplete_too = worker_counts_incomplete(all->worker),
    };

    for (uint32_t i = 0; i < all->worker->span_count; i++)
        f.marked |= all->worker->spans[i].steps.marked;
    sum_classes(&f);
    sum_kernels(&f);
    sum_missed_tensor_time(&f);
    explain_outliers(&f);
    return f;
}

double facts_share(const facts *f, bottleneck b)
{
    return f->wall_ns > 0 ? (double)f->class_ns[b] / (double)f->wall_ns : REAL_NONE;
}

int64_t facts_per_step(const facts *f, int64_t sum_ns)
{
    return f->steps ? divide_half_even(sum_ns, f->steps) : INT_NONE;
}
