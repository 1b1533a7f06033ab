// SPDX-License-Identifier: BSD-3-Clause
// Hash map from 64-bit keys to 32-bit ids.
#include "base/id_map.h"

#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    const __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static const uint64_t SALT_A = 0x9e3779b97f4a7c15u, SALT_B = 0xd6e8feb86659fd93u;

static uint32_t slot_of(const id_map *m, uint64_t key)
{
    uint32_t slot = (uint32_t)mix(key ^ SALT_A, SALT_B) & (m->capacity - 1);

    while (m->ids[slot] != ID_NONE && m->keys[slot] != key)
        slot = (slot + 1) & (m->capacity - 1);
    return slot;
}

uint32_t id_map_get(const id_map *m, uint64_t key)
{
    return m->capacity ? m->ids[slot_of(m, key)] : ID_NONE;
}

static void grow(id_map *m, arena *a)
{
    const id_map old = *m;

    m->capacity = old.capacity ? old.capacity * 2 : 64;
    m->keys = arena_new(a, uint64_t, m->capacity);
    m->ids = arena_new(a, uint32_t, m->capacity);
    memset(m->ids, 0xff, sizeof(uint32_t) * m->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.ids[i] == ID_NONE)
            continue;
        const uint32_t slot = slot_of(m, old.keys[i]);
        m->keys[slot] = old.keys[i];
        m->ids[slot] = old.ids[i];
    }
    arena_release(a, old.keys);
    arena_release(a, old.ids);
}

uint32_t *id_map_entry(id_map *m, arena *a, uint64_t key, uint32_t id)
{
    if ((uint64_t)m->count * 2 >= m->capacity)
        grow(m, a);

    const uint32_t slot = slot_of(m, key);
    if (m->ids[slot] == ID_NONE) {
        m->keys[slot] = key;
        m->ids[slot] = id;
        m->count++;
    }
    return &m->ids[slot];
}

void id_map_put(id_map *m, arena *a, uint64_t key, uint32_t id)
{
    *id_map_entry(m, a, key, id) = id;
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
    return hash_bytes_seeded(bytes, length, 0);
}

uint64_t hash_bytes_seeded(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = mix(length ^ SALT_A ^ seed, SALT_B), word;

    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = mix(hash ^ word, SALT_A);
    }
    if (length) {
        word = 0;
        memcpy(&word, at, length);
        hash = mix(hash ^ word, SALT_B);
    }
    return mix(hash, SALT_A ^ length);
}
