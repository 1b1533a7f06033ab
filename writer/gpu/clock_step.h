// SPDX-License-Identifier: BSD-3-Clause
// Pure: where events of a window belong in which the system's time was set.
//
// CUPTI's times follow CLOCK_REALTIME, those of the trace do not. When within the window it was
// set, nothing says; but each event must lie in the window, and a call in the range around it.
#ifndef GPU_CLOCK_STEP_H
#define GPU_CLOCK_STEP_H

#include "capture.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tp_clock_step {
    int64_t begin_ns, end_ns; // the window, in the trace's clock
    // What moves a reading of CLOCK_REALTIME to the trace's clock, at either end of the window.
    int64_t before_ns, after_ns;
    // Calls up to the one are of before the step, calls from the other on of after it; 0: unknown.
    uint32_t last_before, first_after;
    uint64_t unsure; // events for which nothing tells on which side they are
} tp_clock_step;

// Whether the time was set, as opposed to a clock that is led slowly, which is followed.
bool tp_clock_step_is_one(const tp_clock_step *step);

// A call whose time is that of CLOCK_REALTIME tells on which side its correlation is. `range` is
// the innermost one around it as {begin, end}, NULL where there is none.
void tp_clock_step_learn(tp_clock_step *step, const tp_gpu_event *call, const int64_t *range);

// Moves an event from CLOCK_REALTIME to the trace's clock.
void tp_clock_step_place(tp_clock_step *step, tp_gpu_event *event);

#endif
