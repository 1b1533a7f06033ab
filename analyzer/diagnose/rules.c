// SPDX-License-Identifier: BSD-3-Clause
// The tables of what can be found: losses by class, and rules on single facts.
#include "diagnose/rules.h"

#include "analyze/statistics.h"
#include "diagnose/wording.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// How the loader's wait could be covered, where that can be told.
static const char *loader_hint(const facts *f, arena *a)
{
    const loader_summary *l = &f->all->dataloader.summary;

    if (!strcmp(l->loader, "multi_process"))
        return "; the loader has worker processes, too few or too slow";
    if (l->workers_suggested == INT_NONE)
        return "";
    return arena_printf(
        a, "; the loader works in this process, and %" PRId64 " worker%s would cover it (%s)",
        l->workers_suggested, l->workers_suggested == 1 ? "" : "s", l->assumption);
}

static const char *split_hint(const facts *f, bottleneck b, arena *a)
{
    const class_row *s = &f->sums;

    if (b == BOTTLENECK_INPUT)
        return loader_hint(f, a);
    if (b == BOTTLENECK_SYNCHRONIZATION && s->idle_alloc_ns > 0)
        return arena_printf(a, "; %s of it in allocation and freeing",
                            wording_share((double)s->idle_alloc_ns / (double)f->class_ns[b], a));
    if (b == BOTTLENECK_COPY && s->idle_copy_ns > 0)
        return arena_printf(a, "; %s of it behind blocking copies",
                            wording_share((double)s->idle_copy_ns / (double)f->class_ns[b], a));
    if (b == BOTTLENECK_LAUNCH && !f->on_host && f->class_ns[b] > 0)
        return arena_printf(a,
                            "; %s of it in operators and launches, %s in Python or unmarked "
                            "code, %s between launch and start",
                            wording_share((double)s->idle_launch_ns / (double)f->class_ns[b], a),
                            wording_share((double)s->idle_host_ns / (double)f->class_ns[b], a),
                            wording_share((double)s->idle_device_ns / (double)f->class_ns[b], a));
    return "";
}

const char *rules_share_evidence(const facts *f, bottleneck b, arena *a)
{
    const bottleneck_text *t = &BOTTLENECK_TEXTS[b];

    return arena_printf(a, "%s %s: %s of the time of %s, %s of %s%s", wording_device(f, a),
                        f->on_host ? t->host_does : t->does, wording_share(facts_share(f, b), a),
                        wording_steps(f, a), wording_time(facts_per_step(f, f->class_ns[b]), a),
                        f->marked ? "a mean step of " : "",
                        wording_time(facts_per_step(f, f->wall_ns), a));
}

const char *rules_loss_evidence(const facts *f, bottleneck b, arena *a)
{
    return arena_printf(a, "%s%s", rules_share_evidence(f, b, a), split_hint(f, b, a));
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : REAL_NONE;
}

// --- matrix units

static bool has_matrix_units(const facts *f)
{
    const char *capability = f->device_row ? f->device_row->compute_capability : NULL;

    return capability && atof(capability) >= 7;
}

static double missed_tensor_share(const facts *f)
{
    return has_matrix_units(f) ? ratio((double)f->missed_tensor_ns, (double)f->kernels_ns)
                               : REAL_NONE;
}

// If these kernels became twice as fast.
static int64_t missed_tensor_gain(const facts *f)
{
    const double share = missed_tensor_share(f);

    return isnan(share) || !f->steps
               ? INT_NONE
               : llrint(share * (double)f->class_ns[BOTTLENECK_COMPUTE] / 2 / (double)f->steps);
}

static const char *missed_tensor_evidence(const facts *f, arena *a)
{
    return arena_printf(a,
                        "%s of all kernel time of %s is of kernels without matrix units that "
                        "were launched by operators which could use them (gain: if these became "
                        "twice as fast)",
                        wording_share(missed_tensor_share(f), a), wording_extent(f));
}

