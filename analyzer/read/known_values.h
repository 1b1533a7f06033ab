// SPDX-License-Identifier: BSD-3-Clause
// Objects and arrays that were read before: a trace has few different lists of shapes, and
// comparing is cheaper than finding their end and copying them once more.
#ifndef READ_KNOWN_VALUES_H
#define READ_KNOWN_VALUES_H

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

enum { KNOWN_BUCKETS = 4096, KNOWN_HASHED = 32 };

typedef struct known_value {
    text raw;
    text compact; // as json_copy() made it; nothing where nobody asked for it
    struct known_value *next;
} known_value;

// Values that begin alike. Where they are many, the bytes behind the beginning tell them apart in
// other buckets, and only what is too short for that stays.
typedef struct known_bucket {
    known_value *first;
    uint8_t count;
    bool crowded;
} known_bucket;

// Zero and an arena.
typedef struct known_values {
    arena *arena;
    known_bucket *buckets;
    uint32_t count;
    size_t bytes;
} known_values;

void known_values_begin(known_values *k, arena *a);

// The value that stands at `at`, whole, with `room` bytes to the end of the window; NULL where it
// is not known. KNOWN_HASHED bytes are readable behind the end.
const known_value *known_values_find(const known_values *k, const char *at, size_t room);

// Keeps a value that is plain through and through, if it is not too long and there is room.
void known_values_add(known_values *k, text raw, text compact);

#endif
