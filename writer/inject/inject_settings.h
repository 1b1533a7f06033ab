// SPDX-License-Identifier: BSD-3-Clause
// What the injection library is told by the environment; tprof-record sets the same variables.
#ifndef INJECT_INJECT_SETTINGS_H
#define INJECT_INJECT_SETTINGS_H

#include "tprof/tprof.h"

#include <stdbool.h>
#include <stddef.h>

// X(constant, variable, what it says). tprof-record's help and the manual page show this list.
#define TP_INJECT_VARIABLE_MAP(X)                                                                  \
    X(DIR, "TPROF_LOG_DIR", "folder for the traces, ./log where it is not set")                    \
    X(WORKER, "TPROF_WORKER", "worker in file names, <host>_<process id> where it is not set")     \
    X(STEP, "TPROF_STEP", "name of the NVTX range that is a step, as NAME or DOMAIN:NAME")         \
    X(SCHEDULE, "TPROF_SCHEDULE",                                                                  \
      "steps to record: skip_first=N,wait=N,warmup=N,active=N,repeat=N; active=1 alone is all")    \
    X(DELAY, "TPROF_DELAY", "seconds before recording begins; not with steps")                     \
    X(DURATION, "TPROF_DURATION", "seconds of recording, all the rest where it is not set")        \
    X(GZIP, "TPROF_GZIP", "0 writes .json files, 1 (as without it) .json.gz")                      \
    X(FILES, "TPROF_FILES", "step (a file a step) or window (as without it)")                      \
    X(MEMORY, "TPROF_MEMORY", "1 records the memory of devices, too")                              \
    X(ACTIVITIES, "TPROF_ACTIVITIES", "cpu, cuda or cpu,cuda (as without it)")                     \
    X(REPORT, "TPROF_REPORT", "folder for a file that says what became of the recording")

typedef enum tp_inject_variable {
#define X(constant, name, text) TP_INJECT_##constant,
    TP_INJECT_VARIABLE_MAP(X)
#undef X
        TP_INJECT_VARIABLES
} tp_inject_variable;

const char *tp_inject_variable_name(tp_inject_variable variable);

typedef struct tp_inject_settings {
    const char *dir, *worker, *step, *report; // NULL where not set, but for dir; not copied
    tprof_schedule schedule;                  // active is 0 without steps
    double delay_s, duration_s;               // 0: at once, to the end; 1e9 at most
    bool plain, profile_memory;
    tprof_files files;
    unsigned activities;
} tp_inject_settings;

// Reads them through `get`, which is getenv() but in tests. False where a value cannot be
// understood, and `why` says which.
bool tp_inject_settings_read(const char *(*get)(const char *name), tp_inject_settings *settings,
                             char *why, size_t size);

#endif