// --- small kernels

static double short_kernel_share(const facts *f)
{
    return ratio((double)f->short_kernels, (double)f->kernels);
}

static int64_t launch_idle_gain(const facts *f)
{
    return facts_per_step(f, f->sums.idle_launch_ns);
}

static const char *short_kernel_evidence(const facts *f, arena *a)
{
    return arena_printf(
        a,
        "%s of %s kernels (%s) are shorter than the call that launched them (gain: the "
        "launch idle time, if it went)",
        wording_count(f->short_kernels, a), wording_count(f->kernels, a),
        wording_share(short_kernel_share(f), a));
}

// --- use of the multiprocessors

// Whether kernels run long enough for their shape to matter.
static bool computes_much(const facts *f)
{
    return facts_share(f, BOTTLENECK_COMPUTE) >= 0.3;
}

static double empty_warps(const facts *f)
{
    return f->device_row && computes_much(f) ? 1 - f->device_row->occupancy : REAL_NONE;
}

static const char *empty_warps_evidence(const facts *f, arena *a)
{
    return arena_printf(a,
                        "achieved occupancy of %s is %s: %s of the warp slots of its "
                        "multiprocessors stay empty while kernels run, weighted by their time in "
                        "the steps",
                        wording_device(f, a), wording_share(f->device_row->occupancy, a),
                        wording_share(empty_warps(f), a));
}

static double empty_processors(const facts *f)
{
    return f->device_row && computes_much(f)
               ? 1 - ratio(f->device_row->sm_efficiency, f->device_row->utilization)
               : REAL_NONE;
}

static const char *empty_processors_evidence(const facts *f, arena *a)
{
    return arena_printf(a,
                        "kernels run %s of the steps' time on %s, but fill only %s of its "
                        "multiprocessors over that time",
                        wording_share(f->device_row->utilization, a), wording_device(f, a),
                        wording_share(1 - empty_processors(f), a));
}

// --- copies from pageable memory

static double pageable_share(const facts *f)
{
    return ratio((double)f->all->transfers.pageable_ns, (double)f->wall_ns);
}

static int64_t pageable_gain(const facts *f)
{
    return facts_per_step(f, f->all->transfers.pageable_ns);
}

static const char *pageable_evidence(const facts *f, arena *a)
{
    const transfers *x = &f->all->transfers;

    return arena_printf(a,
                        "%s of %s copies in the steps (%s, %s) go through pageable memory, %s "
                        "of them in blocking calls: %s of the time of %s",
                        wording_count(x->pageable, a), wording_count(x->copies, a),
                        wording_time(x->pageable_ns, a), wording_bytes(x->pageable_bytes, a),
                        wording_count(x->pageable_blocking, a), wording_share(pageable_share(f), a),
                        wording_steps(f, a));
}

// --- steps that stand out

static double outlier_share(const facts *f)
{
    const step_statistics *s = &f->all->overview.statistics;

    return s->outliers.count ? ratio((double)s->outliers.count, (double)s->count) : REAL_NONE;
}

static int64_t outlier_gain(const facts *f)
{
    return facts_per_step(f, f->outlier_excess_ns);
}

enum { OUTLIERS_NAMED = 8 };

static const char *outlier_evidence(const facts *f, arena *a)
{
    const step_statistics *s = &f->all->overview.statistics;
    const char *names = "";

    for (uint32_t i = 0; i < s->outliers.count && i < OUTLIERS_NAMED; i++)
        names = arena_printf(a, "%s%s%s", names, i ? ", " : "", s->outliers.at[i]);
    if (s->outliers.count > OUTLIERS_NAMED)
        names = arena_printf(a, "%s and %u more", names, s->outliers.count - OUTLIERS_NAMED);
    const char *why = f->outlier_class == BOTTLENECKS
                          ? ""
                          : arena_printf(a, "; what grew most in them is the class %s",
                                         BOTTLENECK_TEXTS[f->outlier_class].word);
    return arena_printf(a,
                        "step%s %s: longer than %s where the median of %s "
                        "steps is %s, %s in all above it%s",
                        s->outliers.count == 1 ? "" : "s", names,
                        wording_time(s->outlier_over_ns, a), wording_count(s->count, a),
                        wording_time(s->median_ns, a), wording_time(f->outlier_excess_ns, a), why);
}

