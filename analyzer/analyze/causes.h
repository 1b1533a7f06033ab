// SPDX-License-Identifier: BSD-3-Clause
// What a host thread is in at each instant, as far as it can keep a device waiting.
#ifndef ANALYZE_CAUSES_H
#define ANALYZE_CAUSES_H

#include "model/trace.h"

// In order of precedence.
typedef enum cause {
    CAUSE_INPUT,  // waits for a data loader
    CAUSE_SYNC,   // in a synchronising call
    CAUSE_COPY,   // in a blocking copy
    CAUSE_ALLOC,  // allocates or frees device memory
    CAUSE_LAUNCH, // in any operator or call
    CAUSE_HOST,   // in none of these: Python or unmarked code
    CAUSES
} cause;

// A thread's time as segments: segment i reaches from begin[i] to begin[i + 1]. Before the first
// and from the last on it is in nothing.
typedef struct cause_line {
    int64_t *begin;
    uint8_t *cause;
    uint32_t count, capacity;
} cause_line;

typedef struct causes {
    cause_line *lines; // by lane
} causes;

// Lives in `a`. One pass over all events.
causes causes_of(const trace *t, arena *a);

// Adds the time from `begin` to `end` to `spent` by what lane `thread` is in, and where that is
// nothing, by what lane `other` is in (UINT32_MAX: none).
void causes_charge(const causes *c, uint32_t thread, uint32_t other, int64_t begin, int64_t end,
                   int64_t spent[CAUSES]);

#endif
