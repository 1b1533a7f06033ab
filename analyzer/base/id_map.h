// SPDX-License-Identifier: BSD-3-Clause
// Hash map from 64-bit keys to 32-bit ids: open addressing, in an arena, keys never leave.
#ifndef BASE_ID_MAP_H
#define BASE_ID_MAP_H

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

#define ID_NONE UINT32_MAX

typedef struct id_map {
    uint64_t *keys;
    uint32_t *ids; // ID_NONE: free slot
    uint32_t capacity, count;
} id_map;

// Zero is an empty map. The value of `key`, or ID_NONE.
uint32_t id_map_get(const id_map *m, uint64_t key);

// Sets `key` to `id` (not ID_NONE), over a value it may have.
void id_map_put(id_map *m, arena *a, uint64_t key, uint32_t id);

// The place of `key`'s value; a new key gets `id`. Valid until the next call that adds.
uint32_t *id_map_entry(id_map *m, arena *a, uint64_t key, uint32_t id);

// A well mixed 64-bit hash of bytes; the same on every machine.
uint64_t hash_bytes(const void *bytes, size_t length);

// The same for tables of what a file holds: with a seed that the file's author cannot know, he
// cannot make many keys equal either.
uint64_t hash_bytes_seeded(const void *bytes, size_t length, uint64_t seed);

#endif
