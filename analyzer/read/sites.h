// SPDX-License-Identifier: BSD-3-Clause
// Learned gaps. Between the end of one value and the beginning of the next, a trace that a machine
// wrote repeats the same few byte strings. A site is one of them, and what the tokenizer found it
// to mean; where it stands again, nothing needs to be tokenized.
#ifndef READ_SITES_H
#define READ_SITES_H

#include "base/arena.h"
#include "read/chrome_field.h"

#include <stdint.h>

enum {
    SITE_BYTES = 64,
    SITES_MAX = 256,
    SITE_FOLLOWERS = 8,
    SITE_NO_BRACE = -1,
};

typedef struct site {
    _Alignas(64) char literal[SITE_BYTES];
    uint64_t want;                      // a bit for each byte of the literal
    uint32_t bit, offset;               // of the value's field
    uint16_t followers[SITE_FOLLOWERS]; // sites seen behind the value, in order of appearance
    uint8_t follower_count;
    uint8_t length;
    int8_t brace;            // where in the literal the next event begins, or SITE_NO_BRACE
    bool from_args, in_args; // is "args" open before it, and behind it?
    uint8_t take, key;       // take_kind and chrome_key of the value
} site;

typedef struct sites {
    site *items; // the first two have no literal: they stand before what is not known yet
    uint32_t count;
    uint32_t misses;  // since `checked`
    uint64_t checked; // offset in the text
    bool off;         // they do not pay here
} sites;

// What the tokenizer found a gap to be.
typedef struct site_gap {
    text bytes;
    int brace;
    bool from_args, in_args;
    chrome_key key;
} site_gap;

void sites_begin(sites *t, arena *a);

// The site that stands for "somewhere", inside "args" or not.
static inline site *sites_loose(const sites *t, bool in_args)
{
    return &t->items[in_args];
}

// The site of a gap seen behind `before`'s value, new or known; a loose one where there is no room.
// `offset`: where in the text. Counts a miss; where there are too many, all are turned off.
site *sites_learn(sites *t, site *before, const site_gap *gap, uint64_t offset);

#endif
