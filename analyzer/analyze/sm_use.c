// SPDX-License-Identifier: BSD-3-Clause
// How full the multiprocessors of a device were.
#include "analyze/sm_use.h"

#include <math.h>

// A kernel that runs now.
typedef struct running {
    int64_t end;
    double blocks;
} running;

// A heap of them, the first to end on top.
typedef struct running_heap {
    running *at;
    uint32_t count, capacity;
    arena *arena;
    double blocks; // sum
} running_heap;

static void heap_push(running_heap *h, running r)
{
    arena_reserve_one(h->arena, h->at, h->count, h->capacity);
    uint32_t i = h->count++;
    for (; i && h->at[(i - 1) / 2].end > r.end; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = r;
    h->blocks += r.blocks;
}

static void heap_pop(running_heap *h)
{
    const running last = h->at[--h->count];
    uint32_t i = 0;

    h->blocks -= h->at[0].blocks;
    if (h->count == 0)
        h->blocks = 0; // whatever the differences left over
    for (uint32_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && h->at[child + 1].end < h->at[child].end)
            child++;
        if (h->at[child].end >= last.end)
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = last;
}

typedef struct sm_sweep {
    running_heap heap;
    int64_t now, begin, end; // the window
    sm_use use;
} sm_sweep;

static void pass(sm_sweep *s, int64_t until)
{
    const int64_t from = s->now > s->begin ? s->now : s->begin;
    const int64_t to = until < s->end ? until : s->end;

    if (s->heap.blocks > 0 && to > from) {
        s->use.weighted_ns += (double)(to - from) * fmin(s->heap.blocks, 1);
        s->use.known = true;
    }
    s->now = until;
}

static void pass_with_ends(sm_sweep *s, int64_t until)
{
    while (s->heap.count && s->heap.at[0].end <= until) {
        pass(s, s->heap.at[0].end);
        heap_pop(&s->heap);
    }
    pass(s, until);
}

// Blocks per SM of a kernel; 0 where there is none to count.
static double blocks_of(const trace *t, uint32_t event)
{
    const uint32_t detail = t->events.detail[event];

    if (t->events.role[event] != ROLE_KERNEL || detail == DETAIL_NONE)
        return 0;
    const double blocks = t->device_details[detail].blocks_per_sm;
    return isfinite(blocks) && blocks > 0 ? blocks : 0;
}

sm_use sm_use_of(const trace *t, const uint32_t *at, uint32_t count, int64_t begin, int64_t end)
{
    sm_sweep s = {.heap = {.arena = arena_create()}, .begin = begin, .end = end, .now = begin};

    for (uint32_t i = 0; i < count; i++) {
        const double blocks = blocks_of(t, at[i]);
        if (blocks <= 0)
            continue;
        pass_with_ends(&s, t->events.begin[at[i]]);
        heap_push(&s.heap, (running){event_end(&t->events, at[i]), blocks});
    }
    if (s.heap.count)
        pass_with_ends(&s, end);
    arena_destroy(s.heap.arena);
    return s.use;
}
