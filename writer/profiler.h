// SPDX-License-Identifier: BSD-3-Clause
// What the parts that read the last window ask of the profiler.
#ifndef WRITER_PROFILER_H
#define WRITER_PROFILER_H

#include "capture.h"

// The last window that was complete, with one more owner, or NULL without one. It must be prepared
// (window.h) before it is walked; tp_profiler_last_prepared() is both.
tp_capture *tp_profiler_last(tprof_profiler *profiler);
tp_capture *tp_profiler_last_prepared(tprof_profiler *profiler);

// Notes why something failed, for tprof_error(), and returns `status`.
tprof_status tp_profiler_fail(tprof_profiler *profiler, tprof_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

// The step that runs ended already, at `end` in ticks: its mark reaches no further. The profiler's
// thread calls it.
void tp_profiler_end_mark(tprof_profiler *profiler, uint64_t end);

#endif
