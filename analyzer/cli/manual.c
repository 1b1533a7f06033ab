// SPDX-License-Identifier: BSD-3-Clause
// The manual page.
#include "cli/help.h"

#include "cli/commands.h"
#include "report/renderer.h"

// Text with what roff would take for itself escaped.
static void roff(FILE *out, const char *words)
{
    for (const char *s = words; *s; s++) {
        if (*s == '\\')
            fputs("\\e", out);
        else if (*s == '-')
            fputs("\\-", out);
        else if ((*s == '.' || *s == '\'') && s == words)
            fprintf(out, "\\&%c", *s);
        else
            fputc(*s, out);
    }
}

static void item(FILE *out, const char *head, const char *body)
{
    fputs(".TP\n.B ", out);
    roff(out, head);
    fputs("\n", out);
    roff(out, body);
    fputs("\n", out);
}

static void print_option(FILE *out, const option_spec *spec)
{
    fputs(".TP\n", out);
    if (spec->letter)
        fprintf(out, ".BR \\-%c \", \" ", spec->letter);
    else
        fputs(".B ", out);
    fputs("\\-\\-", out);
    roff(out, spec->name);
    if (spec->argument)
        fprintf(out, spec->letter ? " \" \\fI%s\\fR\"" : " \\fI%s\\fR", spec->argument);
    fputs("\n", out);
    roff(out, spec->help);
    fputs("\n", out);
}

static void print_lists(FILE *out)
{
    char status[16];

    fputs(".SH COMMANDS\n", out);
    for (const command *c = COMMANDS; c->name; c++)
        item(out, c->name, c->summary);
    fputs(".SH OPTIONS\n", out);
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        print_option(out, &OPTIONS[i]);
    fputs(".SH VIEWS\n", out);
    for (uint32_t i = 0; VIEWS[i]; i++)
        item(out, VIEWS[i]->key, VIEWS[i]->summary);
    fputs(".SH FORMATS\n", out);
    for (uint32_t i = 0; RENDERERS[i]; i++)
        item(out, RENDERERS[i]->name, RENDERERS[i]->summary);
    fputs(".SH EXIT STATUS\n", out);
    for (const exit_meaning *m = EXIT_MEANINGS; m->text; m++) {
        snprintf(status, sizeof(status), "%d", (int)m->status);
        item(out, status, m->text);
    }
}

void manual_print(FILE *out)
{
    fputs(
        ".TH TPROF\\-ANALYZE 1 \"\" \"tprof " TPROF_VERSION "\" \"User Commands\"\n"
        ".SH NAME\n"
        "tprof\\-analyze \\- shows where the time of a training program goes\n"
        ".SH SYNOPSIS\n"
        ".B tprof\\-analyze\n"
        "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] \\fIPATH\\fR...\n"
        ".SH DESCRIPTION\n"
        "Reads the logs that torch.profiler and libtprof write\n"
        "(\\fIworker\\fR.\\fIstamp\\fR.pt.trace.json, gzipped or not) and reports the bottleneck, "
        "steps,\n"
        "operators, kernels and data\\-loader waits.\n"
        "A \\fIPATH\\fR is a log directory of any depth, whose links are followed, a run "
        "directory,\n"
        "a trace file, or \\- for standard input.\n"
        "A folder is a run, named by its path below the log directory; folders of one name, as of "
        "two logs,\n"
        "are told apart by more of their paths.\n"
        "Data goes to standard output, progress and warnings to standard error.\n",
        out);
    print_lists(out);
    fputs(".SH ENVIRONMENT\n", out);
    item(out, "NO_COLOR", "no colour, where it is set and not empty");
    item(out, "COLUMNS", "width of the text report off a terminal; 80 where it is not set");
    fputs(".SH EXAMPLES\n", out);
    item(out, "tprof-analyze ./log", "everything below ./log, in short");
    item(out, "tprof-analyze --views operators,kernels --top 30 ./log/run1",
         "the 30 largest operators and kernels of each worker");
    item(out, "tprof-analyze -f json -o report.json ./log", "all tables, for other programs");
}
