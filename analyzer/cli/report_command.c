// SPDX-License-Identifier: BSD-3-Clause
// report and info.
#include "cli/report_command.h"

#include "base/text.h"
#include "cli/complaints.h"
#include "cli/crew.h"
#include "cli/messages.h"
#include "cli/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_BLOCKS = 4, // workers that get a block of their own
    MOST_LINES = 30, // in the table of workers
};

static void choose_formats(job *j)
{
    const options *o = j->options;

    if (o->formats.count == 0)
        j->formats[j->format_count++] = RENDERERS[0];
    for (uint32_t i = 0; RENDERERS[i]; i++)
        for (uint32_t k = 0; k < o->formats.count; k++)
            if (strcmp(RENDERERS[i]->name, o->formats.at[k]) == 0) {
                j->formats[j->format_count++] = RENDERERS[i];
                break;
            }
}

static report_detail detail_of(const job *j)
{
    const bool by_span = strcmp(j->options->by, "span") == 0;
    const uint32_t blocks = by_span ? j->input_count : j->unit_count;

    if (j->options->views.count || j->options->command->views)
        return DETAIL_VIEWS;
    return blocks <= 1 ? DETAIL_BRIEF : blocks <= MOST_BLOCKS ? DETAIL_TIGHT : DETAIL_TABLE;
}

static const column WORKER_COLUMNS[] = {
    COLUMN(worker_row, run, UNIT_NONE, "Run"),
    COLUMN(worker_row, worker, UNIT_NONE, "Worker"),
    COLUMN(worker_row, rank, UNIT_NONE, "Rank"),
    COLUMN_QUIET(worker_row, spans, UNIT_COUNT, "Spans"),
    COLUMN(worker_row, steps, UNIT_COUNT, "Steps"),
    COLUMN(worker_row, mean_ns, UNIT_NS, "Mean step"),
    COLUMN(worker_row, p95_ns, UNIT_NS, "P95"),
    COLUMN(worker_row, verdict, UNIT_NONE, "Bottleneck"),
    COLUMN(worker_row, share, UNIT_RATIO, "Share"),
    COLUMN(worker_row, gain_ns, UNIT_NS, "Gain at most"),
};

static uint32_t count_runs(const worker_row *rows, uint32_t count)
{
    uint32_t runs = 0;
    for (uint32_t i = 0; i < count; i++)
        runs += i == 0 || strcmp(rows[i].run, rows[i - 1].run) != 0;
    return runs;
}

// The run is left out where there is but one; where there are more, P95 gives its room to their
// names on a narrow screen.
static const column *worker_columns(uint32_t runs, int width, arena *a)
{
    enum { RUN = 0, P95 = 6, WIDE_SCREEN = 100 };
    column *columns = arena_new(a, column, ARRAY_LEN(WORKER_COLUMNS));

    memcpy(columns, WORKER_COLUMNS, sizeof(WORKER_COLUMNS));
    columns[P95].show = runs > 1 && width < WIDE_SCREEN ? SHOW_IN_MACHINE_FORMATS : SHOW_ALWAYS;
    columns[RUN].show = runs > 1 ? SHOW_ALWAYS : SHOW_IN_MACHINE_FORMATS;
    return columns;
}

// Slowest first; ties by name.
static int by_mean(const void *x, const void *y)
{
    const worker_row *a = x, *b = y;
    if (a->mean_ns != b->mean_ns)
        return a->mean_ns > b->mean_ns ? -1 : 1;
    const int order = strcmp(a->run, b->run);
    return order ? order : strcmp(a->worker, b->worker);
}

// "12 workers, slowest first (1.53 times the median of their mean steps)".
static const char *worker_title(const worker_row *rows, uint32_t count, uint32_t runs, arena *a)
{
    const worker_row *median = count ? &rows[count / 2] : NULL;

    if (runs > 1)
        return arena_printf(a, "%u workers of %u runs, slowest first", count, runs);
    if (!median || median->mean_ns == INT_NONE || median->mean_ns <= 0)
        return arena_printf(a, "%u workers", count);
    return arena_printf(a, "%u workers, slowest first (%.2f times the median of their mean steps)",
                        count, (double)rows[0].mean_ns / (double)median->mean_ns);
}

static table worker_table(const job *j)
{
    worker_row *rows = arena_new(j->arena, worker_row, j->unit_count);
    table t = {TABLE("workers", NULL, WORKER_COLUMNS, worker_row), .rows = rows};

    for (uint32_t i = 0; i < j->unit_count; i++)
        if (j->units[i].usable)
            rows[t.row_count++] = j->units[i].row;
    const uint32_t runs = count_runs(rows, t.row_count);
    if (t.row_count)
        qsort(rows, t.row_count, sizeof(*rows), by_mean);
    t.columns = worker_columns(runs, j->style.width, j->arena);
    t.title = worker_title(rows, t.row_count, runs, j->arena);
    t.total_rows = t.row_count;
    t.tight_rows = j->style.detail == DETAIL_TABLE ? MOST_LINES : MOST_BLOCKS;
    return t;
}

