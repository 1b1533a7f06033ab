// SPDX-License-Identifier: BSD-3-Clause
// What the program says of itself, all from the tables of commands, options, views and formats.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

void help_print(FILE *out);
void version_print(FILE *out);

// The manual page, in the man macros.
void manual_print(FILE *out);

// Completions for bash, zsh or fish.
void completion_print(const char *shell, FILE *out);

#endif
