// SPDX-License-Identifier: BSD-3-Clause
// Interned strings: equal texts have equal 32-bit ids, ids count up from 0 in order of first
// appearance.
#ifndef MODEL_STRINGS_H
#define MODEL_STRINGS_H

#include "base/id_map.h"
#include "model/text_key.h"

#define STRING_NONE UINT32_MAX

// A text met before.
typedef struct recent_string {
    text_key key;
    uint32_t behind; // its id + 1; 0: no text
} recent_string;

typedef struct strings {
    arena *arena;
    const char **at; // NUL-terminated too
    uint32_t *length;
    uint32_t *next; // another string with the same hash, or STRING_NONE
    uint32_t count, capacity;
    id_map ids;
    arena *scratch;        // of `recent`; NULL: that of the strings
    recent_string *recent; // by a cheap hash of their keys: a repeated text costs a compare
} strings;

// The table starts as {.arena = a}. Bytes are copied when new.
uint32_t strings_intern(strings *s, text t);

// Forgets what was met lately, before the scratch arena ends.
void strings_settle(strings *s);

// The id, or STRING_NONE where `t` was never interned.
uint32_t strings_find(const strings *s, text t);

static inline text strings_text(const strings *s, uint32_t id)
{
    return id == STRING_NONE ? (text){"", 0} : (text){s->at[id], s->length[id]};
}

#endif
