// SPDX-License-Identifier: BSD-3-Clause
// Short-lived bytes: handed out until the next reset, at addresses that stay.
#ifndef READ_SCRATCH_H
#define READ_SCRATCH_H

#include "base/arena.h"

// Begin with the arena and zeros. Blocks double, and an outgrown one stays with the arena, so all
// together are at most twice the largest.
typedef struct scratch {
    arena *arena;
    char *bytes;
    size_t used, capacity;
} scratch;

// Room for `size` bytes. What is not used of the latest may be given back at once.
char *scratch_take(scratch *s, size_t size);
void scratch_give_back(scratch *s, size_t unused);

// Voids what was handed out.
static inline void scratch_reset(scratch *s)
{
    s->used = 0;
}

#endif
