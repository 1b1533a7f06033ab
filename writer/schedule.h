// SPDX-License-Identifier: BSD-3-Clause
// Pure: step number -> action, and from one action to the next -> what the profiler does.
#ifndef WRITER_SCHEDULE_H
#define WRITER_SCHEDULE_H

#include "tprof/tprof.h"

// What the profiler does between two steps, in this order.
typedef enum tp_transition {
    TP_WINDOW_STOP = 1 << 0,    // the window ends
    TP_WINDOW_READY = 1 << 1,   // and is handed to the handler
    TP_WINDOW_PREPARE = 1 << 2, // collectors warm up
    TP_WINDOW_START = 1 << 3,   // a window begins
    TP_WINDOW_CANCEL = 1 << 4,  // a warm-up ends without a window
} tp_transition;

// Whether all numbers are allowed. All zero is: it means no schedule.
bool tp_schedule_valid(const tprof_schedule *schedule);

// Whether steps decide; else everything between start and stop is one window.
bool tp_schedule_given(const tprof_schedule *schedule);

// tp_transition bits for going from one action to another; `to` NULL is the end, stop().
unsigned tp_schedule_transition(tprof_action from, const tprof_action *to);

#endif
