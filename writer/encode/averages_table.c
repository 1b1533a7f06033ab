// SPDX-License-Identifier: BSD-3-Clause
// The key_averages table as text, laid out as torch.profiler lays out its own.
#include "encode/averages_cells.h"
#include "encode/encode_averages.h"
#include "encode/text_buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MAX = 20,
    COLUMN_WIDTH = 12,
    COLUMN_MARGIN = 4, // around the widest text, in columns that fit their content
    COLUMN_GAP = 2,
    NAME_WIDTH = 55,
    SHAPES_WIDTH = 80,
    SOURCE_WIDTH = 75,
    ROW_LIMIT = 100,
};

typedef struct table table;
typedef void (*cell_print)(table *t, const tprof_average *row);

typedef struct column {
    const char *title;
    size_t width;
    cell_print print; // appends to t->cell
    bool left;        // aligned; the only one that is so, and is continued below, is the source
} column;

struct table {
    const tprof_averages *averages;
    const tprof_table_options *options;
    size_t name_limit; // characters, SIZE_MAX: no limit
    size_t shapes_width, source_width;
    double flops_scale;
    column columns[COLUMNS_MAX];
    size_t column_count;
    tp_text out, cell;
};

static void put_text(table *t, size_t at, const char *text, size_t size)
{
    const size_t length = tp_cell_length(text, size), width = t->columns[at].width;
    const size_t blanks = length < width ? width - length : 0;

    if (!t->columns[at].left)
        tp_text_repeat(&t->out, ' ', blanks);
    tp_text_append(&t->out, text, size);
    tp_text_repeat(&t->out, ' ', t->columns[at].left ? blanks + COLUMN_GAP : COLUMN_GAP);
}

static void put_rule(table *t)
{
    for (size_t i = 0; i < t->column_count; i++) {
        tp_text_repeat(&t->out, '-', t->columns[i].width);
        tp_text_repeat(&t->out, ' ', COLUMN_GAP);
    }
    tp_text_add(&t->out, "\n");
}

static void put_double_rule(table *t)
{
    size_t width = 0;
    for (size_t i = 0; i < t->column_count; i++)
        width += t->columns[i].width + COLUMN_GAP;
    tp_text_repeat(&t->out, '=', width - COLUMN_GAP);
    tp_text_add(&t->out, "\n");
}

// ---- Cells

static void print_name(table *t, const tprof_average *row)
{
    tp_cell_first(&t->cell, row->name, t->name_limit);
}

static void print_self_cpu_share(table *t, const tprof_average *row)
{
    tp_cell_share(&t->cell, row->self_cpu_total_ns, t->averages->self_cpu_ns);
}

static void print_self_cpu(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit, (double)row->self_cpu_total_ns);
}

static void print_cpu_share(table *t, const tprof_average *row)
{
    tp_cell_share(&t->cell, row->cpu_total_ns, t->averages->self_cpu_ns);
}

static void print_cpu(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit, (double)row->cpu_total_ns);
}

static void print_cpu_mean(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit, (double)row->cpu_total_ns / (double)row->count);
}

static void print_self_device(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit, (double)row->self_device_total_ns);
}

static void print_self_device_share(table *t, const tprof_average *row)
{
    tp_cell_share(&t->cell, row->self_device_total_ns, t->averages->self_device_ns);
}

static void print_device(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit, (double)row->device_total_ns);
}

static void print_device_mean(table *t, const tprof_average *row)
{
    tp_cell_time(&t->cell, t->options->time_unit,
                 (double)row->device_total_ns / (double)row->count);
}

static void print_cpu_memory(table *t, const tprof_average *row)
{
    tp_cell_bytes(&t->cell, row->cpu_memory_bytes);
}

static void print_self_cpu_memory(table *t, const tprof_average *row)
{
    tp_cell_bytes(&t->cell, row->self_cpu_memory_bytes);
}

static void print_device_memory(table *t, const tprof_average *row)
{
    tp_cell_bytes(&t->cell, row->device_memory_bytes);
}

static void print_self_device_memory(table *t, const tprof_average *row)
{
    tp_cell_bytes(&t->cell, row->self_device_memory_bytes);
}

static void print_calls(table *t, const tprof_average *row)
{
    tp_text_print(&t->cell, "%" PRIu64, row->count);
}

static void print_shapes(table *t, const tprof_average *row)
{
    const size_t size = strlen(row->input_shapes);
    tp_text_append(&t->cell, row->input_shapes,
                   tp_cell_bytes_of(row->input_shapes, size, t->shapes_width));
}

