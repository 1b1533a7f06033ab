// SPDX-License-Identifier: BSD-3-Clause
// What is in a log: files, categories, processes, and what was wrong with the data.
#include "views/view.h"

#include "base/text.h"
#include "model/json_slice.h"

#include <stdlib.h>
#include <string.h>

typedef struct file_row {
    int64_t bytes, inflated_bytes, events;
    const char *torch_version;
    int64_t begin_ns, duration_ns; // of the recording, from its base time
    const char *span, *path;
} file_row;

typedef struct category_row {
    const char *category, *role;
    int64_t events, total_ns;
} category_row;

typedef struct process_row {
    const char *process, *thread, *name;
    int64_t events;
} process_row;

typedef struct health_row {
    const char *code, *severity;
    int64_t count, byte;
    const char *text, *span;
} health_row;

static const column FILE_COLUMNS[] = {
    COLUMN(file_row, span, UNIT_NONE, "Span"),
    COLUMN(file_row, bytes, UNIT_BYTES, "Size"),
    COLUMN(file_row, inflated_bytes, UNIT_BYTES, "Inflated"),
    COLUMN(file_row, events, UNIT_COUNT, "Events"),
    COLUMN(file_row, torch_version, UNIT_NONE, "torch"),
    COLUMN_QUIET(file_row, begin_ns, UNIT_TIME, "Begin"),
    COLUMN(file_row, duration_ns, UNIT_NS, "Recorded"),
    COLUMN(file_row, path, UNIT_NONE, "Path"),
};

static const column CATEGORY_COLUMNS[] = {
    COLUMN(category_row, category, UNIT_NONE, "Category"),
    COLUMN(category_row, role, UNIT_NONE, "Role"),
    COLUMN(category_row, events, UNIT_COUNT, "Records"),
    COLUMN(category_row, total_ns, UNIT_NS, "Total"),
};

static const column PROCESS_COLUMNS[] = {
    COLUMN(process_row, process, UNIT_NONE, "Process"),
    COLUMN(process_row, thread, UNIT_NONE, "Thread"),
    COLUMN(process_row, name, UNIT_NAME, "Name"),
    COLUMN(process_row, events, UNIT_COUNT, "Events"),
};

static const column HEALTH_COLUMNS[] = {
    COLUMN(health_row, code, UNIT_NONE, "Code"),
    COLUMN(health_row, severity, UNIT_NONE, "Severity"),
    COLUMN(health_row, count, UNIT_COUNT, "Count"),
    COLUMN(health_row, byte, UNIT_COUNT, "First at byte"),
    COLUMN(health_row, text, UNIT_PROSE, "What"),
    COLUMN_QUIET(health_row, span, UNIT_NONE, "Span"),
};

enum { FILES, CATEGORIES, PROCESSES, HEALTH };

// clang-format off
static const table SHAPES[] = {
    [FILES]      = {TABLE("files", "Files", FILE_COLUMNS, file_row)},
    [CATEGORIES] = {TABLE("categories", "Categories of records, and what they count as",
                          CATEGORY_COLUMNS, category_row)},
    [PROCESSES]  = {TABLE("processes", "Threads, and streams of devices",
                          PROCESS_COLUMNS, process_row)},
    [HEALTH]     = {TABLE("health", "Data health: what was bent, lost or missing",
                          HEALTH_COLUMNS, health_row),
                    .look = LOOK_ITEMS},
};
// clang-format on

static const char *known_string(const trace *t, uint32_t id)
{
    return id == STRING_NONE ? NULL : t->strings.at[id];
}

static const char *torch_version(const trace *t, arena *a)
{
    const text raw = trace_metadata(t, "torch_version");
    if (!raw.length)
        return NULL;

    const text version = json_text(raw, a);
    return arena_copy(a, version.at, version.length);
}

static file_row file_of(const span *s, const char *path, arena *a)
{
    const trace *t = s->trace;
    const bool window = t->window_begin != TIME_NONE && t->window_end != TIME_NONE;

    return (file_row){
        .bytes = (int64_t)t->stored_bytes,
        .inflated_bytes = (int64_t)t->inflated_bytes,
        .events = (int64_t)t->records,
        .torch_version = torch_version(t, a),
        .begin_ns = window ? t->window_begin : INT_NONE,
        .duration_ns = window ? t->window_end - t->window_begin : INT_NONE,
        .span = s->name,
        .path = path,
    };
}

static void add_files(const view_input *in, view_output *out)
{
    const worker *w = in->all->worker;
    file_row *rows = arena_new(out->arena, file_row, w->span_count);

    for (uint32_t i = 0; i < w->span_count; i++)
        rows[i] = file_of(&w->spans[i], in->paths[i], out->arena);
    view_table(out, &SHAPES[FILES], rows, w->span_count);
}

