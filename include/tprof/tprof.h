// SPDX-License-Identifier: BSD-3-Clause
// libtprof records a training program the way torch.profiler records a Python one, and writes the
// logs that TensorBoard, Perfetto and tprof-analyze open. C11 and C++.
//
//     tprof_config config = {
//         .schedule = {.wait = 1, .warmup = 1, .active = 3},
//         .on_trace_ready = tprof_tensorboard_trace_handler("./log", NULL, NULL),
//     };
//     tprof_profiler *profiler;
//     if (tprof_create(&config, &profiler) != TPROF_OK || tprof_start(profiler) != TPROF_OK)
//         fprintf(stderr, "nothing is recorded\n");
//     for (int step = 0; step < steps; step++) {
//         {
//             TPROF_SCOPE("forward");
//             forward();
//         }
//         tprof_step(profiler);
//     }
//     tprof_stop(profiler);
//     tprof_destroy(profiler);
//
// The library never prints, exits, aborts or throws. Calls that can fail return a status; calls on
// the hot path cannot: where there is no memory they drop the event and count it, and the count
// stands in the trace and in tprof_get_stats(). A profiler that is NULL is answered with
// TPROF_ERR_ARGUMENT, so that a program trains on without one. Every field's zero is its default,
// so `tprof_config config = {0};` is valid and stays so as fields are added.
//
// Calls with a profiler are made by one thread at a time, the training thread; all that record
// (scopes, operators, instants, counters, memory) by any thread at any time, also before
// tprof_create() and after tprof_destroy(), when they do nothing. After fork() the child records
// nothing until it makes a profiler of its own; the parent's, in the child, can only be destroyed.
#ifndef TPROF_TPROF_H
#define TPROF_TPROF_H

#include "api.h"
#include "profiling.h"
#include "recording.h"
#include "results.h"
#include "timing.h"

#endif
