// SPDX-License-Identifier: BSD-3-Clause
// A hash map from 64-bit keys to 64-bit values, for what links records to each other.
#include "gpu/link_map.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

// Ids count up; the multiplication spreads them over the high bits, which choose the slot.
static size_t slot_of(const tp_link_map *map, uint64_t key)
{
    const uint64_t hash = key * 0x9e3779b97f4a7c15u;
    return (size_t)(hash ^ (hash >> 32)) & (map->capacity - 1);
}

// The slot of `key`, or the free one where it would go.
static tp_link_slot *probe(const tp_link_map *map, uint64_t key)
{
    size_t at = slot_of(map, key);
    while (map->slots[at].mark && map->slots[at].mark != key + 1)
        at = (at + 1) & (map->capacity - 1);
    return &map->slots[at];
}

static bool grow(tp_link_map *map)
{
    tp_link_map larger = {
        .count = map->count,
        .capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY,
    };

    larger.slots = calloc(larger.capacity, sizeof(*larger.slots));
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].mark)
            *probe(&larger, map->slots[i].mark - 1) = map->slots[i];
    free(map->slots);
    *map = larger;
    return true;
}

uint64_t *tp_link_map_at(tp_link_map *map, uint64_t key)
{
    // At most two of three slots are used, so that a probe always ends.
    if (3 * (map->count + 1) > 2 * map->capacity && !grow(map))
        return NULL;

    tp_link_slot *slot = probe(map, key);
    if (!slot->mark) {
        *slot = (tp_link_slot){.mark = key + 1};
        map->count++;
    }
    return &slot->value;
}

const uint64_t *tp_link_map_find(const tp_link_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    const tp_link_slot *slot = probe(map, key);
    return slot->mark ? &slot->value : NULL;
}

void tp_link_map_clear(tp_link_map *map)
{
    if (map->count)
        memset(map->slots, 0, map->capacity * sizeof(*map->slots));
    map->count = 0;
}

void tp_link_map_free(tp_link_map *map)
{
    free(map->slots);
    *map = (tp_link_map){0};
}
