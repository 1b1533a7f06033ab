// SPDX-License-Identifier: BSD-3-Clause
// Forward operators and the backward ones that belong to them.
#include "encode/chrome_links.h"

#include "window.h"

#include <stdlib.h>

// An operator with a sequence number.
typedef struct member {
    int64_t thread; // of the forward operator
    int64_t sequence;
    bool backward;
    int64_t begin_ns;
    uint64_t event;
} member;

// All of one sequence number together: forward ones, then backward ones, each by time.
static int by_sequence(const void *a, const void *b)
{
    const member *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    if (x->backward != y->backward)
        return x->backward ? 1 : -1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static int by_event(const void *a, const void *b)
{
    const chrome_link *x = a, *y = b;
    return (x->event > y->event) - (x->event < y->event);
}

static member *collect(const tp_capture *capture, size_t *count)
{
    member *members = NULL;
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    uint64_t event = 0;

    *count = 0;
    for (; tp_cursor_next(&cursor, &record); event++) {
        if (!record.op || record.op->sequence <= 0)
            continue;
        member *more = tp_grown(members, *count, sizeof(*members));
        if (!more)
            break;
        members = more;
        members[(*count)++] = (member){
            .thread = record.op->backward ? (int64_t)record.op->forward_thread : record.thread->tid,
            .sequence = record.op->sequence,
            .backward = record.op->backward,
            .begin_ns = record.begin_ns,
            .event = event,
        };
    }
    return members;
}

// The arrow stands where a forward operator is followed by a backward one of the same number.
static size_t link_members(const member *members, size_t count, chrome_link *links)
{
    size_t used = 0;

    for (size_t i = 1; i < count; i++) {
        const member *forward = &members[i - 1], *backward = &members[i];
        if (forward->thread != backward->thread || forward->sequence != backward->sequence ||
            forward->backward || !backward->backward)
            continue;
        const uint64_t arrow = used / 2 + 1;
        links[used++] = (chrome_link){forward->event, arrow, TPROF_PHASE_FLOW_START};
        links[used++] = (chrome_link){backward->event, arrow, TPROF_PHASE_FLOW_END};
    }
    return used;
}

chrome_link *tp_chrome_links_find(const tp_capture *capture, size_t *count)
{
    size_t member_count;

    *count = 0;
    if (!capture->has_sequences)
        return NULL;
    member *members = collect(capture, &member_count);
    chrome_link *links = member_count ? malloc(member_count * sizeof(*links)) : NULL;
    if (links) {
        qsort(members, member_count, sizeof(*members), by_sequence);
        *count = link_members(members, member_count, links);
        qsort(links, *count, sizeof(*links), by_event);
    }
    free(members);
    return links;
}
