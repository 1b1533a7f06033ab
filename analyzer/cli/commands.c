// SPDX-License-Identifier: BSD-3-Clause
// The commands.
#include "cli/commands.h"

#include "cli/report_command.h"

#include <string.h>

const command COMMANDS[] = {
    {"report", "PATH...", "the bottleneck, then the views: all runs, workers and spans below PATH",
     NULL,                                                                                                report_command},
    {"info",   "PATH...", "what is in a log: files, categories, threads, what is missing or bent",
     "info",                                                                                              report_command},
    {NULL,     NULL,      NULL,                                                                     NULL, NULL          },
};

const exit_meaning EXIT_MEANINGS[] = {
    {EXIT_FINE,            "all is well"                                                        },
    {EXIT_USAGE,           "wrong usage"                                                        },
    {EXIT_SOME_UNREADABLE, "some inputs cannot be read; the report is made, and they are listed"},
    {EXIT_NO_INPUT,        "no usable input, or not enough memory"                              },
    {EXIT_CANNOT_WRITE,    "the report cannot be written"                                       },
    {EXIT_FINE,            NULL                                                                 },
};

bool command_shows(const options *o, const view *v)
{
    for (uint32_t i = 0; i < o->views.count; i++)
        if (strcmp(o->views.at[i], v->key) == 0 || strcmp(o->views.at[i], "all") == 0)
            return true;
    if (o->views.count)
        return false;
    return !o->command || !o->command->views || strcmp(o->command->views, v->key) == 0;
}
