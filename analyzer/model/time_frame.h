// SPDX-License-Identifier: BSD-3-Clause
// When a recording was: its base time, and its window.
#ifndef MODEL_TIME_FRAME_H
#define MODEL_TIME_FRAME_H

#include "model/trace.h"

// What the file says of the window, in times as written. Starts as zeros.
typedef struct window_marks {
    bool span_seen, end_seen;
    int64_t span_begin, span_end; // of the Trace span, where it has a length
    int64_t end;                  // of the instant at the window's end
} window_marks;

// Settles base time and window once all events are in and sorted, and makes all times relative to
// the base.
void time_frame_settle(trace *t, const window_marks *marks);

#endif
