// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a text in registers: all of a short text, and enough of a long one to tell it
// from most others without a look at memory.
#ifndef MODEL_TEXT_KEY_H
#define MODEL_TEXT_KEY_H

#include "base/text.h"

#include <stdint.h>

typedef struct text_key {
    uint64_t head, tail; // eight bytes each
    uint64_t length;
} text_key;

enum { TEXT_KEY_WHOLE = 16 }; // up to this length equal keys are equal texts

static inline uint64_t text_load_32(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

static inline uint64_t text_load_64(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

// The bytes of a text shorter than eight, some of them twice.
static inline uint64_t text_load_short(text t)
{
    if (t.length >= 4)
        return text_load_32(t.at) | text_load_32(t.at + t.length - 4) << 32;
    if (t.length == 0)
        return 0;
    const unsigned char *const bytes = (const unsigned char *)t.at;
    return (uint64_t)bytes[0] | (uint64_t)bytes[t.length / 2] << 8 |
           (uint64_t)bytes[t.length - 1] << 16;
}

static inline text_key text_key_of(text t)
{
    if (t.length < 8)
        return (text_key){text_load_short(t), 0, t.length};
    return (text_key){text_load_64(t.at), text_load_64(t.at + t.length - 8), t.length};
}

static inline bool text_keys_equal(text_key x, text_key y)
{
    return x.head == y.head && x.tail == y.tail && x.length == y.length;
}

// Whether `t` is the text at `known`, whose key is the same.
static inline bool text_has_middle(const char *known, text t)
{
    if (t.length <= TEXT_KEY_WHOLE)
        return true;
    if (t.length > 2 * TEXT_KEY_WHOLE)
        return memcmp(known + 8, t.at + 8, t.length - 16) == 0;
    const char *const known_last = known + t.length - 16, *const last = t.at + t.length - 16;
    return text_load_64(known + 8) == text_load_64(t.at + 8) &&
           text_load_64(known_last) == text_load_64(last);
}

// A number of `bits` bits for a place in a table of what was met lately: ends and length tell the
// texts of a trace apart nearly always, at a tenth of a hash's cost.
static inline uint32_t text_key_place(text_key key, unsigned bits)
{
    const uint64_t mixed =
        (key.head ^ (key.tail * 0x9e3779b97f4a7c15u) ^ key.length) * 0xd6e8feb86659fd93u;
    return (uint32_t)(mixed >> (64 - bits));
}

#endif
