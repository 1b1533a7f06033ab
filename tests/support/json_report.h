// SPDX-License-Identifier: BSD-3-Clause
// The report of a file, with every view, as the program prints it for other programs.
#ifndef SUPPORT_JSON_REPORT_H
#define SUPPORT_JSON_REPORT_H

#include "read/record.h"

typedef struct json_report {
    char *text; // to be freed
    size_t size;
    int status; // that the program would exit with
} json_report;

// How it is made: how bytes are read, and by how many threads ("1").
typedef struct report_way {
    const char *name;
    read_limits reading;
    const char *jobs;
} report_way;

// Runs the command with standard output taken away meanwhile, so no other thread may print. What it
// complains of goes to standard error. Ends the program where that cannot be done.
json_report json_report_of(const char *path, const report_way *way);

// The place of the first byte that differs, or SIZE_MAX for equal reports.
size_t json_report_difference(const json_report *a, const json_report *b);

#endif
