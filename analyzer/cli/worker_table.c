// SPDX-License-Identifier: BSD-3-Clause
// A line for each of several workers, or of a worker's spans.
#include "cli/worker_table.h"

#include "base/text.h"
#include "report/units.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 30 };

enum { RUN, WORKER, SPAN, RANK, SPANS, STEPS, MEAN, P95, VERDICT, SHARE, GAIN };

static const column COLUMNS[] = {
    [RUN] = COLUMN(worker_row, run, UNIT_NAME, "Run"),
    [WORKER] = COLUMN(worker_row, worker, UNIT_NAME, "Worker"),
    [SPAN] = COLUMN(worker_row, span, UNIT_NONE, "Span"),
    [RANK] = COLUMN(worker_row, rank, UNIT_NONE, "Rank"),
    [SPANS] = COLUMN_QUIET(worker_row, spans, UNIT_COUNT, "Spans"),
    [STEPS] = COLUMN(worker_row, steps, UNIT_COUNT, "Steps"),
    [MEAN] = COLUMN(worker_row, mean_ns, UNIT_NS, "Mean step"),
    [P95] = COLUMN(worker_row, p95_ns, UNIT_NS, "P95"),
    [VERDICT] = COLUMN(worker_row, verdict, UNIT_NONE, "Bottleneck"),
    [SHARE] = COLUMN(worker_row, share, UNIT_RATIO, "Share"),
    [GAIN] = COLUMN(worker_row, gain_ns, UNIT_NS, "Gain at most"),
};

static uint32_t count_runs(const worker_row *rows, uint32_t count)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < count; i++)
        runs += i == 0 || strcmp(rows[i].run, rows[i - 1].run) != 0;
    return runs;
}

static uint32_t count_workers(const worker_row *rows, uint32_t count)
{
    uint32_t workers = 0;
    for (uint32_t i = 0; i < count; i++)
        workers += i == 0 || strcmp(rows[i].run, rows[i - 1].run) != 0 ||
                   strcmp(rows[i].worker, rows[i - 1].worker) != 0;
    return workers;
}

// The run is left out where there is but one, and so is the worker where its spans are shown. On a
// narrow screen P95 gives its room to the names.
static const column *columns_for(const job *j, uint32_t runs, uint32_t workers)
{
    enum { WIDE_SCREEN = 100 };
    const bool by_span = job_by_span(j), wide = j->style.width >= WIDE_SCREEN;
    column *columns = arena_new(j->arena, column, ARRAY_LEN(COLUMNS));

    memcpy(columns, COLUMNS, sizeof(COLUMNS));
    columns[RUN].show = runs > 1 ? SHOW_ALWAYS : SHOW_IN_MACHINE_FORMATS;
    columns[WORKER].show = workers > 1 || !by_span ? SHOW_ALWAYS : SHOW_IN_MACHINE_FORMATS;
    columns[SPAN].show = by_span ? SHOW_ALWAYS : SHOW_IN_MACHINE_FORMATS;
    columns[P95].show = wide || (runs <= 1 && !by_span) ? SHOW_ALWAYS : SHOW_IN_MACHINE_FORMATS;
    return columns;
}

// Slowest first; ties by name.
static int by_mean(const void *x, const void *y)
{
    const worker_row *a = x, *b = y;
    if (a->mean_ns != b->mean_ns)
        return a->mean_ns > b->mean_ns ? -1 : 1;
    int order = strcmp(a->run, b->run);
    if (!order)
        order = strcmp(a->worker, b->worker);
    return order ? order : strcmp(a->span, b->span);
}

// "12 workers, slowest first (1.53 times the median of their mean steps)".
static const char *title_of(const worker_row *rows, uint32_t count, uint32_t runs, const job *j)
{
    char number[UNIT_TEXT_BYTES];
    const worker_row *median = count ? &rows[count / 2] : NULL;
    const char *what = arena_printf(j->arena, "%s %s", unit_count(count, number),
                                    job_by_span(j) ? "spans" : "workers");

    if (runs > 1)
        return arena_printf(j->arena, "%s of %s runs, slowest first", what,
                            unit_count(runs, number));
    if (!median || median->mean_ns == INT_NONE || median->mean_ns <= 0)
        return what;
    return arena_printf(j->arena, "%s, slowest first (%.2f times the median of their mean steps)",
                        what, (double)rows[0].mean_ns / (double)median->mean_ns);
}

static worker_row *rows_of(const job *j, uint32_t *count)
{
    worker_row *rows = arena_new(j->arena, worker_row, j->input_count);

    for (uint32_t i = 0; i < j->unit_count; i++) {
        const job_unit *u = &j->units[i];
        if (u->usable && !job_by_span(j))
            rows[(*count)++] = u->row;
        for (uint32_t k = 0; u->usable && k < u->span_row_count; k++)
            rows[(*count)++] = u->span_rows[k];
    }
    return rows;
}

table worker_table(const job *j)
{
    table t = {TABLE("workers", NULL, COLUMNS, worker_row)};
    worker_row *rows = rows_of(j, &t.row_count);
    const uint32_t runs = count_runs(rows, t.row_count);

    t.columns = columns_for(j, runs, count_workers(rows, t.row_count));
    if (t.row_count)
        qsort(rows, t.row_count, sizeof(*rows), by_mean);
    t.rows = rows;
    t.title = title_of(rows, t.row_count, runs, j);
    t.total_rows = t.row_count;
    t.tight_rows = j->style.detail == DETAIL_TABLE ? MOST_LINES : TIGHT_BLOCKS;
    return t;
}
