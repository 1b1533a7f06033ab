// SPDX-License-Identifier: BSD-3-Clause
// Open ranges: those of each thread, which nest, and those that may end on any thread.
#include "inject/nvtx_ranges.h"

#include "inject/nvtx_lock.h"
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    DEPTH_FIRST = 64,  // of a thread's ranges; room grows from here
    DEPTH_MOST = 4096, // deeper ones are not kept
    OPEN = 16384,      // ranges that may end anywhere, at one time
    WORD_BITS = 64,
    SLOT_BITS = 16, // of a number; the rest counts how often the slot was used
};

// ---- Ranges of a thread

typedef struct nested {
    tp_nvtx_range range;
    int level; // within its domain
} nested;

typedef struct stack {
    nested *ranges;
    int depth, capacity;
    int deeper;          // ranges beyond that
    struct slot *latest; // that began here, may end anywhere and is open; guarded by the lock
} stack;

// Only a pointer is thread-local: a library that is loaded late has little room for more.
static _Thread_local stack *own;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

static void forget_thread(stack *s);

// Ranges that nobody can end any more.
static void cut_open_ranges(const stack *s)
{
    int32_t open = 0;
    for (int i = 0; i < s->depth; i++)
        open += s->ranges[i].range.recorded;
    if (open == 0)
        return;
    tp_log_opens(tp_log_self, -open);
    if (tprof_recording())
        tp_log_cut(tp_log_self, (uint32_t)open);
}

// A destructor that runs later and has ranges begins a new stack.
static void thread_exits(void *arg)
{
    stack *s = arg;
    own = NULL;
    cut_open_ranges(s);
    forget_thread(s);
    free(s->ranges);
    free(s);
}

static void make_key(void)
{
    pthread_key_create(&own_key, thread_exits);
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

static bool has_room(stack *s)
{
    if (s->depth < s->capacity)
        return true;
    const int capacity = s->capacity ? 2 * s->capacity : DEPTH_FIRST;
    nested *ranges =
        capacity <= DEPTH_MOST ? realloc(s->ranges, (size_t)capacity * sizeof(*ranges)) : NULL;
    if (!ranges)
        return false;
    s->ranges = ranges;
    s->capacity = capacity;
    return true;
}

// The innermost range of that domain, -1 where there is none.
static int innermost(const stack *s, nvtx_domain domain)
{
    int at = s->depth - 1;
    while (at >= 0 && s->ranges[at].range.domain != domain)
        at--;
    return at;
}

bool tp_nvtx_push(const tp_nvtx_range *range, int *level)
{
    stack *s = own_stack();

    *level = -2;
    if (!s)
        return false;
    // Beyond a range that is not kept none is, or the wrong ones would end.
    if (s->deeper > 0 || !has_room(s)) {
        *level = s->depth + s->deeper++;
        return false;
    }
    const int around = innermost(s, range->domain);
    *level = around < 0 ? 0 : s->ranges[around].level + 1;
    s->ranges[s->depth++] = (nested){*range, *level};
    return true;
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
    int at = innermost(s, domain);
    if (at < 0)
        return -1;

    const int level = s->ranges[at].level;
    *range = s->ranges[at].range;
    for (; at + 1 < s->depth; at++) // ranges of other domains stay open
        s->ranges[at] = s->ranges[at + 1];
    s->depth--;
    return level;
}

// ---- Ranges that may end anywhere

typedef struct slot {
    tp_nvtx_range range;
    uint64_t uses;
    stack *thread;                // where it began, NULL once that is gone
    struct slot *before, *behind; // those of that thread, in order of their beginnings
    int depth;                    // how much was open there
} slot;

static slot slots[OPEN];
static uint64_t open_bits[OPEN / WORD_BITS];

static bool is_open(uint64_t index)
{
    return open_bits[index / WORD_BITS] >> index % WORD_BITS & 1;
}

// The lowest free slot, so that rows are few. Its number is that of its row, less 1.
static slot *take_slot(void)
{
    for (int word = 0; word < OPEN / WORD_BITS; word++) {
        if (open_bits[word] == UINT64_MAX)
            continue;
        const int bit = __builtin_ctzll(~open_bits[word]);
        open_bits[word] |= UINT64_C(1) << bit;
        return &slots[word * WORD_BITS + bit];
    }
    return NULL;
}

static void link_to_thread(slot *taken, stack *s)
{
    taken->thread = s;
    if (!s)
        return;
    taken->depth = s->depth;
    taken->before = s->latest;
    if (s->latest)
        s->latest->behind = taken;
    s->latest = taken;
}

static void unlink_from_thread(const slot *ended)
{
    if (!ended->thread)
        return;
    if (ended->before)
        ended->before->behind = ended->behind;
    if (ended->behind)
        ended->behind->before = ended->before;
    else
        ended->thread->latest = ended->before;
}

static void forget_thread(stack *s)
{
    tp_nvtx_lock();
    for (slot *at = s->latest; at; at = at->before)
        at->thread = NULL;
    tp_nvtx_unlock();
}

nvtx_range_id tp_nvtx_start(const tp_nvtx_range *range)
{
    nvtx_range_id id = 0;
    stack *s = own_stack();

    tp_nvtx_lock();
    slot *taken = take_slot();
    if (taken) {
        *taken = (slot){.range = *range, .uses = taken->uses + 1};
        link_to_thread(taken, s);
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
    if (!s || s->latest != ended || ended->depth != s->depth)
        return false;
    return s->depth == 0 || s->ranges[s->depth - 1].range.begin <= ended->range.begin;
}

bool tp_nvtx_finish(nvtx_range_id id, tp_nvtx_range *range, int *lane)
{
    const uint64_t index = id & ((1u << SLOT_BITS) - 1);
    bool found = false;

    tp_nvtx_lock();
    if (index < OPEN && is_open(index) && slots[index].uses == id >> SLOT_BITS) {
        const slot *ended = &slots[index];
        *range = ended->range;
        *lane = nests(ended) ? 0 : (int)index + 1;
        unlink_from_thread(ended);
        open_bits[index / WORD_BITS] &= ~(UINT64_C(1) << index % WORD_BITS);
        found = true;
    }
    tp_nvtx_unlock();
    return found;
}
