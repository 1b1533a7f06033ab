// SPDX-License-Identifier: BSD-3-Clause
// Steps, what they take, the devices and what they run on.
#include "views/view.h"

#include "base/text.h"

#include <ctype.h>

static const column STEP_COLUMNS[] = {
    COLUMN(overview_step, step, UNIT_NONE, "Step"),
    COLUMN_QUIET(overview_step, begin_ns, UNIT_TIME, "Begin"),
    COLUMN(overview_step, wall_ns, UNIT_NS, "Wall"),
    COLUMN_QUIET(overview_step, host_begin_ns, UNIT_TIME, "Host begin"),
    COLUMN_QUIET(overview_step, host_wall_ns, UNIT_NS, "Host wall"),
    COLUMN(overview_step, complete, UNIT_NONE, "Complete"),
    COLUMN(overview_step, kernel_ns, UNIT_NS, "Kernel"),
    COLUMN(overview_step, memcpy_ns, UNIT_NS, "Memcpy"),
    COLUMN(overview_step, memset_ns, UNIT_NS, "Memset"),
    COLUMN(overview_step, communication_ns, UNIT_NS, "Commun."),
    COLUMN(overview_step, runtime_ns, UNIT_NS, "Runtime"),
    COLUMN(overview_step, data_loader_ns, UNIT_NS, "Loader"),
    COLUMN(overview_step, cpu_exec_ns, UNIT_NS, "CPU exec"),
    COLUMN(overview_step, other_ns, UNIT_NS, "Other"),
    COLUMN_QUIET(overview_step, span, UNIT_NONE, "Span"),
};

static const column STATISTICS_COLUMNS[] = {
    COLUMN(step_statistics, count, UNIT_COUNT, "steps"),
    COLUMN(step_statistics, mean_ns, UNIT_NS, "mean"),
    COLUMN(step_statistics, median_ns, UNIT_NS, "median"),
    COLUMN(step_statistics, p95_ns, UNIT_NS, "P95"),
    COLUMN(step_statistics, min_ns, UNIT_NS, "min"),
    COLUMN(step_statistics, max_ns, UNIT_NS, "max"),
    COLUMN(step_statistics, stdev_ns, UNIT_NS, "deviation"),
    COLUMN(step_statistics, throughput_per_s, UNIT_NUMBER, "samples/s"),
    COLUMN(step_statistics, outliers, UNIT_NONE, "outlier steps"),
};

static const column DEVICE_COLUMNS[] = {
    COLUMN(overview_device, device, UNIT_NONE, "Device"),
    COLUMN(overview_device, name, UNIT_NAME, "Name"),
    COLUMN(overview_device, busy_ns, UNIT_NS, "Busy"),
    COLUMN_WIDE(overview_device, kernel_ns, UNIT_NS, "Kernels"),
    COLUMN(overview_device, utilization, UNIT_RATIO, "Utilization"),
    COLUMN(overview_device, sm_efficiency, UNIT_RATIO, "SM effic."),
    COLUMN(overview_device, occupancy, UNIT_RATIO, "Occupancy"),
    COLUMN(overview_device, tensor_core_share, UNIT_RATIO, "Tensor cores"),
    COLUMN_WIDE(overview_device, memory_bytes, UNIT_BYTES, "Memory"),
    COLUMN_QUIET(overview_device, sm_count, UNIT_COUNT, "SMs"),
    COLUMN_QUIET(overview_device, compute_capability, UNIT_NONE, "Capability"),
};

static const column ENVIRONMENT_COLUMNS[] = {
    COLUMN(environment_row, key, UNIT_NAME, "Key"),
    COLUMN(environment_row, value, UNIT_NONE, "Value"),
};

enum { STEPS, STATISTICS, DEVICES, ENVIRONMENT };

// clang-format off
static const table SHAPES[] = {
    [STEPS]       = {TABLE("steps", "Steps: each instant counts once, for the first role that is busy then",
                           STEP_COLUMNS, overview_step)},
    [STATISTICS]  = {TABLE("step_statistics", "Step time (complete steps)",
                           STATISTICS_COLUMNS, step_statistics),
                     .look = LOOK_RECORD, .early = true, .brief_rows = 1, .tight_rows = 1},
    [DEVICES]     = {TABLE("devices", "Devices (busy: kernels and copies of the whole log; utilization: kernels "
                           "within the steps)", DEVICE_COLUMNS, overview_device),
                     .brief_rows = 8, .zeros_tell = true},
    [ENVIRONMENT] = {TABLE("environment", "Environment", ENVIRONMENT_COLUMNS, environment_row)},
};
// clang-format on

static void remark_steps(const worker *w, view_output *out)
{
    for (uint32_t i = 0; i < w->span_count; i++)
        if (!w->spans[i].steps.marked && w->spans[i].steps.count) {
            view_remark(out, REMARK_BRIEF,
                        "No steps are marked (profiler.step() was not called): the whole log "
                        "counts as one step, \"all\".");
            return;
        }
}

// What is missing as a whole has no place in the file, and bears on all that follows.
static void remark_missing(const worker *w, view_output *out)
{
    for (uint32_t i = 0; i < w->span_count; i++) {
        const trace *t = w->spans[i].trace;
        for (uint32_t k = 0; k < t->note_count; k++)
            if (t->notes[k].severity != NOTE_INFO && t->notes[k].byte == ERROR_NO_OFFSET) {
                view_remark(out, REMARK_BAD, "%c%s.", toupper((unsigned char)t->notes[k].text[0]),
                            t->notes[k].text + 1);
                return;
            }
    }
}

static void build(const view_input *in, view_output *out)
{
    const overview *o = &in->all->overview;

    remark_missing(in->all->worker, out);
    remark_steps(in->all->worker, out);
    if (o->statistics.outlier_note)
        view_remark(out, REMARK_VIEW, "Outliers: %s.", o->statistics.outlier_note);
    view_table(out, &SHAPES[STEPS], o->steps, o->step_count);
    view_table(out, &SHAPES[STATISTICS], &o->statistics, 1);
    view_table(out, &SHAPES[DEVICES], o->devices, o->device_count);
    view_table(out, &SHAPES[ENVIRONMENT], o->environment, o->environment_count);
}

const view view_overview = {"overview",        "steps and what they take, devices, environment",
                            "Overview",        SHAPES,
                            ARRAY_LEN(SHAPES), build};