// --- hot spots

typedef struct hot_spot {
    const char *name, *of; // the time that `share` is of
    double share;
    int64_t calls;
} hot_spot;

static const char *hot_evidence(const facts *f, const hot_spot *h, arena *a)
{
    return arena_printf(a, "%s takes %s of %s of %s, in %s call%s: a candidate, not a proven cause",
                        h->name, wording_share(h->share, a), h->of, wording_extent(f),
                        wording_count(h->calls, a), h->calls == 1 ? "" : "s");
}

// The one with most time; what communicates is judged by its class.
static const kernel_row *hot_kernel(const facts *f)
{
    const kernel_table *k = &f->all->kernels.by_name;

    for (uint32_t i = 0; i < k->count; i++)
        if (!k->at[i].communicates)
            return &k->at[i];
    return NULL;
}

static const char *hot_kernel_name(const facts *f)
{
    return hot_kernel(f)->name;
}

static double hot_kernel_share(const facts *f)
{
    const kernel_row *k = hot_kernel(f);

    return k ? ratio((double)k->total_ns, (double)f->kernels_ns) : REAL_NONE;
}

static const char *hot_kernel_evidence(const facts *f, arena *a)
{
    const kernel_row *k = hot_kernel(f);
    const char *name = *k->name ? k->name : "a kernel without a name";
    const hot_spot spot = {name, "all kernel time", hot_kernel_share(f), k->calls};

    return hot_evidence(f, &spot, a);
}

static double hot_operator_share(const facts *f)
{
    const operator_table *o = &f->all->operators.by_name;

    return f->on_host && o->count
               ? ratio((double)o->at[0].host_self_ns, (double)f->operators_host_ns)
               : REAL_NONE;
}

static const char *hot_operator_name(const facts *f)
{
    return f->all->operators.by_name.at[0].name;
}

static const char *hot_operator_evidence(const facts *f, arena *a)
{
    const operator_row *o = &f->all->operators.by_name.at[0];
    const char *name = *o->name ? o->name : "an operator without a name";
    const hot_spot spot = {name, "the self time of all operators", hot_operator_share(f), o->calls};

    return hot_evidence(f, &spot, a);
}

// --- what the recording lacks

static double missing_device_records(const facts *f)
{
    const data_health *r = &f->all->data_health;

    return r->launch_calls > 0 && r->device_events == 0 ? 1 : REAL_NONE;
}

static const char *missing_device_evidence(const facts *f, arena *a)
{
    const data_health *r = &f->all->data_health;
    const char *logged = "";

    for (uint32_t i = 0; i < r->log_lines.count; i++)
        logged = arena_printf(a, "%s%s\"%s\"", logged, i ? ", " : "; the profiler logged ",
                              r->log_lines.at[i]);
    return arena_printf(a, "GPU records are missing: %s launches, 0 kernels%s%s%s",
                        wording_count(r->launch_calls, a),
                        r->gpu_status ? "; the recorder says: " : "",
                        r->gpu_status ? r->gpu_status : "", logged);
}

static double no_device_activity(const facts *f)
{
    const data_health *r = &f->all->data_health;
    const bool expected = r->listed_devices > 0 || r->gpu_status;

    return expected && r->launch_calls == 0 && r->device_events == 0 ? 1 : REAL_NONE;
}

static const char *no_device_evidence(const facts *f, arena *a)
{
    const data_health *r = &f->all->data_health;

    return arena_printf(a, "no GPU activity recorded, although the log lists %" PRId64 " GPU%s%s%s",
                        r->listed_devices, r->listed_devices == 1 ? "" : "s",
                        r->gpu_status ? "; the recorder says: " : "",
                        r->gpu_status ? r->gpu_status : "");
}