static int compare_text(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "");
}

static int by_category(const void *x, const void *y)
{
    const category_row *a = x, *b = y;
    const int order = compare_text(a->category, b->category);
    return order ? order : compare_text(a->role, b->role);
}

static int by_events(const void *x, const void *y)
{
    const category_row *a = x, *b = y;
    if (a->events != b->events)
        return a->events > b->events ? -1 : 1;
    return by_category(x, y);
}

static void add_categories(const worker *w, view_output *out)
{
    category_row *rows = NULL;
    uint32_t count = 0, capacity = 0, kept = 0;

    for (uint32_t s = 0; s < w->span_count; s++) {
        const trace *t = w->spans[s].trace;
        for (uint32_t i = 0; i < t->category_count; i++) {
            const category_count *c = &t->categories[i];
            arena_reserve_one(out->arena, rows, count, capacity);
            rows[count++] = (category_row){t->strings.at[c->word], role_word((role)c->role),
                                           (int64_t)c->records, c->total_ns};
        }
    }
    if (count)
        qsort(rows, count, sizeof(*rows), by_category);
    for (uint32_t i = 0; i < count; i++)
        if (kept && by_category(&rows[kept - 1], &rows[i]) == 0) {
            rows[kept - 1].events += rows[i].events;
            rows[kept - 1].total_ns += rows[i].total_ns;
        } else {
            rows[kept++] = rows[i];
        }
    if (kept)
        qsort(rows, kept, sizeof(*rows), by_events);
    view_table(out, &SHAPES[CATEGORIES], rows, kept);
}

static int by_thread(const void *x, const void *y)
{
    const process_row *a = x, *b = y;
    int order = compare_text(a->process, b->process);
    if (!order)
        order = compare_text(a->thread, b->thread);
    return order ? order : compare_text(a->name, b->name);
}

static void add_processes(const worker *w, view_output *out)
{
    process_row *rows = NULL;
    uint32_t count = 0, capacity = 0, kept = 0;

    for (uint32_t s = 0; s < w->span_count; s++) {
        const trace *t = w->spans[s].trace;
        for (uint32_t i = 0; i < t->lane_count; i++) {
            const lane *l = &t->lanes[i];
            arena_reserve_one(out->arena, rows, count, capacity);
            rows[count++] = (process_row){known_string(t, l->process), known_string(t, l->thread),
                                          known_string(t, l->name), l->events};
        }
    }
    if (count)
        qsort(rows, count, sizeof(*rows), by_thread);
    for (uint32_t i = 0; i < count; i++)
        if (kept && by_thread(&rows[kept - 1], &rows[i]) == 0)
            rows[kept - 1].events += rows[i].events;
        else
            rows[kept++] = rows[i];
    view_table(out, &SHAPES[PROCESSES], rows, kept);
}

static void add_health(const worker *w, view_output *out)
{
    static const char *const SEVERITIES[] = {"info", "warning", "error"};
    health_row *rows = NULL;
    uint32_t count = 0, capacity = 0;

    for (uint32_t s = 0; s < w->span_count; s++) {
        const trace *t = w->spans[s].trace;
        for (uint32_t i = 0; i < t->note_count; i++) {
            const health_note *n = &t->notes[i];
            arena_reserve_one(out->arena, rows, count, capacity);
            rows[count++] = (health_row){
                .code = n->code,
                .severity = SEVERITIES[n->severity],
                .count = (int64_t)n->count,
                .byte = n->byte == ERROR_NO_OFFSET ? INT_NONE : n->byte,
                .text = n->text,
                .span = w->spans[s].name,
            };
        }
    }
    view_table(out, &SHAPES[HEALTH], rows, count);
}

static void remark_log_lines(const worker *w, view_output *out)
{
    for (uint32_t s = 0; s < w->span_count; s++)
        for (uint32_t i = 0; i < w->spans[s].trace->log_line_count; i++) {
            if (out->remark_count == ARRAY_LEN(out->remarks))
                return;
            view_remark(out, REMARK_VIEW, "The profiler noted: %s",
                        w->spans[s].trace->log_lines[i]);
        }
}

static void build(const view_input *in, view_output *out)
{
    const worker *w = in->all->worker;

    add_files(in, out);
    add_categories(w, out);
    add_processes(w, out);
    add_health(w, out);
    remark_log_lines(w, out);
}

const view view_info = {
    "info", "files, categories, threads, data health", "Log", SHAPES, ARRAY_LEN(SHAPES), build};
