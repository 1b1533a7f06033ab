// SPDX-License-Identifier: BSD-3-Clause
// Interned strings.
#include "model/strings.h"

enum { RECENT_BITS = 12 };

// Where the arena lies differs from run to run; no result depends on hashes.
static uint64_t hash_of(const strings *s, text t)
{
    return hash_bytes_seeded(t.at, t.length, (uint64_t)(uintptr_t)s->arena);
}

static bool is_text(const strings *s, uint32_t id, text t)
{
    return text_equal(strings_text(s, id), t);
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
    uint32_t *first = id_map_entry(&s->ids, s->arena, hash_of(s, t), s->count);
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

// Names of functions in one file, and lists of shapes, begin and end alike: what stands before the
// end counts too.
static uint32_t recent_place(text_key key, text t)
{
    if (t.length > 2 * TEXT_KEY_WHOLE) {
        const char *const end = t.at + t.length;
        key.head +=
            text_load_64(end - 16) + text_load_64(end - 24) * 3 + text_load_64(end - 32) * 5;
    }
    return text_key_place(key, RECENT_BITS);
}

uint32_t strings_intern(strings *s, text t)
{
    const text_key key = text_key_of(t);
    if (!s->recent)
        s->recent = arena_new(s->scratch ? s->scratch : s->arena, recent_string, 1 << RECENT_BITS);

    recent_string *const recent = &s->recent[recent_place(key, t)];
    if (!recent->behind || !text_keys_equal(recent->key, key) ||
        !text_has_middle(s->at[recent->behind - 1], t))
        *recent = (recent_string){key, intern_by_hash(s, t) + 1};
    return recent->behind - 1;
}

void strings_settle(strings *s)
{
    s->scratch = NULL;
    s->recent = NULL;
}

uint32_t strings_find(const strings *s, text t)
{
    uint32_t id = id_map_get(&s->ids, hash_of(s, t));
    while (id != STRING_NONE && !is_text(s, id, t))
        id = s->next[id];
    return id;
}
