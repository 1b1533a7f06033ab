// SPDX-License-Identifier: BSD-3-Clause
// The calls of a trace that launched device work, while they are numbered in order.
#ifndef LINK_LAUNCH_SITES_H
#define LINK_LAUNCH_SITES_H

#include "model/trace.h"

// A bit an event, and the count of bits before each word: a number is found in constant time.
typedef struct launch_sites {
    uint64_t *launched;
    uint32_t *before;
} launch_sites;

// Numbers the calls that events.link of trace.work names, fills trace.launched_by, and makes room
// for trace.launches. Lives in `a`.
launch_sites launch_sites_of(trace *t, arena *a);

// The number of a host event, or LAUNCH_NONE where it launched nothing.
static inline uint32_t launch_site(const launch_sites *s, uint32_t host_event)
{
    const uint64_t word = s->launched[host_event / 64], bit = (uint64_t)1 << host_event % 64;

    if (!(word & bit))
        return LAUNCH_NONE;
    return s->before[host_event / 64] + (uint32_t)__builtin_popcountll(word & (bit - 1));
}

#endif
