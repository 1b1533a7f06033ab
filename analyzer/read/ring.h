// SPDX-License-Identifier: BSD-3-Clause
// Buffers between what fills them (reading, inflating) and what reads them: a ring filled ahead by
// a thread of its own, or a single one filled on demand.
#ifndef READ_RING_H
#define READ_RING_H

#include "base/arena.h"
#include "read/gunzip.h"

enum {
    RING_SLOTS = 4,
    RING_SLOT_BYTES = 1024 * 1024, // smaller ones cost a tenth in wake-ups ...
    RING_ALONE_BYTES = 512 * 1024, // ... but a single one is to stay in the second cache
    RING_FRONT_BYTES = 64 * 1024,  // room before the bytes, for what is carried over
    RING_BEHIND_BYTES = 128,       // readable behind the bytes
};

// `bytes` is aligned to 64, or reading into it is slow.
typedef struct ring_slot {
    char *bytes;
    size_t size;
    bool last; // nothing comes behind it
    input_notes notes;
    const void *log; // what ring_prepare()'s call made of it, or NULL
} ring_slot;

// Fills a slot whole, or up to the end, or up to the limit of notes. Called from one thread.
typedef void (*ring_fill)(void *self, ring_slot *slot);

typedef struct ring ring;

// Works on a slot that was filled, in the ring's thread.
typedef void (*ring_prepare_call)(void *self, ring_slot *slot);

// The slots are the arena's, of `slot_bytes` each. Where `background` is wished but no thread can
// be had, the ring is filled on demand.
ring *ring_open(arena *a, size_t slot_bytes, ring_fill fill, void *self, bool background);
void ring_close(ring *r); // joins the thread; NULL is allowed

// The next slot in order, filled. It must be given back before the next one is taken.
ring_slot *ring_take(ring *r);
void ring_release(ring *r);

bool ring_has_thread(const ring *r);

// Has the ring's thread prepare slots from now on: each where `always`, else those that are filled
// while the reader is behind. NULL ends that: then no call runs any more. A ring without a thread
// prepares none.
void ring_prepare(ring *r, ring_prepare_call call, void *self, bool always);

#endif
