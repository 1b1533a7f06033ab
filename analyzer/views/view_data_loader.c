// SPDX-License-Identifier: BSD-3-Clause
// Waits for the data loader, exposed and hidden.
#include "views/view.h"

#include "base/text.h"

#include <string.h>

static const column STEP_COLUMNS[] = {
    COLUMN(loader_step, step, UNIT_NONE, "Step"),
    COLUMN(loader_step, wall_ns, UNIT_NS, "Wall"),
    COLUMN(loader_step, wait_ns, UNIT_NS, "Wait"),
    COLUMN(loader_step, exposed_ns, UNIT_NS, "Exposed"),
    COLUMN(loader_step, hidden_ns, UNIT_NS, "Hidden"),
    COLUMN_QUIET(loader_step, span, UNIT_NONE, "Span"),
};

static const column SUMMARY_COLUMNS[] = {
    COLUMN(loader_summary, loader, UNIT_NONE, "kind"),
    COLUMN(loader_summary, wait_share, UNIT_RATIO, "wait"),
    COLUMN(loader_summary, exposed_share, UNIT_RATIO, "exposed"),
    COLUMN(loader_summary, step_without_exposed_ns, UNIT_NS, "step without the exposed part"),
    COLUMN(loader_summary, workers_suggested, UNIT_COUNT, "workers that would cover it"),
    COLUMN_QUIET(loader_summary, assumption, UNIT_PROSE, "Assumption"),
};

enum { STEPS, SUMMARY };

// clang-format off
static const table SHAPES[] = {
    [STEPS]   = {TABLE("steps", "Waits by step (exposed: the device idles meanwhile)",
                       STEP_COLUMNS, loader_step)},
    [SUMMARY] = {TABLE("summary", "Data loader", SUMMARY_COLUMNS, loader_summary),
                 .look = LOOK_RECORD},
};
// clang-format on

static void build(const view_input *in, view_output *out)
{
    const dataloader *d = &in->all->dataloader;
    const bool loads = d->summary.loader && strcmp(d->summary.loader, "none") != 0;

    if (!loads)
        view_remark(out, REMARK_VIEW, "No data loader was waited for in this log.");
    else if (d->summary.assumption)
        view_remark(out, REMARK_VIEW, "%s", d->summary.assumption);
    view_table(out, &SHAPES[STEPS], d->steps, d->step_count);
    table *summary = view_table(out, &SHAPES[SUMMARY], &d->summary, 1);
    summary->brief_rows = loads;
    summary->title =
        arena_printf(out->arena, "Data loader (shares: of the %s' time)", view_steps(in));
}

const view view_data_loader = {"data_loader",     "waits for the data loader, exposed and hidden",
                               "Data loader",     SHAPES,
                               ARRAY_LEN(SHAPES), build};
