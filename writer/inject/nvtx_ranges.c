// SPDX-License-Identifier: BSD-3-Clause
// Open ranges: those of each thread, which nest, and those that may end on any thread.
#include "inject/nvtx_ranges.h"

#include "inject/nvtx_lock.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    DEPTH = 128,    // of a thread's ranges that are kept; deeper ones are counted
    OPEN = 1024,    // ranges that may end anywhere, at one time
    SLOT_BITS = 16, // of a number; the rest counts how often the slot was used
};

// ---- Ranges of a thread

typedef struct stack {
    tp_nvtx_range ranges[DEPTH];
    int depth;
    int deeper; // ranges beyond that
} stack;

// Only a pointer is thread-local: a library that is loaded late has little room for more.
static _Thread_local stack *own;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    pthread_key_create(&own_key, free);
}

// The calling thread's, NULL for lack of memory.
static stack *own_stack(void)
{
    if (own)
        return own;
    pthread_once(&own_once, make_key);
    own = calloc(1, sizeof(*own));
    if (own)
        pthread_setspecific(own_key, own);
    return own;
}

static int level_in(const stack *s, nvtx_domain domain)
{
    int level = 0;
    for (int i = 0; i < s->depth; i++)
        level += s->ranges[i].domain == domain;
    return level;
}

int tp_nvtx_push(const tp_nvtx_range *range)
{
    stack *s = own_stack();
    if (!s)
        return -2;
    if (s->depth == DEPTH) {
        s->deeper++;
        return DEPTH + s->deeper - 1;
    }
    const int level = level_in(s, range->domain);
    s->ranges[s->depth++] = *range;
    return level;
}

int tp_nvtx_pop(nvtx_domain domain, tp_nvtx_range *range)
{
    stack *s = own_stack();
    if (!s)
        return -2;
    if (s->deeper > 0) {
        s->deeper--;
        return -2;
    }
    int at = s->depth - 1;
    while (at >= 0 && s->ranges[at].domain != domain)
        at--;
    if (at < 0)
        return -1;

    *range = s->ranges[at];
    for (; at + 1 < s->depth; at++) // ranges of other domains stay open
        s->ranges[at] = s->ranges[at + 1];
    s->depth--;
    return level_in(s, domain);
}

// ---- Ranges that may end anywhere

typedef struct slot {
    tp_nvtx_range range;
    uint64_t uses;
    uint64_t order; // of its beginning
    bool open;
    const stack *thread; // where it began, and how much was open there
    int depth;
} slot;

static slot slots[OPEN];
static int slots_used; // no slot from here on was ever open
static uint64_t next_order;

// The lowest free slot, so that rows are few. Its number is that of its row, less 1.
static slot *take_slot(void)
{
    int at = 0;
    while (at < OPEN && slots[at].open)
        at++;
    if (at == OPEN)
        return NULL;
    if (at >= slots_used)
        slots_used = at + 1;
    return &slots[at];
}

nvtx_range_id tp_nvtx_start(const tp_nvtx_range *range)
{
    nvtx_range_id id = 0;
    const stack *s = own_stack();

    tp_nvtx_lock();
    slot *taken = take_slot();
    if (taken) {
        *taken = (slot){.range = *range,
                        .uses = taken->uses + 1,
                        .order = next_order++,
                        .open = true,
                        .thread = s,
                        .depth = s ? s->depth : 0};
        id = taken->uses << SLOT_BITS | (nvtx_range_id)(taken - slots);
    }
    tp_nvtx_unlock();
    return id;
}

// Whether a range that ends now on this thread nests with the thread's own: nothing that began in
// it is still open, and what it began in still is.
static bool nests(const slot *ended)
{
    const stack *s = own;
    if (!s || ended->thread != s || ended->depth != s->depth)
        return false;
    for (int i = 0; i < slots_used; i++)
        if (slots[i].open && slots[i].thread == s && slots[i].order > ended->order)
            return false;
    return s->depth == 0 || s->ranges[s->depth - 1].begin <= ended->range.begin;
}

bool tp_nvtx_finish(nvtx_range_id id, tp_nvtx_range *range, int *lane)
{
    const uint64_t index = id & ((1u << SLOT_BITS) - 1);
    bool found = false;

    tp_nvtx_lock();
    if (index < OPEN && slots[index].open && slots[index].uses == id >> SLOT_BITS) {
        slot *ended = &slots[index];
        *range = ended->range;
        *lane = nests(ended) ? 0 : (int)index + 1;
        ended->open = false;
        found = true;
    }
    tp_nvtx_unlock();
    return found;
}
