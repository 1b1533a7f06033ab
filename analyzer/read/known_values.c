// SPDX-License-Identifier: BSD-3-Clause
// Objects and arrays that were read before.
#include "read/known_values.h"

enum {
    LENGTH_MAX = 4096,
    COUNT_MAX = 8192,
    BYTES_MAX = 4 * 1024 * 1024,
    BUCKET_MAX = 4,
    RESIDENTS_MAX = 16, // of a crowded bucket: too short for the others
};

void known_values_begin(known_values *k, arena *a)
{
    k->arena = a;
    k->buckets = arena_new(a, known_bucket, KNOWN_BUCKETS);
}

// The hash of a longer beginning, from that of a shorter one and the KNOWN_HASHED bytes behind it.
static uint32_t extend(uint32_t hash, const char *at)
{
    uint64_t words[KNOWN_HASHED / 8];

    memcpy(words, at, sizeof(words));
    const uint64_t low = (words[0] + hash) * 0x9e3779b97f4a7c15u ^ words[1] * 0xd6e8feb86659fd93u;
    const uint64_t high = words[2] * 0xa0761d6478bd642fu ^ words[3] * 0xe7037ed1a0b428dbu;
    return (uint32_t)((low ^ (high >> 29)) * 0x9e3779b97f4a7c15u >> 32);
}

static known_bucket *bucket_of(const known_values *k, uint32_t hash)
{
    return &k->buckets[hash % KNOWN_BUCKETS];
}

const known_value *known_values_find(const known_values *k, const char *at, size_t room)
{
    uint32_t hash = 0;

    for (size_t hashed = 0; hashed <= room; hashed += KNOWN_HASHED) {
        hash = extend(hash, at + hashed);
        const known_bucket *b = bucket_of(k, hash);
        for (const known_value *v = b->first; v; v = v->next)
            if (v->raw.length <= room && memcmp(v->raw.at, at, v->raw.length) == 0)
                return v;
        if (!b->crowded)
            return NULL;
    }
    return NULL;
}

// Where a value belongs: behind crowded buckets, as far as it is long enough to be told apart
// there.
static known_bucket *place_of(const known_values *k, text raw)
{
    uint32_t hash = extend(0, raw.at);
    known_bucket *b = bucket_of(k, hash);

    for (size_t hashed = KNOWN_HASHED; b->crowded && hashed + KNOWN_HASHED <= raw.length;
         hashed += KNOWN_HASHED) {
        hash = extend(hash, raw.at + hashed);
        b = bucket_of(k, hash);
    }
    return b;
}

static void put(known_bucket *b, known_value *v)
{
    v->next = b->first;
    b->first = v;
    b->count++;
}

// Hands on what a crowded bucket holds.
static void spread(known_values *k, known_bucket *b)
{
    known_value *v = b->first;

    b->crowded = true;
    b->first = NULL;
    b->count = 0;
    while (v) {
        known_value *next = v->next;
        put(place_of(k, v->raw), v);
        v = next;
    }
}

void known_values_add(known_values *k, text raw, text compact)
{
    const size_t bytes = raw.length + compact.length;

    if (raw.length > LENGTH_MAX || k->count == COUNT_MAX || k->bytes + bytes > BYTES_MAX)
        return;
    known_bucket *b = place_of(k, raw);
    if (b->count == BUCKET_MAX && !b->crowded) {
        spread(k, b);
        b = place_of(k, raw);
    }
    if (b->count == RESIDENTS_MAX)
        return;
    // Behind a short value stand bytes that its hash takes in.
    char *copy = arena_alloc_array(k->arena, 1, raw.length + KNOWN_HASHED, 1);
    memcpy(copy, raw.at, raw.length + KNOWN_HASHED);
    known_value *v = arena_new(k->arena, known_value, 1);
    v->raw = (text){copy, raw.length};
    v->compact = (text){arena_copy(k->arena, compact.at, compact.length), compact.length};
    put(b, v);
    k->count++;
    k->bytes += bytes;
}
