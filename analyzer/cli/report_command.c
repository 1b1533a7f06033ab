// SPDX-License-Identifier: BSD-3-Clause
// report and info.
#include "cli/report_command.h"

#include "base/text.h"
#include "cli/complaints.h"
#include "cli/crew.h"
#include "cli/messages.h"
#include "cli/screen.h"
#include "cli/worker_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    const uint32_t blocks = job_by_span(j) ? j->input_count : j->unit_count;

    if (j->options->views.count || j->options->command->views)
        return DETAIL_VIEWS;
    return blocks <= 1 ? DETAIL_BRIEF : blocks <= TIGHT_BLOCKS ? DETAIL_TIGHT : DETAIL_TABLE;
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
    if (workers.row_count > 1 && j->style.detail != DETAIL_VIEWS)
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

// A report in the place of a trace would end that.
static err_code refuse_to_replace_inputs(const job *j, error *err)
{
    for (uint32_t f = 0; f < j->format_count; f++) {
        const char *const path = output_path(j, f);
        struct stat output, read;
        if (!path || stat(path, &output) != 0 || !S_ISREG(output.st_mode))
            continue;
        for (uint32_t i = 0; i < j->input_count; i++)
            if (stat(j->inputs[i].file.path, &read) == 0 && read.st_dev == output.st_dev &&
                read.st_ino == output.st_ino)
                return error_at(err, ERR_USAGE, ERROR_NO_OFFSET,
                                "--output %s: that is one of the inputs; it wants another file",
                                path);
    }
    return ERR_NONE;
}

static exit_status run(job *j)
{
    error err = {0};

    if (job_gather(j, &err) != ERR_NONE || refuse_to_replace_inputs(j, &err) != ERR_NONE) {
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
        job_unit_end(&j.units[i]);
    arena_destroy(j.arena);
    return status;
}
