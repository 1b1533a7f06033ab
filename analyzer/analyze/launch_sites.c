// SPDX-License-Identifier: BSD-3-Clause
// The calls of a trace that launched device work, and where each was made.
#include "analyze/launch_sites.h"

#include "analyze/nest.h"

enum { WORD_BITS = 64 };

static uint32_t call_of(const trace *t, uint32_t event)
{
    return role_is_device((role)t->events.role[event]) ? t->events.link[event] : EVENT_NONE;
}

launch_sites launch_numbers_of(const trace *t, arena *a)
{
    launch_sites made = {.trace = t}, *const s = &made;
    const uint32_t words = t->events.count / WORD_BITS + 1;

    s->launched = arena_new(a, uint64_t, words);
    s->before = arena_new(a, uint32_t, words);
    for (uint32_t i = 0; i < t->events.count; i++) {
        const uint32_t call = call_of(t, i);
        if (call != EVENT_NONE)
            s->launched[call / WORD_BITS] |= (uint64_t)1 << call % WORD_BITS;
    }
    for (uint32_t i = 0; i < words; i++) {
        s->before[i] = s->count;
        s->count += (uint32_t)__builtin_popcountll(s->launched[i]);
    }
    return made;
}

uint32_t launch_site_of_call(const launch_sites *s, uint32_t host_event)
{
    const uint32_t word = host_event / WORD_BITS;
    const uint64_t bit = (uint64_t)1 << host_event % WORD_BITS;

    if (!(s->launched[word] & bit))
        return SITE_NONE;
    return s->before[word] + (uint32_t)__builtin_popcountll(s->launched[word] & (bit - 1));
}

uint32_t launch_site_of(const launch_sites *s, uint32_t device_event)
{
    const uint32_t call = call_of(s->trace, device_event);

    return call == EVENT_NONE ? SITE_NONE : launch_site_of_call(s, call);
}

// Only what is open matters here, not who shares time with whom.
static bool counts_none(void *self, uint32_t event)
{
    (void)self;
    (void)event;
    return false;
}

static void enter(void *self, const nest_node *node)
{
    launch_sites *const s = self;
    const uint32_t number = launch_site_of_call(s, node->event);

    if (number != SITE_NONE)
        s->at[number] = (launch_site){node->event, node->in_operator, node->in_annotation};
}

launch_sites launch_sites_of(const trace *t, arena *a)
{
    launch_sites s = launch_numbers_of(t, a);

    s.at = arena_new(a, launch_site, s.count);
    const nest_visitor visitor = {
        .self = &s, .node_size = sizeof(nest_node), .counts = counts_none, .enter = enter};
    nest_walk(t, &visitor, a);
    return s;
}
