// SPDX-License-Identifier: BSD-3-Clause
// The profiler's insides, for the files that implement its calls.
#ifndef WRITER_PROFILER_STATE_H
#define WRITER_PROFILER_STATE_H

#include "annotate.h"
#include "profiler.h"
#include "window.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

struct tprof_profiler {
    tprof_config config;
    pid_t pid; // the process that made it
    bool gpu;
    bool silent; // this rank is not to record
    bool has_distributed;
    tprof_distributed distributed;
    char *backend; // its text
    int64_t batch_size;

    atomic_bool busy; // a call of the life cycle runs
    bool started;
    int64_t step;
    tprof_action action;
    tp_step_mark mark;

    bool in_window;
    tp_clock_anchor created, window_begin;
    uint64_t first_tick;    // of the window: what began before is not of it
    uint64_t capture_begin; // ticks
    uint64_t dropped_before;

    tp_capture *facts;    // metadata that every window gets
    pthread_mutex_t lock; // what other threads may read
    tp_capture *last;
    tprof_stats stats;
    tp_totals totals;
    uint64_t cut_before, late_cut; // ranges that ended in no window: seen so far, and of those ours
    char error[512];
    uint64_t
        failed_files; // of the handler, when that text was made: more of them are later failures
};

// Begins a window; ends it and, where it is `ready`, hands it on; hands on what it has so far.
void tp_profiler_begin_window(tprof_profiler *profiler);
void tp_profiler_end_window(tprof_profiler *profiler, bool ready);
void tp_profiler_cut_window(tprof_profiler *profiler);

// Counts the ranges that ended since it looked last, outside of its windows.
void tp_profiler_settle(tprof_profiler *profiler);

// Whether it is the one that recorded last, whose ranges may end yet.
bool tp_profiler_is_latest(const tprof_profiler *profiler);

// Whether this is a child that inherited the profiler, which then cannot be used.
bool tp_profiler_is_child(const tprof_profiler *profiler);

#endif
