// SPDX-License-Identifier: BSD-3-Clause
// Overview, classes and loader of the reference cases: each figure is one that the case's EXPECT.md
// states.
#include "support/cmocka_all.h"

#include "analyze/dataloader.h"
#include "analyze/idle.h"
#include "analyze/overview.h"
#include "support/log_lines.h"

#include <math.h>

// The figure of a step or device, by name; shares in millionths. INT_NONE: unknown.
typedef struct case_figure {
    const char *file, *figure, *of;
    int64_t value;
} case_figure;

#define CASE(folder, name) folder "/" name ".pt.trace.json"

// clang-format off
static const case_figure FIGURES[] = {
    {CASE("05-truncated-json", "whole_4.1750000000001"),    "busy", "0", 400000},
    {CASE("05-truncated-json", "noclose_3.1750000000001"),  "busy", "0", 400000},
    {CASE("05-truncated-json", "cutstr_1.1750000000001"),   "busy", "0", 280000},
    {CASE("05-truncated-json", "cutcomma_2.1750000000001"), "busy", "0", 200000},
    {CASE("09-same-stream-overlap", "pdl_1.1750000000001"), "busy", "0", 200000},
    {CASE("09-same-stream-overlap", "pdl_1.1750000000001"), "utilization", "0", 500000},
    {CASE("09-same-stream-overlap", "pdl_1.1750000000001"), "wall", "0", 400000},
    {CASE("09-same-stream-overlap", "pdl_1.1750000000001"), "compute", "0", 200000},
    {CASE("11-zero-duration", "zero_1.1750000000001"), "busy", "0", 20000},
    {CASE("11-zero-duration", "zero_1.1750000000001"), "utilization", "0", 100000},
    {CASE("13-negative-and-missing-duration", "neg_1.1750000000001"), "busy", "0", 40000},
    {CASE("13-negative-and-missing-duration", "neg_1.1750000000001"), "utilization", "0", 80000},
    {CASE("14-ns-precision", "abs_1.1712195495519"), "busy", "0", 999},
    {CASE("14-ns-precision", "rel_2.1712195495519"), "busy", "0", 999},
    {CASE("14-ns-precision", "abs_1.1712195495519"), "wall", "0", 10001},
    {CASE("14-ns-precision", "rel_2.1712195495519"), "wall", "0", 10001},
    {CASE("17-category-names-old-new", "old_1.1623143089861"), "busy", "0", 80000},
    {CASE("17-category-names-old-new", "new_2.1750000000001"), "busy", "0", 80000},
    {CASE("17-category-names-old-new", "old_1.1623143089861"), "utilization", "0", 200000},
    {CASE("17-category-names-old-new", "new_2.1750000000001"), "utilization", "0", 200000},
    {CASE("17-category-names-old-new", "old_1.1623143089861"), "mean", "", 300000},
    {CASE("17-category-names-old-new", "new_2.1750000000001"), "mean", "", 300000},
    {CASE("18-array-root", "legacy_1.1677000000000"), "mean", "", 351000},
    {CASE("19-gpu-annotation-double-count", "ann_1.1750000000001"), "busy", "0", 160000},
    {CASE("19-gpu-annotation-double-count", "ann_1.1750000000001"), "utilization", "0", 160000},
    {CASE("19-gpu-annotation-double-count", "ann_1.1750000000001"), "compute", "0", 60000},
    {CASE("19-gpu-annotation-double-count", "ann_1.1750000000001"), "communication", "0", 100000},
    {CASE("21-cuda-graph-replay", "graph_1.1750000000001"), "busy", "0", 220000},
    {CASE("21-cuda-graph-replay", "graph_1.1750000000001"), "utilization", "0", 220000},
    {CASE("23-driver-launch-triton", "triton_1.1750000000001"), "busy", "0", 100000},
    {CASE("24-nccl-names", "comm_1.1750000000001"), "communication", "0", 150000},
    {CASE("24-nccl-names", "comm_1.1750000000001"), "compute", "0", 20000},
    {CASE("24-nccl-names", "nocomm_2.1750000000001"), "communication", "0", 0},
    {CASE("26-straggler-and-clock-skew", "rank0_5000.1750000000001"), "communication", "0", 220000},
    {CASE("26-straggler-and-clock-skew", "rank1_5001.1750000000003"), "communication", "0", 120000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "steps", "", 3},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "busy", "0", 1650000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "wait", "10", 300000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "wait", "12", 300000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "wall", "10", 950000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "host_wall", "10", 900000},
    {CASE("31-dataloader-and-device-tail", "load_1.1750000000001"), "utilization", "0", 559322},
    // The case counts the annotation around all (400 us); a log without marks reaches from the first
    // operator to the last device work, since a range may stand open for long without any.
    {CASE("33-no-steps-no-rank", "infer_1.1750000000001"), "wall", "all", 310000},
    {CASE("33-no-steps-no-rank", "infer_1.1750000000001"), "busy", "0", 80000},
    {CASE("33-no-steps-no-rank", "infer_1.1750000000001"), "utilization", "0", 258065},
    {CASE("34-gpu-only", "gpuonly_1.1750000000001"), "wall", "all", 180000},
    {CASE("34-gpu-only", "gpuonly_1.1750000000001"), "busy", "0", 80000},
    {CASE("34-gpu-only", "gpuonly_1.1750000000001"), "utilization", "0", 444444},
    {CASE("35-cpu-only-gpu-missing", "launches_2.1750000000001"), "mean", "", 500000},
    {CASE("35-cpu-only-gpu-missing", "launches_2.1750000000001"), "sync", "0", 250000},
    {CASE("35-cpu-only-gpu-missing", "launches_2.1750000000001"), "utilization", "0", INT_NONE},
    {CASE("35-cpu-only-gpu-missing", "nocuda_1.1750000000001"), "mean", "", 500000},
    {CASE("35-cpu-only-gpu-missing", "nocuda_1.1750000000001"), "compute", "0", 100000},
    {CASE("35-cpu-only-gpu-missing", "nocuda_1.1750000000001"), "utilization", "0", INT_NONE},
    {CASE("35-cpu-only-gpu-missing", "cpumachine_3.1750000000001"), "compute", "0", 100000},
    {CASE("35-cpu-only-gpu-missing", "cpumachine_3.1750000000001"), "devices", "", 0},
    {CASE("37-several-gpus-one-process", "two_1.1750000000001"), "busy", "0", 100000},
    {CASE("37-several-gpus-one-process", "two_1.1750000000001"), "utilization", "0", 100000},
    {CASE("37-several-gpus-one-process", "two_1.1750000000001"), "busy", "3", 340000},
    {CASE("37-several-gpus-one-process", "two_1.1750000000001"), "kernel", "3", 300000},
    {CASE("37-several-gpus-one-process", "two_1.1750000000001"), "utilization", "3", 300000},
    {CASE("37-several-gpus-one-process", "hip_2.1750000000001"), "busy", "9", 50000},
    {CASE("37-several-gpus-one-process", "hip_2.1750000000001"), "busy", "2", 25000},
    {CASE("37-several-gpus-one-process", "hip_2.1750000000001"), "sm_count", "9", INT_NONE},
    {CASE("38-odd-ids", "ids_1.1750000000001"), "busy", "0", 70000},
    {CASE("39-sloppy-json", "comma_1.1750000000001"), "busy", "0", 40000},
    {CASE("39-sloppy-json", "comma_1.1750000000001"), "mean", "", 1000000},
    {CASE("39-sloppy-json", "empty_2.1750000000001"), "busy", "0", 40000},
    {CASE("39-sloppy-json", "nan_3.1750000000001"), "busy", "0", 40000},
    {CASE("39-sloppy-json", "dupkey_4.1750000000001"), "busy", "0", 40000},
};
// clang-format on

