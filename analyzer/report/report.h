// SPDX-License-Identifier: BSD-3-Clause
// A report: what was read, then a scope a log and a worker, each with the tables of its views.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/table.h"

// A kind of trouble with an input, counted.
typedef struct report_note {
    const char *code, *severity; // severity: info, warning, error
    int64_t count;
    int64_t byte; // of the first, in the inflated text; INT_NONE where none applies
    const char *text;
} report_note;

typedef struct report_input {
    const char *path, *run, *worker, *span;
    int64_t rank, world_size; // -1: unknown
    const char *status;       // ok, partial, unreadable, not_a_trace
    int64_t bytes, events;    // INT_NONE: unknown
    const report_note *notes;
    uint32_t note_count;
} report_input;

// Something that was looked at and left out, and why.
typedef struct report_ignored {
    const char *path, *reason;
} report_ignored;

typedef enum remark_weight {
    REMARK_VIEW,  // shown where the view was asked for
    REMARK_BRIEF, // and in the brief report of one worker
    REMARK_GOOD,  // always, as an accent
    REMARK_BAD,
} remark_weight;

// A sentence for people.
typedef struct report_remark {
    remark_weight weight;
    const char *text;
} report_remark;

// A view of a scope.
typedef struct report_section {
    const char *key, *title;
    table *tables;
    uint32_t table_count;
    const report_remark *remarks;
    uint32_t remark_count;
} report_section;

typedef enum scope_kind { SCOPE_LOG, SCOPE_WORKER } scope_kind;

// One log, or all spans of one worker together.
typedef struct report_scope {
    scope_kind kind;
    const char *path; // of a log
    const char *run, *worker;
    const char *span;         // of a log
    text_list spans;          // of a worker
    int64_t rank;             // -1: unknown
    const char *base_time_ns; // of a log: epoch, decimal; NULL where unknown
    const report_section *sections;
    uint32_t section_count;
} report_scope;

// How much of a scope people see. Machine formats show all.
typedef enum report_detail {
    DETAIL_VIEWS, // views were asked for: their tables
    DETAIL_BRIEF, // what fits on a screen or two
    DETAIL_TIGHT, // several workers: a short block each
    DETAIL_TABLE  // many workers: a line each
} report_detail;

// What all renderers are told. Constant while a report is made.
typedef struct report_style {
    report_detail detail;
    bool color;
    bool whole_names; // never cut a text to the width
    int width;        // cells of a line
} report_style;

// A rendered scope, waiting for its place in the report.
typedef struct report_part {
    scope_kind kind;
    const char *bytes;
    size_t length;
} report_part;

// The report as a whole; known once all inputs are read.
typedef struct report_frame {
    const char *version;
    const report_input *inputs;
    uint32_t input_count;
    const report_ignored *ignored;
    uint32_t ignored_count;
    const table *workers; // a row a worker; NULL where there is but one
    const report_part *parts;
    uint32_t part_count;
    const char *const *hints; // for people, last: how to see more
    uint32_t hint_count;
} report_frame;

#endif