static double untold_idle_share(const facts *f)
{
    return ratio((double)f->sums.idle_unknown_ns, (double)f->wall_ns);
}

static const char *untold_idle_evidence(const facts *f, arena *a)
{
    return arena_printf(a,
                        "%s idles for %s of the time of %s before work without a launch record, so "
                        "the cause cannot be told",
                        wording_device(f, a), wording_share(untold_idle_share(f), a),
                        wording_steps(f, a));
}

static double devices_left_out(const facts *f)
{
    return f->all->classes.devices_left_out ? 1 : REAL_NONE;
}

static const char *left_out_evidence(const facts *f, arena *a)
{
    return arena_printf(a, "%u devices are not split into classes: there are too many",
                        f->all->classes.devices_left_out);
}

// clang-format off
const rule RULES[] = {
    {"tensor-cores-unused", BOTTLENECK_COMPUTE, 0.05,
     missed_tensor_share, missed_tensor_gain, missed_tensor_evidence,
     "lower precision: automatic mixed precision (bfloat16, float16) or TF32, and sizes that are "
     "multiples of 8", true, NULL},
    {"tiny-kernels", BOTTLENECK_LAUNCH, 0.50,
     short_kernel_share, launch_idle_gain, short_kernel_evidence,
     "fuse them (torch.compile, fused optimizers), replay them as a CUDA graph, or make the batch "
     "larger", true, NULL},
    {"low-occupancy", BOTTLENECK_COMPUTE, 0.75,
     empty_warps, NULL, empty_warps_evidence,
     "larger batches or sizes; in own kernels fewer registers and less shared memory a block", true, NULL},
    {"small-grids", BOTTLENECK_COMPUTE, 0.50,
     empty_processors, NULL, empty_processors_evidence,
     "larger batches or sizes, or several streams, so that every multiprocessor has a block", true, NULL},
    {"pageable-copies", BOTTLENECK_COPY, 0.01,
     pageable_share, pageable_gain, pageable_evidence,
     "pinned memory and asynchronous copies (pin_memory=True, non_blocking=True)", true, NULL},
    {"outlier-steps", BOTTLENECKS, 0.00,
     outlier_share, outlier_gain, outlier_evidence,
     "look at these steps in the trace: a checkpoint, a validation, a compilation, a slow input",
     true, NULL},
    {"hot-kernel", BOTTLENECK_COMPUTE, 0.25,
     hot_kernel_share, NULL, hot_kernel_evidence,
     "look at it first in the kernel table, with the operator that launches it", true,
     hot_kernel_name},
    {"hot-operator", BOTTLENECK_COMPUTE, 0.25,
     hot_operator_share, NULL, hot_operator_evidence,
     "look at it first in the operator table, by input shape and by call stack", true,
     hot_operator_name},
    {"gpu-records-missing", BOTTLENECKS, 1.00,
     missing_device_records, NULL, missing_device_evidence,
     "likely causes: no permission to profile (CUPTI), another profiler attached, or a collection "
     "that failed; all figures here are of the host", false, NULL},
    {"no-gpu-activity", BOTTLENECKS, 1.00,
     no_device_activity, NULL, no_device_evidence,
     "was GPU activity asked for (ProfilerActivity.CUDA), and did the program use the GPU? All "
     "figures here are of the host", false, NULL},
    {"idle-cause-unknown", BOTTLENECKS, 0.05,
     untold_idle_share, NULL, untold_idle_evidence,
     "record the host too (ProfilerActivity.CPU), so that launches are in the log", true, NULL},
    {"devices-left-out", BOTTLENECKS, 1.00,
     devices_left_out, NULL, left_out_evidence,
     "narrow the steps or the devices", false, NULL},
};
// clang-format on

const uint32_t RULE_COUNT = ARRAY_LEN(RULES);
