// SPDX-License-Identifier: BSD-3-Clause
// The commands, one table.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"
#include "views/view.h"

// The same table stands in the manual.
typedef enum exit_status {
    EXIT_FINE = 0,
    EXIT_USAGE = 2,
    EXIT_SOME_UNREADABLE = 3,
    EXIT_NO_INPUT = 4,
    EXIT_CANNOT_WRITE = 5,
} exit_status;

struct command {
    const char *name, *arguments, *summary;
    const char *views; // the one view it shows where none is asked for; NULL: a chosen few of all
    exit_status (*run)(const options *o);
};

// The first is what runs without a command; behind the last stands one without a name.
extern const command COMMANDS[];

// What an exit status means.
typedef struct exit_meaning {
    exit_status status;
    const char *text;
} exit_meaning;

// In the order of the numbers; behind the last stands one without a text.
extern const exit_meaning EXIT_MEANINGS[];

// Whether the view is part of the report: it was named, or none was.
bool command_shows(const options *o, const view *v);

#endif
