// SPDX-License-Identifier: BSD-3-Clause
// Time and calls of operators.
#include "views/view.h"

#include "base/text.h"
#include "report/units.h"

#define NUMBERS                                                                                    \
    COLUMN(operator_row, calls, UNIT_COUNT, "Calls"),                                              \
        COLUMN(operator_row, host_self_ns, UNIT_NS, "Host self"),                                  \
        COLUMN_WIDE(operator_row, host_total_ns, UNIT_NS, "Host total"),                           \
        COLUMN(operator_row, device_self_ns, UNIT_NS, "Device self"),                              \
        COLUMN_WIDE(operator_row, device_total_ns, UNIT_NS, "Device total"),                       \
        COLUMN_QUIET(operator_row, tensor_core_eligible, UNIT_NONE, "Eligible"),                   \
        COLUMN_WIDE(operator_row, tensor_core_self_share, UNIT_RATIO, "TC self"),                  \
        COLUMN_QUIET(operator_row, tensor_core_total_share, UNIT_RATIO, "TC total")

static const column NAME_COLUMNS[] = {
    COLUMN(operator_row, name, UNIT_NAME, "Operator"),
    NUMBERS,
};

static const column SHAPE_COLUMNS[] = {
    COLUMN(operator_row, name, UNIT_NAME, "Operator"),
    COLUMN(operator_row, input_shapes, UNIT_NONE, "Input shapes"),
    NUMBERS,
};

static const column STACK_COLUMNS[] = {
    COLUMN(operator_row, name, UNIT_NAME, "Operator"),
    COLUMN(operator_row, call_stack, UNIT_NONE, "Call stack"),
    NUMBERS,
};

enum { BY_NAME, BY_SHAPE, BY_STACK };

// clang-format off
static const table SHAPES[] = {
    [BY_NAME]  = {TABLE("operators", "Operators", NAME_COLUMNS, operator_row), .brief_rows = 6},
    [BY_SHAPE] = {TABLE("operators_by_shape", "Operators by input shape", SHAPE_COLUMNS, operator_row)},
    [BY_STACK] = {TABLE("operators_by_stack", "Operators by call stack", STACK_COLUMNS, operator_row)},
};
// clang-format on

static table *add(const view_input *in, view_output *out, const table *shape,
                  const operator_table *rows)
{
    const bool on_device = in->all->operators.has_device_work;
    table *t = view_table(out, shape, rows->at, rows->count);

    t->bar = on_device ? "device_self_ns" : "host_self_ns";
    t->title = arena_printf(out->arena, "%s (shares: of all operators' %s self time%s)",
                            shape->title, on_device ? "device" : "host", view_extent(in));
    return t;
}

static void remark_none(const view_input *in, view_output *out)
{
    if (in->all->operators.by_name.count)
        return;
    if (in->all->of_selected_steps)
        view_remark(out, REMARK_VIEW, "No operators%s.", view_extent(in));
    else
        view_remark(out, REMARK_VIEW,
                    "No operators in this log: it was recorded with device activity only, or "
                    "without any.");
}

static void remark_unowned(const operators *o, view_output *out)
{
    char time[UNIT_TEXT_BYTES];

    if (o->graph_replay_ns > 0)
        view_remark(out, REMARK_VIEW,
                    "%s of device time came from graph replays, which no operator can be told for; "
                    "the kernel view shows it by name.",
                    unit_time(o->graph_replay_ns, time));
    if (o->unlinked_ns > 0)
        view_remark(out, REMARK_VIEW,
                    "%s of device time has no launch record, so that its operator is unknown.",
                    unit_time(o->unlinked_ns, time));
}

static void build(const view_input *in, view_output *out)
{
    const operators *o = &in->all->operators;

    remark_none(in, out);
    remark_unowned(o, out);
    const table *all = add(in, out, &SHAPES[BY_NAME], &o->by_name);
    add(in, out, &SHAPES[BY_SHAPE], &o->by_shape);
    table *stacks = add(in, out, &SHAPES[BY_STACK], &o->by_stack);
    stacks->bar_whole = table_sum(all, table_column(all, all->bar)); // some have no stack
}

const view view_operators = {
    "operators",       "time and calls of operators, by name, shape and call stack",
    "Operators",       SHAPES,
    ARRAY_LEN(SHAPES), build};
