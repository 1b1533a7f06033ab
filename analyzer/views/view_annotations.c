// SPDX-License-Identifier: BSD-3-Clause
// Ranges that the user marked.
#include "views/view.h"

#include "base/text.h"

static const column COLUMNS[] = {
    COLUMN(annotation_row, name, UNIT_NAME, "Annotation"),
    COLUMN(annotation_row, calls, UNIT_COUNT, "Calls"),
    COLUMN_WIDE(annotation_row, total_ns, UNIT_NS, "Total"),
    COLUMN_QUIET(annotation_row, self_ns, UNIT_NS, "Self"),
    COLUMN(annotation_row, mean_ns, UNIT_NS, "Mean"),
    COLUMN(annotation_row, median_ns, UNIT_NS, "Median"),
    COLUMN(annotation_row, p95_ns, UNIT_NS, "P95"),
    COLUMN_QUIET(annotation_row, min_ns, UNIT_NS, "Min"),
    COLUMN_WIDE(annotation_row, max_ns, UNIT_NS, "Max"),
    COLUMN_QUIET(annotation_row, slowest_begin_ns, UNIT_TIME, "Slowest at"),
    COLUMN(annotation_row, step_share, UNIT_RATIO, "Of steps"),
    COLUMN_WIDE(annotation_row, device_ns, UNIT_NS, "Device"),
    COLUMN_QUIET(annotation_row, slowest_span, UNIT_NONE, "Slowest in span"),
};

// clang-format off
static const table SHAPES[] = {
    {TABLE("annotations", "Annotations", COLUMNS, annotation_row),
     .bar = "step_share", .brief_rows = 4},
};
// clang-format on

static void build(const view_input *in, view_output *out)
{
    table *t = view_table(out, SHAPES, in->all->annotations.at, in->all->annotations.count);

    t->title = arena_printf(out->arena,
                            "Annotations (share: of the %s' time; ranges may lie inside others)",
                            view_steps(in));
}

const view view_annotations = {"annotations",     "ranges that the program marked",
                               "Annotations",     SHAPES,
                               ARRAY_LEN(SHAPES), build};