static void print_flops(table *t, const tprof_average *row)
{
    if (row->flops == 0)
        tp_text_add(&t->cell, "--");
    else
        tp_text_fixed(&t->cell, (double)row->flops * t->flops_scale, 3);
}

static void print_source(table *t, const tprof_average *row)
{
    tp_cell_last(&t->cell, row->stack, strcspn(row->stack, ";"), t->source_width);
}

// ---- Columns

static void add_column(table *t, const char *title, cell_print print)
{
    t->columns[t->column_count++] = (column){title, COLUMN_WIDTH, print, false};
}

static size_t limit_of(int32_t asked, int32_t usual)
{
    return asked < 0 ? SIZE_MAX : (size_t)(asked ? asked : usual);
}

static size_t fitting_width(size_t longest, size_t limit)
{
    const size_t width = longest + COLUMN_MARGIN;
    return width < limit ? width : limit;
}

static size_t longest_frame(const char *stack)
{
    size_t longest = 0;
    while (*stack) {
        const size_t size = strcspn(stack, ";");
        const size_t length = tp_cell_length(stack, size);
        longest = length > longest ? length : longest;
        stack += size + (stack[size] != '\0');
    }
    return longest;
}

// What the rows hold, which decides on columns.
typedef struct content {
    size_t name, shapes, frame; // longest, in characters
    bool has_shapes, has_device_time, has_device_memory;
    uint64_t least_flops; // above 0
} content;

static content content_of(const tprof_averages *averages)
{
    content c = {0};

    for (size_t i = 0; i < averages->count; i++) {
        const tprof_average *row = &averages->rows[i];
        const size_t name = tp_cell_length(row->name, strlen(row->name));
        const size_t shapes = strlen(row->input_shapes), frame = longest_frame(row->stack);
        c.name = name > c.name ? name : c.name;
        c.shapes = shapes > c.shapes ? shapes : c.shapes;
        c.frame = frame > c.frame ? frame : c.frame;
        c.has_shapes |= shapes > strlen("[]");
        c.has_device_time |= row->self_device_total_ns > 0;
        c.has_device_memory |= row->self_device_memory_bytes > 0;
        if (row->flops && (!c.least_flops || row->flops < c.least_flops))
            c.least_flops = row->flops;
    }
    return c;
}

// One unit for the column, in which the smallest value is at least 1.
static void add_flops_column(table *t, uint64_t least)
{
    static const struct {
        const char *title;
        double scale;
    } units[] = {
        {"Total FLOPs",  1.0  },
        {"Total KFLOPs", 1e-3 },
        {"Total MFLOPs", 1e-6 },
        {"Total GFLOPs", 1e-9 },
        {"Total TFLOPs", 1e-12},
        {"Total PFLOPs", 1e-15}
    };
    const double thousands = floor(log10((double)least) / 3);
    const int unit = thousands > 5 ? 5 : (int)thousands;

    t->flops_scale = units[unit].scale;
    add_column(t, units[unit].title, print_flops);
}

static void add_time_columns(table *t, const content *c)
{
    add_column(t, "Self CPU %", print_self_cpu_share);
    add_column(t, "Self CPU", print_self_cpu);
    add_column(t, "CPU total %", print_cpu_share);
    add_column(t, "CPU total", print_cpu);
    add_column(t, "CPU time avg", print_cpu_mean);
    if (c->has_device_time) {
        add_column(t, "Self CUDA", print_self_device);
        add_column(t, "Self CUDA %", print_self_device_share);
        add_column(t, "CUDA total", print_device);
        add_column(t, "CUDA time avg", print_device_mean);
    }
}

static void add_memory_columns(table *t, const content *c)
{
    add_column(t, "CPU Mem", print_cpu_memory);
    add_column(t, "Self CPU Mem", print_self_cpu_memory);
    if (c->has_device_memory) {
        add_column(t, "CUDA Mem", print_device_memory);
        add_column(t, "Self CUDA Mem", print_self_device_memory);
    }
}

