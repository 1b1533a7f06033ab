// SPDX-License-Identifier: BSD-3-Clause
// When a recording was: its base time, and its window.
#ifndef MODEL_RECORDING_H
#define MODEL_RECORDING_H

#include "model/trace.h"

// What the file says of the window, in times as written. Starts as zeros.
typedef struct recording_marks {
    bool span_seen, end_seen;
    int64_t span_begin, span_end; // of the Trace span, where it has a length
    int64_t end;                  // of the instant at the window's end
} recording_marks;

// Settles base time and window once all events are in and sorted, and makes all times relative to
// the base.
void recording_settle(trace *t, const recording_marks *marks);

#endif
