// SPDX-License-Identifier: BSD-3-Clause
// --help and --version.
#include "cli/help.h"

#include "cli/commands.h"
#include "out/sink.h"
#include "read/inflate.h"
#include "report/renderer.h"

#include <string.h>

enum { NAME_CELLS = 26 };

static void print_option(FILE *out, const option_spec *spec)
{
    char name[64], letter[8] = "    ";

    snprintf(name, sizeof(name), "--%s %s", spec->name, spec->argument ? spec->argument : "");
    if (spec->letter)
        snprintf(letter, sizeof(letter), "-%c, ", spec->letter);
    fprintf(out, "  %s%-*s%s\n", letter, NAME_CELLS - 4, name, spec->help);
}

void help_print(FILE *out)
{
    fputs(
        "usage: tprof-analyze [COMMAND] [OPTIONS] PATH...\n\n"
        "Shows where the time of a training program goes, from the logs of torch.profiler and "
        "libtprof.\n"
        "A PATH is a log directory of any depth, a run directory, a trace file, or - for standard "
        "input.\n\ncommands:\n",
        out);
    for (const command *c = COMMANDS; c->name; c++)
        fprintf(out, "  %-*s%s%s\n", NAME_CELLS, c->name, c->summary,
                c == COMMANDS ? " (the default)" : "");
    fputs("\noptions:\n", out);
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        print_option(out, &OPTIONS[i]);
    fputs("\nviews:\n ", out);
    for (uint32_t i = 0; VIEWS[i]; i++)
        fprintf(out, " %s", VIEWS[i]->key);
    fputs("\n\nformats:\n", out);
    for (uint32_t i = 0; RENDERERS[i]; i++)
        fprintf(out, "  %-*s%s\n", NAME_CELLS, RENDERERS[i]->name, RENDERERS[i]->summary);
    fputs("\nexit status:\n", out);
    for (const exit_meaning *m = EXIT_MEANINGS; m->text; m++)
        fprintf(out, "  %-*d%s\n", NAME_CELLS, (int)m->status, m->text);
}

void version_print(FILE *out)
{
    fprintf(out, "tprof-analyze %s\ninflate: %s\n", TPROF_VERSION, inflate_engine);
}
