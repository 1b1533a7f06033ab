// SPDX-License-Identifier: BSD-3-Clause
// Lines on standard error.
#include "cli/messages.h"

#include "report/screen_text.h"

#include <stdarg.h>
#include <stdio.h>

void message(const char *format, ...)
{
    char line[4096];
    arena *a = arena_create();
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    fprintf(stderr, "tprof-analyze: %s\n", screen_safe(line, a));
    arena_destroy(a);
}

void message_error(const error *err)
{
    char line[4096];
    message("%s", error_line(err, line, sizeof(line)));
}