static void take_inputs(const job *j, report_frame *frame)
{
    report_input *inputs = arena_new(j->arena, report_input, j->input_count);
    report_ignored *ignored = arena_new(j->arena, report_ignored, j->listing.ignored_count);

    for (uint32_t u = 0; u < j->unit_count; u++)
        for (uint32_t i = 0; i < j->units[u].count && !j->units[u].left_out; i++)
            inputs[frame->input_count++] = j->inputs[j->units[u].first + i].seen;
    for (uint32_t i = 0; i < j->listing.ignored_count; i++)
        ignored[frame->ignored_count++] =
            (report_ignored){j->listing.ignored[i].path, j->listing.ignored[i].reason};
    frame->inputs = inputs;
    frame->ignored = ignored;
}

static void take_parts(const job *j, uint32_t format, report_frame *frame)
{
    report_part *parts = NULL;
    uint32_t capacity = 0;

    frame->part_count = 0;
    for (uint32_t u = 0; u < j->unit_count; u++)
        for (uint32_t i = 0; i < j->units[u].parts[format].count; i++) {
            arena_reserve_one(j->arena, parts, frame->part_count, capacity);
            parts[frame->part_count++] = j->units[u].parts[format].at[i];
        }
    frame->parts = parts;
}

// Where a format goes; NULL: to standard output.
static const char *output_path(const job *j, uint32_t format)
{
    const char *path = j->options->output;

    if (!path || strcmp(path, "-") == 0)
        return NULL;
    return j->format_count > 1
               ? arena_printf(j->arena, "%s.%s", path, j->formats[format]->extension)
               : path;
}

static tprof_status open_output(const char *path, tp_sink **out, int *problem)
{
    *problem = 0;
    return path ? tp_sink_file_open(path, TP_FILE_REPLACE, out, problem)
                : tp_sink_fd_open(STDOUT_FILENO, out);
}

static void tell_unwritten(const char *path, int problem)
{
    const char *why = problem ? strerror(problem) : "out of memory";

    if (path)
        message("--output %s: cannot write: %s; it wants a file in a folder that can be written",
                path, why);
    else
        message("standard output: cannot write: %s", why);
}

static bool write_format(const job *j, uint32_t format, const report_frame *frame)
{
    const char *path = output_path(j, format);
    tp_sink *out = NULL;
    int problem;
    tprof_status status = open_output(path, &out, &problem);

    if (status == TPROF_OK) {
        j->formats[format]->whole(out, frame, &j->style);
        status = tp_sink_close(out, &problem);
    }
    if (status == TPROF_OK)
        return true;
    tell_unwritten(path, problem);
    return false;
}

static uint32_t units_usable(const job *j)
{
    uint32_t usable = 0;
    for (uint32_t i = 0; i < j->unit_count; i++)
        usable += j->units[i].usable;
    return usable;
}

// The report in each format. People get none where nothing could be analysed.
static bool write_all(const job *j, uint32_t usable)
{
    const table workers = worker_table(j);
    report_frame frame = {.version = TPROF_VERSION};
    bool written = true;

    take_inputs(j, &frame);
    if (usable > 1 && j->style.detail != DETAIL_VIEWS)
        frame.workers = &workers;
    frame.hints = hints_for(j, &frame.hint_count);
    for (uint32_t f = 0; f < j->format_count; f++) {
        if (!usable && !j->formats[f]->all_scopes)
            continue;
        take_parts(j, f, &frame);
        written &= write_format(j, f, &frame);
    }
    return written;
}

static uint32_t inputs_failed(const job *j)
{
    uint32_t failed = j->unopened;
    for (uint32_t u = 0; u < j->unit_count; u++)
        for (uint32_t i = 0; i < j->units[u].count && !j->units[u].left_out; i++)
            failed += j->inputs[j->units[u].first + i].code != ERR_NONE;
    return failed;
}

static exit_status run(job *j)
{
    error err = {0};

    if (job_gather(j, &err) != ERR_NONE) {
        message_error(&err);
        return EXIT_USAGE;
    }
    j->style = screen_style(j->options, detail_of(j));
    crew_run(j);

    const uint32_t usable = units_usable(j);
    complain(j, usable);
    if (!write_all(j, usable))
        return EXIT_CANNOT_WRITE;
    if (!usable)
        return EXIT_NO_INPUT;
    return inputs_failed(j) ? EXIT_SOME_UNREADABLE : EXIT_FINE;
}

exit_status report_command(const options *o)
{
    job j = {.options = o, .arena = arena_create()};

    choose_formats(&j);
    const exit_status status = run(&j);
    for (uint32_t i = 0; i < j.unit_count; i++)
        arena_destroy(j.units[i].arena);
    arena_destroy(j.arena);
    return status;
}