static void choose_columns(table *t, const content *c)
{
    t->name_limit = limit_of(t->options->max_name_column_width, NAME_WIDTH);
    if (t->name_limit < TP_CELL_DOTS)
        t->name_limit = TP_CELL_DOTS;
    add_column(t, "Name", print_name);
    t->columns[0].width = fitting_width(c->name, t->name_limit);
    add_time_columns(t, c);
    if (t->averages->profile_memory)
        add_memory_columns(t, c);
    add_column(t, "# of Calls", print_calls);
    if (c->has_shapes) {
        const size_t limit = limit_of(t->options->max_shapes_column_width, SHAPES_WIDTH);
        t->shapes_width = fitting_width(c->shapes, limit);
        add_column(t, "Input Shapes", print_shapes);
        t->columns[t->column_count - 1].width = t->shapes_width;
    }
    if (c->frame) {
        const size_t limit = limit_of(t->options->max_src_column_width, SOURCE_WIDTH);
        t->source_width = fitting_width(c->frame, limit < TP_CELL_DOTS ? TP_CELL_DOTS : limit);
        add_column(t, "Source Location", print_source);
        t->columns[t->column_count - 1].width = t->source_width;
        t->columns[t->column_count - 1].left = true;
    }
    if (t->averages->with_flops && c->least_flops)
        add_flops_column(t, c->least_flops);
}

// ---- Lines

static void put_row(table *t, const tprof_average *row)
{
    for (size_t i = 0; i < t->column_count; i++) {
        tp_text_clear(&t->cell);
        t->columns[i].print(t, row);
        put_text(t, i, t->cell.data ? t->cell.data : "", t->cell.size);
    }
    tp_text_add(&t->out, "\n");
}

// A line of blanks but for a frame in the source column.
static void put_frame(table *t, const char *frame, size_t size)
{
    for (size_t i = 0; i < t->column_count; i++) {
        tp_text_clear(&t->cell);
        if (t->columns[i].left)
            tp_cell_last(&t->cell, frame, size, t->source_width);
        put_text(t, i, t->cell.data ? t->cell.data : "", t->cell.size);
    }
    tp_text_add(&t->out, "\n");
}

// The further frames, and an empty line that keeps stacks apart.
static void put_more_frames(table *t, const char *stack)
{
    const char *at = stack + strcspn(stack, ";");
    while (*at) {
        at++;
        const size_t size = strcspn(at, ";");
        put_frame(t, at, size);
        at += size;
    }
    put_frame(t, "", 0);
}

static void put_rows(table *t, const size_t *order)
{
    const int32_t asked = t->options->row_limit;
    size_t left = limit_of(asked, ROW_LIMIT);

    for (size_t i = 0; i < t->averages->count && left > 0; i++) {
        if (t->options->top_level_events_only && t->averages->nested[order[i]])
            continue;
        left--;
        put_row(t, &t->averages->rows[order[i]]);
        if (t->source_width)
            put_more_frames(t, t->averages->rows[order[i]].stack);
    }
}

static void put_head(table *t)
{
    if (t->options->header) {
        put_double_rule(t);
        tp_text_add(&t->out, t->options->header);
        tp_text_add(&t->out, "\n");
    }
    if (t->options->top_level_events_only) {
        put_double_rule(t);
        tp_text_add(&t->out, "Only events that are not inside others are shown\n");
    }
    put_rule(t);
    for (size_t i = 0; i < t->column_count; i++)
        put_text(t, i, t->columns[i].title, strlen(t->columns[i].title));
    tp_text_add(&t->out, "\n");
    put_rule(t);
}

static void put_sums(table *t, bool has_device_time)
{
    put_rule(t);
    tp_text_add(&t->out, "Self CPU time total: ");
    tp_cell_time(&t->out, t->options->time_unit, (double)t->averages->self_cpu_ns);
    tp_text_add(&t->out, "\n");
    if (has_device_time) {
        tp_text_add(&t->out, "Self CUDA time total: ");
        tp_cell_time(&t->out, t->options->time_unit, (double)t->averages->self_device_ns);
        tp_text_add(&t->out, "\n");
    }
}

char *tprof_averages_table(const tprof_averages *averages, const tprof_table_options *options)
{
    static const tprof_table_options NO_OPTIONS = {0};
    table t = {.averages = averages, .options = options ? options : &NO_OPTIONS};
    size_t *order = tp_averages_order(averages, t.options->sort_by);

    if (!order)
        return NULL;
    tp_text_add(&t.out, "");
    if (averages->count) {
        const content c = content_of(averages);
        choose_columns(&t, &c);
        put_head(&t);
        put_rows(&t, order);
        put_sums(&t, c.has_device_time);
    }
    free(order);
    const bool failed = t.out.failed || t.cell.failed;
    free(t.cell.data);
    if (!failed)
        return t.out.data;
    free(t.out.data);
    return NULL;
}
