// SPDX-License-Identifier: BSD-3-Clause
// Learned gaps. Between the end of one value and the beginning of the next, a trace that a machine
// wrote repeats the same few byte strings. A site is one of them, and what the tokenizer found it
// to mean; where it stands again, nothing needs to be tokenized. Where some value stands at its
// place nearly always, such as the id of the process, the gaps around it and the value become one
// site, see site_joins.c.
#ifndef READ_SITES_H
#define READ_SITES_H

#include "base/arena.h"
#include "read/chrome_field.h"

#include <stdint.h>

enum {
    SITE_BYTES = 128,              // at most INPUT_PADDING
    SITES_MAX = RECORD_TOKENS / 2, // two readers may share the tokens
    SITE_FOLLOWERS = 12,
    SITE_CONSTANTS = 4,
    SITE_NO_BRACE = -1,
};

// A text that is part of a literal.
typedef struct site_constant {
    uint32_t bit;       // of its field
    uint16_t offset;    // of its field in the record
    uint8_t at, length; // of the text in the literal, without quotes
} site_constant;

typedef struct site {
    _Alignas(64) char literal[SITE_BYTES];
    // Sites seen behind the value, likely ones first, a NULL behind the last.
    struct site *followers[SITE_FOLLOWERS + 1];
    uint32_t bit, offset; // of the value's field
    uint8_t follower_count;
    uint8_t length;
    uint8_t take, key;       // take_kind and chrome_key of the value
    bool from_args, in_args; // is "args" open before it, and behind it?
    bool special;            // has a brace, or is joined
    int8_t brace;            // where in the literal the next event begins, or SITE_NO_BRACE
    bool joined;             // of two sites and the value between them
    char phase;              // if the literal has one
    uint8_t constant_count;
    uint16_t lane_token, category_token; // of the record, with these constants
    uint32_t constant_bits;
    site_constant constants[SITE_CONSTANTS];
} site;

typedef struct site_watch site_watch;

typedef struct sites {
    site *items; // the first two have no literal: they stand before what is not known yet
    uint32_t count;
    uint32_t misses;   // since `checked`
    uint64_t checked;  // offset in the text
    bool off;          // they do not pay here
    uint32_t round;    // how many values are watched at a time
    uint32_t watched;  // values that are still to be seen before sites are joined; 0: none
    uint32_t rounds;   // of joining
    uint64_t rested;   // offset in the text where the latest began
    site_watch *watch; // a row a site
} sites;

// What the tokenizer found a gap to be.
typedef struct site_gap {
    text bytes;
    int brace;
    bool from_args, in_args;
    chrome_key key;
} site_gap;

// Sites are joined whenever `round` values were seen; 0: the default.
void sites_begin(sites *t, arena *a, uint32_t round);

// The site that stands for "somewhere", inside "args" or not.
static inline site *sites_loose(const sites *t, bool in_args)
{
    return &t->items[in_args];
}

// The site of a gap seen behind `before`'s value, new or known; a loose one where there is no room.
// `offset`: where in the text. Counts a miss; where there are too many, all are turned off.
site *sites_learn(sites *t, site *before, const site_gap *gap, uint64_t offset);

// A value and the site behind it, while `watched`. After so many, sites are joined.
void sites_see(sites *t, site *before, text value, const site *next);

// Called now and then: begins to watch again where it is time to.
void sites_pass(sites *t, uint64_t offset);

#endif
