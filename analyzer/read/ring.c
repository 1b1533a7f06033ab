// SPDX-License-Identifier: BSD-3-Clause
// Buffers between what fills them and what reads them.
#include "read/ring.h"

#include <pthread.h>

struct ring {
    ring_fill fill;
    void *self;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ring_slot slots[RING_SLOTS];
    // Under the lock; they only count up.
    uint64_t filled, released;
    bool stop;
    ring_prepare_call prepare; // or NULL
    void *prepare_self;
    bool prepare_always, preparing;
    uint64_t taken; // the reader's own
};

static ring_slot *slot_of(ring *r, uint64_t number)
{
    return &r->slots[number % RING_SLOTS];
}

static void fill(ring *r, ring_slot *slot)
{
    slot->size = 0;
    slot->last = false;
    slot->notes.count = 0;
    slot->log = NULL;
    r->fill(r->self, slot);
}

// Waits for a free slot; false when the reader has gone.
static bool wait_free(ring *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->filled - r->released == RING_SLOTS)
        pthread_cond_wait(&r->changed, &r->lock);
    const bool go = !r->stop;
    pthread_mutex_unlock(&r->lock);
    return go;
}

// A reader that has a slot and another one waiting is behind.
static bool begin_preparing(ring *r)
{
    enum { BEHIND = 2 };

    pthread_mutex_lock(&r->lock);
    r->preparing = r->prepare && (r->prepare_always || r->filled - r->released >= BEHIND);
    pthread_mutex_unlock(&r->lock);
    return r->preparing;
}

static void *work(void *self)
{
    ring *r = self;
    bool last = false;

    while (!last && wait_free(r)) {
        ring_slot *slot = slot_of(r, r->filled);
        fill(r, slot);
        last = slot->last;
        if (begin_preparing(r))
            r->prepare(r->prepare_self, slot);
        pthread_mutex_lock(&r->lock);
        r->preparing = false;
        r->filled++;
        pthread_cond_signal(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

ring *ring_open(arena *a, size_t slot_bytes, ring_fill fill_slot, void *self, bool background)
{
    ring *r = arena_new(a, ring, 1);
    const size_t size = RING_FRONT_BYTES + slot_bytes + RING_BEHIND_BYTES;

    r->fill = fill_slot;
    r->self = self;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    for (uint32_t i = 0; i < (background ? RING_SLOTS : 1); i++)
        r->slots[i].bytes = (char *)arena_alloc_array(a, 1, size, 64) + RING_FRONT_BYTES;
    r->threaded = background && pthread_create(&r->thread, NULL, work, r) == 0;
    return r;
}

void ring_close(ring *r)
{
    if (!r)
        return;
    if (r->threaded) {
        pthread_mutex_lock(&r->lock);
        r->stop = true;
        pthread_cond_signal(&r->changed);
        pthread_mutex_unlock(&r->lock);
        pthread_join(r->thread, NULL);
    }
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}

ring_slot *ring_take(ring *r)
{
    if (!r->threaded) {
        fill(r, &r->slots[0]);
        return &r->slots[0];
    }
    pthread_mutex_lock(&r->lock);
    while (r->filled == r->taken)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return slot_of(r, r->taken++);
}

void ring_release(ring *r)
{
    if (!r->threaded)
        return;
    pthread_mutex_lock(&r->lock);
    r->released++;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

bool ring_has_thread(const ring *r)
{
    return r->threaded;
}

void ring_prepare(ring *r, ring_prepare_call call, void *self, bool always)
{
    if (!r->threaded)
        return;
    pthread_mutex_lock(&r->lock);
    while (r->preparing)
        pthread_cond_wait(&r->changed, &r->lock);
    r->prepare = call;
    r->prepare_self = self;
    r->prepare_always = always;
    pthread_mutex_unlock(&r->lock);
}
