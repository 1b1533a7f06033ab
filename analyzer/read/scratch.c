// SPDX-License-Identifier: BSD-3-Clause
// Short-lived bytes: handed out until the next reset, at addresses that stay.
#include "read/scratch.h"

enum { FIRST_BYTES = 16 * 1024 };

char *scratch_take(scratch *s, size_t size)
{
    if (size > s->capacity - s->used) {
        size_t capacity = s->capacity ? 2 * s->capacity : FIRST_BYTES;
        while (capacity < size)
            capacity *= 2;
        s->bytes = arena_new(s->arena, char, capacity);
        s->capacity = capacity;
        s->used = 0;
    }
    char *taken = s->bytes + s->used;
    s->used += size;
    return taken;
}

void scratch_give_back(scratch *s, size_t unused)
{
    s->used -= unused;
}
