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

#endif
