// SPDX-License-Identifier: BSD-3-Clause
// Kernels, and the calls that launched them.
#include "views/view.h"

#include "base/text.h"

#define NUMBERS                                                                                    \
    COLUMN(kernel_row, calls, UNIT_COUNT, "Calls"),                                                \
        COLUMN(kernel_row, total_ns, UNIT_NS, "Total"),                                            \
        COLUMN_QUIET(kernel_row, raw_total_ns, UNIT_NS, "Raw total"),                              \
        COLUMN(kernel_row, mean_ns, UNIT_NS, "Mean"),                                              \
        COLUMN_QUIET(kernel_row, min_ns, UNIT_NS, "Min"),                                          \
        COLUMN_WIDE(kernel_row, max_ns, UNIT_NS, "Max"),                                           \
        COLUMN_QUIET(kernel_row, blocks_per_sm, UNIT_NUMBER, "Blocks/SM"),                         \
        COLUMN_WIDE(kernel_row, occupancy, UNIT_RATIO, "Occup."),                                  \
        COLUMN(kernel_row, tensor_cores, UNIT_NONE, "TC"),                                         \
        COLUMN_WIDE(kernel_row, launch_delay_mean_ns, UNIT_NS, "Delay")

static const column NAME_COLUMNS[] = {
    COLUMN(kernel_row, name, UNIT_NAME, "Kernel"),
    NUMBERS,
};

static const column OPERATOR_COLUMNS[] = {
    COLUMN(kernel_row, name, UNIT_NAME, "Kernel"),
    COLUMN_AS(kernel_row, operator_name, "operator", UNIT_NAME, "Operator"),
    COLUMN_QUIET(kernel_row, grid, UNIT_NONE, "Grid"),
    COLUMN_QUIET(kernel_row, block, UNIT_NONE, "Block"),
    COLUMN_QUIET(kernel_row, registers, UNIT_COUNT, "Registers"),
    COLUMN_QUIET(kernel_row, shared_memory_bytes, UNIT_BYTES, "Shared memory"),
    NUMBERS,
};

static const column LAUNCH_COLUMNS[] = {
    COLUMN(launch_row, name, UNIT_NAME, "Launch call"),
    COLUMN(launch_row, calls, UNIT_COUNT, "Calls"),
    COLUMN(launch_row, host_mean_ns, UNIT_NS, "Host mean"),
    COLUMN(launch_row, delay_mean_ns, UNIT_NS, "Delay mean"),
    COLUMN(launch_row, delay_median_ns, UNIT_NS, "Delay median"),
    COLUMN(launch_row, delay_p95_ns, UNIT_NS, "Delay P95"),
    COLUMN(launch_row, short_kernels, UNIT_COUNT, "Short kernels"),
};

enum { BY_NAME, BY_OPERATOR, LAUNCHES };

// clang-format off
static const table SHAPES[] = {
    [BY_NAME]     = {TABLE("kernels", "Kernels", NAME_COLUMNS, kernel_row),
                     .bar = "total_ns", .brief_rows = 6},
    [BY_OPERATOR] = {TABLE("kernels_by_operator",
                           "Kernels by operator and launch shape", OPERATOR_COLUMNS, kernel_row),
                     .bar = "total_ns"},
    [LAUNCHES]    = {TABLE("launches", "Launches (delay: start on the device - start of the call)",
                           LAUNCH_COLUMNS, launch_row)},
};
// clang-format on

static void add(const view_input *in, view_output *out, const table *shape,
                const kernel_table *rows)
{
    table *t = view_table(out, shape, rows->at, rows->count);

    t->title = arena_printf(out->arena, "%s (shares: of all kernels' time%s)", shape->title,
                            view_extent(in));
}

static void build(const view_input *in, view_output *out)
{
    const kernels *k = &in->all->kernels;
    const launches *l = &in->all->launches;

    if (k->by_name.count == 0)
        view_remark(out, REMARK_VIEW, "No kernels%s.",
                    in->all->of_selected_steps ? view_extent(in) : " in this log");
    if (l->negative_delays > 0)
        view_remark(out, REMARK_VIEW,
                    "%lld launches seem to come after their device work: the clocks of host and "
                    "device differ.",
                    (long long)l->negative_delays);
    add(in, out, &SHAPES[BY_NAME], &k->by_name);
    add(in, out, &SHAPES[BY_OPERATOR], &k->by_operator);
    view_table(out, &SHAPES[LAUNCHES], l->at, l->count);
}

const view view_kernels = {"kernels",         "time of kernels, and the calls that launch them",
                           "Kernels",         SHAPES,
                           ARRAY_LEN(SHAPES), build};