typedef struct analysed {
    overview overview;
    class_table classes;
    dataloader dataloader;
} analysed;

static int64_t millionths(double share)
{
    return isnan(share) ? INT_NONE : (int64_t)(share * 1e6 + 0.5);
}

static bool device_figure(const analysed *x, const case_figure *f, int64_t *value)
{
    for (uint32_t i = 0; i < x->overview.device_count; i++) {
        const overview_device *d = &x->overview.devices[i];
        if (strcmp(d->device, f->of))
            continue;
        *value = !strcmp(f->figure, "busy")          ? d->busy_ns
                 : !strcmp(f->figure, "kernel")      ? d->kernel_ns
                 : !strcmp(f->figure, "utilization") ? millionths(d->utilization)
                 : !strcmp(f->figure, "sm_count")    ? d->sm_count
                                                     : -1;
        return *value != -1;
    }
    return false;
}

static bool step_figure(const analysed *x, const case_figure *f, int64_t *value)
{
    for (uint32_t i = 0; i < x->overview.step_count; i++) {
        const overview_step *s = &x->overview.steps[i];
        if (strcmp(s->step, f->of))
            continue;
        *value = !strcmp(f->figure, "wall")        ? s->wall_ns
                 : !strcmp(f->figure, "host_wall") ? s->host_wall_ns
                 : !strcmp(f->figure, "wait")      ? x->dataloader.steps[i].wait_ns
                                                   : -1;
        return *value != -1;
    }
    return false;
}

// Classes are summed over all steps and devices.
static bool class_figure(const analysed *x, const case_figure *f, int64_t *value)
{
    int64_t compute = 0, communication = 0, sync = 0;

    for (uint32_t i = 0; i < x->classes.count; i++) {
        compute += x->classes.at[i].compute_ns;
        communication += x->classes.at[i].communication_ns;
        sync += x->classes.at[i].idle_sync_ns;
    }
    *value = !strcmp(f->figure, "compute")         ? compute
             : !strcmp(f->figure, "communication") ? communication
             : !strcmp(f->figure, "sync")          ? sync
             : !strcmp(f->figure, "steps")         ? (int64_t)x->overview.step_count
             : !strcmp(f->figure, "devices")       ? (int64_t)x->overview.device_count
             : !strcmp(f->figure, "mean")          ? x->overview.statistics.mean_ns
                                                   : -1;
    return *value != -1;
}

static void cases_have_their_figures(void **state)
{
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(FIGURES); i++) {
        const case_figure *f = &FIGURES[i];
        log_lines log = {0};
        log_add_case(&log, f->file);
        const analysed x = {overview_analyze(&log.worker, log.arena),
                            classes_analyze(&log.worker, log.arena),
                            dataloader_analyze(&log.worker, log.arena)};
        int64_t value;
        if (!class_figure(&x, f, &value) && !step_figure(&x, f, &value) &&
            !device_figure(&x, f, &value))
            fail_msg("%s: no %s of %s", f->file, f->figure, f->of);
        if (value != f->value)
            fail_msg("%s: %s of %s is %lld, not %lld", f->file, f->figure, f->of, (long long)value,
                     (long long)f->value);
        log_close(&log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_have_their_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
