// SPDX-License-Identifier: BSD-3-Clause
// The calls of a trace that launched device work, numbered in order.
#include "link/launch_sites.h"

enum { WORD_BITS = 64 };

launch_sites launch_sites_of(trace *t, arena *a)
{
    const uint32_t *const link = t->events.link;
    const uint32_t words = t->events.count / WORD_BITS + 1;
    const launch_sites s = {arena_new(a, uint64_t, words), arena_new(a, uint32_t, words)};

    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t call = link[t->work[k]];
        if (call != EVENT_NONE)
            s.launched[call / WORD_BITS] |= (uint64_t)1 << call % WORD_BITS;
    }
    for (uint32_t i = 0; i < words; i++) {
        s.before[i] = t->launch_count;
        t->launch_count += (uint32_t)__builtin_popcountll(s.launched[i]);
    }
    t->launches = arena_new(t->arena, launch, t->launch_count);
    t->launched_by = arena_new(t->arena, uint32_t, t->work_count);
    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t call = link[t->work[k]];
        t->launched_by[k] = call == EVENT_NONE ? LAUNCH_NONE : launch_site(&s, call);
    }
    return s;
}
