// SPDX-License-Identifier: BSD-3-Clause
// Pull tokenizer for JSON as real writers make it: values are slices, nothing is allocated, and
// what is not JSON but can be understood is noted and read on.
#ifndef READ_JSON_TOKEN_H
#define READ_JSON_TOKEN_H

#include "base/text.h"
#include "read/record.h"
#include "read/scratch.h"

#include <stdint.h>

typedef enum json_kind {
    JSON_MORE,  // the window ends inside the next token, which begins at reader.at
    JSON_END,   // the root value is complete
    JSON_ERROR, // cannot be understood: reader.problem says what, reader.at where
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_WORD, // NaN, inf, N/A and the like
} json_kind;

// What a string holds beside printable ASCII.
typedef enum json_bent {
    JSON_QUOTES = 1 << 0,         // raw quotes
    JSON_BAD_ESCAPES = 1 << 1,    // a backslash begins no escape: all stand for themselves
    JSON_CONTROLS = 1 << 2,       // raw control characters
    JSON_BAD_UTF8 = 1 << 3,       // to be replaced by U+FFFD
    JSON_LONE_SURROGATE = 1 << 4, // likewise
    JSON_NULS = 1 << 5,           // U+0000, raw or escaped: U+2400 in the text
    JSON_ESCAPES = 1 << 6,
    JSON_NON_ASCII = 1 << 7, // valid UTF-8
    JSON_RUNAWAY = 1 << 8,   // it runs on into the next event
} json_bent;

// Bits with which `raw` is not the text.
enum { JSON_RAW_UNUSABLE = JSON_ESCAPES | JSON_BAD_UTF8 | JSON_NULS };

typedef struct json_token {
    json_kind kind;
    uint32_t bent; // json_bent bits of a key or string
    text raw;      // as it stands in the window; of a key or string without the quotes
} json_token;

enum { JSON_DEPTH_MAX = 4096 };

// What the grammar wants next.
typedef enum json_expect {
    JSON_WANT_VALUE,        // the root, or behind a colon
    JSON_WANT_ITEM_OR_END,  // behind '['
    JSON_WANT_ITEM,         // behind a comma of an array
    JSON_WANT_KEY_OR_END,   // behind '{'
    JSON_WANT_KEY,          // behind a comma of an object
    JSON_WANT_COMMA_OR_END, // behind a value
    JSON_WANT_NOTHING,      // behind the root
} json_expect;

// Plain state: may be copied and put back. The owner moves `at`, `end`, `offset` with the window.
typedef struct json_reader {
    const char *at, *end;
    uint64_t end_offset; // of `end` in the text
    bool last;           // nothing comes behind `end`
    bool doubtful;       // a quote closes a string only where what follows reads as a member
    json_expect expect;
    uint32_t depth, depth_max;
    const char *problem;                   // a literal, with JSON_ERROR
    const record_visitor *visitor;         // for notes; NULL where nobody wants them
    uint64_t objects[JSON_DEPTH_MAX / 64]; // a bit a level: object or array
} json_reader;

// Reads all of `t`, which needs no bytes behind it.
void json_begin(json_reader *r, text t, const record_visitor *visitor);

// The next token. A key has its colon consumed.
json_token json_next(json_reader *r);

// The same, but a value comes whole: `raw` of an object or array is all of it, brackets included.
// JSON_MORE and JSON_ERROR leave it half consumed.
json_token json_next_whole(json_reader *r);

// What a scalar that is not a number stands for. JSON_ERROR: nothing known.
json_kind json_word_kind(text word);

// The text of a key or string: its slice where nothing needs decoding, else a copy in `s`.
text json_decode(const json_token *token, scratch *s);

static inline uint64_t json_offset(const json_reader *r, const char *at)
{
    return r->end_offset - (uint64_t)(r->end - at);
}

// Behind a closing bracket or a scalar: what the container that is open now wants.
static inline json_expect json_after_value(const json_reader *r)
{
    return r->depth ? JSON_WANT_COMMA_OR_END : JSON_WANT_NOTHING;
}

static inline bool json_in_object(const json_reader *r)
{
    return r->depth && (r->objects[(r->depth - 1) / 64] >> ((r->depth - 1) % 64) & 1);
}

// One level deeper.
static inline void json_push(json_reader *r, bool object)
{
    const uint64_t bit = (uint64_t)1 << (r->depth % 64);
    uint64_t *word = &r->objects[r->depth / 64];

    *word = object ? *word | bit : *word & ~bit;
    r->depth++;
}

void json_note(const json_reader *r, const char *at, note_severity severity, const char *code,
               const char *what);

#endif
