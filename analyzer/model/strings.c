// SPDX-License-Identifier: BSD-3-Clause
// Interned strings.
#include "model/strings.h"

enum { RECENT_BITS = 12 };

static uint64_t load_up_to_8(const char *at, size_t length)
{
    uint64_t word = 0;
    memcpy(&word, at, length < 8 ? length : 8);
    return word;
}

// Ends and length tell the names of a trace apart nearly always, at a tenth of a hash's cost.
static uint32_t recent_slot(text t)
{
    const uint64_t head = load_up_to_8(t.at, t.length);
    const uint64_t tail = t.length > 8 ? load_up_to_8(t.at + t.length - 8, 8) : 0;
    const uint64_t mixed = (head ^ (tail * 0x9e3779b97f4a7c15u) ^ t.length) * 0xd6e8feb86659fd93u;
    return (uint32_t)(mixed >> (64 - RECENT_BITS));
}

static bool is_text(const strings *s, uint32_t id, text t)
{
    return s->length[id] == t.length && memcmp(s->at[id], t.at, t.length) == 0;
}

static void reserve(strings *s)
{
    if (s->count < s->capacity)
        return;
    const uint32_t wanted = s->capacity ? s->capacity * 2 : 256;
    s->at = arena_grow(s->arena, s->at, sizeof(*s->at), s->capacity, wanted);
    s->length = arena_grow(s->arena, s->length, sizeof(*s->length), s->capacity, wanted);
    s->next = arena_grow(s->arena, s->next, sizeof(*s->next), s->capacity, wanted);
    s->capacity = wanted;
}

static uint32_t intern_by_hash(strings *s, text t)
{
    uint32_t *first = id_map_entry(&s->ids, s->arena, hash_bytes(t.at, t.length), s->count);
    for (uint32_t id = *first; id < s->count; id = s->next[id]) // STRING_NONE ends it too
        if (is_text(s, id, t))
            return id;

    reserve(s);
    const uint32_t id = s->count++;
    s->at[id] = arena_copy(s->arena, t.at, t.length);
    s->length[id] = (uint32_t)t.length;
    s->next[id] = *first == id ? STRING_NONE : *first;
    *first = id;
    return id;
}

uint32_t strings_intern(strings *s, text t)
{
    if (!t.at)
        t = TEXT("");
    if (!s->recent) {
        s->recent = arena_new(s->arena, uint32_t, 1 << RECENT_BITS);
        memset(s->recent, 0xff, sizeof(*s->recent) << RECENT_BITS);
    }
    uint32_t *recent = &s->recent[recent_slot(t)];
    if (*recent == STRING_NONE || !is_text(s, *recent, t))
        *recent = intern_by_hash(s, t);
    return *recent;
}

uint32_t strings_find(const strings *s, text t)
{
    if (!t.at)
        t = TEXT("");
    uint32_t id = id_map_get(&s->ids, hash_bytes(t.at, t.length));
    while (id != STRING_NONE && !is_text(s, id, t))
        id = s->next[id];
    return id;
}
