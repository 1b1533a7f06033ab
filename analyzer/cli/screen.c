// SPDX-License-Identifier: BSD-3-Clause
// What standard output is like, and what people are told at the report's end.
#include "cli/screen.h"

#include "report/units.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 70, MOST_WIDTH = 240 };

static bool to_terminal(const options *o)
{
    return !o->output && isatty(STDOUT_FILENO);
}

static bool colored(const options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    if (strcmp(o->color, "auto") != 0)
        return strcmp(o->color, "always") == 0;
    return to_terminal(o) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

static int width_of(const options *o)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;

    if (to_terminal(o) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        width = size.ws_col;
    if (width <= 0)
        return DEFAULT_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
}

report_style screen_style(const options *o, report_detail detail)
{
    return (report_style){
        .detail = detail,
        .color = colored(o),
        .whole_names = o->verbose,
        .width = width_of(o),
    };
}

// What is not shown is told of, whatever else is not to be told.
static const char *const *blocks_left_out(const job *j, uint32_t *count)
{
    const bool by_span = job_by_span(j);
    const uint32_t blocks = by_span ? j->input_count : j->unit_count;
    const uint32_t shown = job_blocks_shown(j);
    char number[UNIT_TEXT_BYTES];

    if (blocks <= shown)
        return NULL;
    const char **hint = arena_new(j->arena, const char *, 1);
    *hint = arena_printf(j->arena,
                         "… and %s more %s: %s picks some ('*': all); -f json has all of them",
                         unit_count(blocks - shown, number), by_span ? "spans" : "workers",
                         by_span ? "--span STAMP" : "--worker NAME or --ranks 0-3");
    *count = 1;
    return hint;
}

const char *const *hints_for(const job *j, uint32_t *count)
{
    static const char *const BRIEF[] = {
        "More: --views overview,operators,kernels,... or all; --top N; -f json; --help"};
    static const char *const WORKERS[] = {
        "More: --worker NAME or --ranks N for one in full; --views ...; -f json; --help"};
    static const char *const SPANS[] = {
        "More: --span STAMP for one in full; --views ...; -f json; --help"};

    *count = 0;
    if (j->style.detail == DETAIL_VIEWS)
        return blocks_left_out(j, count);
    if (j->options->quiet)
        return NULL;
    *count = 1;
    if (j->style.detail == DETAIL_BRIEF)
        return BRIEF;
    return job_by_span(j) ? SPANS : WORKERS;
}
