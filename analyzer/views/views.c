// SPDX-License-Identifier: BSD-3-Clause
// All views, and what they share.
#include "views/view.h"

#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const view *const VIEWS[] = {
    &view_verdict,     &view_overview, &view_classes,
    &view_operators,   &view_kernels,  &view_annotations,
    &view_data_loader, &view_info,     NULL,
};

table *view_table(view_output *out, const table *shape, const void *rows, uint32_t count)
{
    assert(out->table_count < ARRAY_LEN(out->tables));
    table *t = &out->tables[out->table_count++];

    *t = *shape;
    t->rows = rows;
    t->row_count = t->total_rows = count;
    return t;
}

const char *view_extent(const view_input *in)
{
    return in->all->of_selected_steps ? " in the selected steps" : "";
}

const char *view_steps(const view_input *in)
{
    return in->all->of_selected_steps ? "selected complete steps" : "complete steps";
}

void view_remark(view_output *out, remark_weight weight, const char *format, ...)
{
    char sentence[1024];
    va_list args;

    assert(out->remark_count < ARRAY_LEN(out->remarks));
    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    out->remarks[out->remark_count++] =
        (report_remark){weight, arena_printf(out->arena, "%s", sentence)};
}

report_section view_section(const view *v, const view_input *in, arena *a)
{
    view_output *out = arena_new(a, view_output, 1);

    out->arena = a;
    v->build(in, out);
    return (report_section){
        .key = v->key,
        .title = v->title,
        .tables = out->tables,
        .table_count = out->table_count,
        .remarks = out->remarks,
        .remark_count = out->remark_count,
    };
}
