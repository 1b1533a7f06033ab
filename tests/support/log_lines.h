// SPDX-License-Identifier: BSD-3-Clause
// Logs for tests of the analyses: written event by event as lines, or a file; read, linked and with
// its steps, as the program does it.
#ifndef SUPPORT_LOG_LINES_H
#define SUPPORT_LOG_LINES_H

#include "analyze/worker.h"

enum { LOG_SPANS = 4 };

// A worker whose spans are added one by one. Begins as {0}; release with log_close().
typedef struct log_lines {
    arena *arena; // for results too
    trace *traces[LOG_SPANS];
    span spans[LOG_SPANS];
    worker worker;
} log_lines;

// Adds a span made of lines "category|name|[process:]thread|begin|duration|args"; times in us,
// process 1 by default, args as JSON members with ' for ". The list ends with NULL.
void log_add_lines(log_lines *log, const char *const *lines);

// Adds a span that is a file.
void log_add_file(log_lines *log, const char *path);

// Adds a file of the folder of cases; skips the test, and says so, where that is absent.
void log_add_case(log_lines *log, const char *file);

void log_close(log_lines *log);

#endif
