// SPDX-License-Identifier: BSD-3-Clause
// What became of the recordings of a program's processes, as their libtprof_inject.so wrote it.
#ifndef INJECT_RECORD_REPORT_H
#define INJECT_RECORD_REPORT_H

#include <limits.h>

// Sums over all processes; texts are one process's, "" where there is none.
typedef struct record_report {
    unsigned long long processes, files, events, gpu_events, dropped, dropped_gpu;
    char last_file[PATH_MAX], trouble[PATH_MAX];
} record_report;

// Reads and removes the files that TPROF_REPORT names, and their folder.
record_report record_report_collect(const char *folder);

// Says it on standard error; `dir` is where the traces are.
void record_report_tell(const record_report *report, const char *dir);

#endif
