// SPDX-License-Identifier: BSD-3-Clause
// A view answers one question about a log or a worker: columns, and results -> tables. A new one is
// a file and a line in views.c.
#ifndef VIEWS_VIEW_H
#define VIEWS_VIEW_H

#include "diagnose/diagnose.h"
#include "report/report.h"

// What a view looks at. `paths` are those of the worker's spans.
typedef struct view_input {
    const analysis *all;
    const diagnosis *diagnosis;
    const char *const *paths;
} view_input;

// What it makes; all lives in `arena`, or in the results.
typedef struct view_output {
    arena *arena;
    table tables[4];
    uint32_t table_count;
    report_remark remarks[8];
    uint32_t remark_count;
} view_output;

typedef struct view {
    const char *key;     // word after --views, key in JSON
    const char *summary; // a line of help
    const char *title;   // heading for people
    const table *shapes; // its tables without rows, in order
    uint32_t shape_count;
    void (*build)(const view_input *in, view_output *out);
} view;

// All views in the order of the report, and NULL behind the last.
extern const view *const VIEWS[];

extern const view view_verdict, view_overview, view_classes, view_operators, view_kernels,
    view_annotations, view_data_loader, view_info;

// Adds a table of that shape with `count` rows.
table *view_table(view_output *out, const table *shape, const void *rows, uint32_t count);

// " in the selected steps" where tables of events are of these only, else nothing.
const char *view_extent(const view_input *in);

// The steps that shares of step time are of: "complete steps", "selected complete steps".
const char *view_steps(const view_input *in);

// Adds a sentence for people.
void view_remark(view_output *out, remark_weight weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

report_section view_section(const view *v, const view_input *in, arena *a);

#endif
