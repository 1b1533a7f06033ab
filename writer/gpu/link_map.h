// SPDX-License-Identifier: BSD-3-Clause
// A hash map from 64-bit keys to 64-bit values, for what links records to each other.
#ifndef GPU_LINK_MAP_H
#define GPU_LINK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tp_link_slot {
    uint64_t mark; // the key plus 1, so that 0 is a free slot
    uint64_t value;
} tp_link_slot;

// All zero is an empty map. One thread at a time; released with tp_link_map_free().
typedef struct tp_link_map {
    tp_link_slot *slots;
    size_t count, capacity; // capacity is 0 or a power of two
} tp_link_map;

// The value of `key`, made with the value 0 where it is new. NULL for lack of memory, and the map
// is as before. Valid until the next call that makes a key.
uint64_t *tp_link_map_at(tp_link_map *map, uint64_t key);

// The value of `key`, NULL where there is none.
const uint64_t *tp_link_map_find(const tp_link_map *map, uint64_t key);

// Forgets all keys, keeps the memory.
void tp_link_map_clear(tp_link_map *map);

void tp_link_map_free(tp_link_map *map);

#endif
