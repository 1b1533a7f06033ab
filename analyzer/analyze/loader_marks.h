// SPDX-License-Identifier: BSD-3-Clause
// Where the threads of a trace wait for their data loaders.
#ifndef ANALYZE_LOADER_MARKS_H
#define ANALYZE_LOADER_MARKS_H

#include "model/trace.h"
#include "timeline/interval.h"

#include <stdbool.h>

// The union of a thread's loader marks.
typedef struct loader_thread {
    uint32_t lane; // UINT32_MAX: of all threads together
    interval_set waits;
} loader_thread;

typedef struct loader_marks {
    loader_thread *threads; // [0]: all together
    uint32_t count;         // 1 at least
    uint32_t capacity;
    uint32_t *of_lane; // index into threads, or 0 where the lane has no mark
    uint32_t flags;    // name flags of all marks
} loader_marks;

// Loaders are marked ranges (link/ranges.h).
static inline bool event_is_loader(const trace *t, uint32_t event)
{
    const uint8_t r = t->events.role[event];
    return (r == ROLE_OPERATOR || r == ROLE_ANNOTATION) && event_flags(t, event) & NAME_LOADER;
}

loader_marks loader_marks_of(const trace *t, arena *a);

// The waits of a step's thread: its lane, or UINT32_MAX for all threads. NULL where there are none.
const loader_thread *loader_marks_thread(const loader_marks *m, uint32_t host_lane);

#endif
