// SPDX-License-Identifier: BSD-3-Clause
// The tokenizer itself, inline, on top of scan_string() and scan_space() of the scan_*.h that was
// included before: each vector variant is one .c that includes both.
#ifndef READ_JSON_STEP_H
#define READ_JSON_STEP_H

#include "read/json_bytes.h"
#include "read/json_string.h"
#include "read/json_token.h"

static inline json_token json_token_of(json_kind kind, const char *begin, const char *end)
{
    return (json_token){
        .kind = kind, .raw = {begin, (size_t)(end - begin)}
    };
}

static inline json_token json_fail(json_reader *r, const char *at, const char *problem)
{
    r->at = at;
    r->problem = problem;
    return json_token_of(JSON_ERROR, at, at);
}

// The string whose opening quote is at `at`, with kind JSON_STRING or JSON_MORE.
static inline json_token json_step_string(json_reader *r, const char *at, json_role role)
{
    const char *begin = at + 1;
    const char *close = scan_string(begin, r->end);
    uint32_t bent = 0;

    const bool ended = close + 1 < r->end && *close == '"' && !r->doubtful;
    const bool plain =
        ended && (close[1] == ':' ? role != JSON_AS_VALUE
                                  : role != JSON_AS_KEY && json_ends_value(close[1]));
    if (!plain) {
        close = json_string_end(r, begin, close, role, &bent);
        if (!close)
            return bent ? json_fail(r, at, "a string has no end before the next event")
                        : json_token_of(JSON_MORE, at, at);
    }
    json_token token = json_token_of(JSON_STRING, begin, close);
    token.bent = bent;
    return token;
}

static inline json_token json_step_key(json_reader *r, const char *at)
{
    json_token token = json_step_string(r, at, JSON_AS_KEY);
    if (token.kind != JSON_STRING)
        return token;

    const char *colon = scan_space(token.raw.at + token.raw.length + 1, r->end);
    if (colon == r->end)
        return json_token_of(JSON_MORE, at, at);
    if (*colon != ':')
        return json_fail(r, colon, "expected ':' behind a key");
    r->at = colon + 1;
    r->expect = JSON_WANT_VALUE;
    token.kind = JSON_KEY;
    return token;
}

static inline json_token json_step_open(json_reader *r, const char *at, bool object)
{
    if (r->depth == r->depth_max)
        return json_fail(r, at, "nested too deeply (see --max-depth)");
    json_push(r, object);
    r->at = at + 1;
    r->expect = object ? JSON_WANT_KEY_OR_END : JSON_WANT_ITEM_OR_END;
    return json_token_of(object ? JSON_OBJECT : JSON_ARRAY, at, at + 1);
}

static inline json_token json_step_close(json_reader *r, const char *at)
{
    const bool object = json_in_object(r);

    if (*at != (object ? '}' : ']'))
        return json_fail(r, at, object ? "expected '}', found ']'" : "expected ']', found '}'");
    if (r->expect == JSON_WANT_KEY || r->expect == JSON_WANT_ITEM)
        json_note(r, at, NOTE_INFO, "trailing_comma", "a comma before a closing bracket");
    r->depth--;
    r->at = at + 1;
    r->expect = json_after_value(r);
    return json_token_of(object ? JSON_OBJECT_END : JSON_ARRAY_END, at, at + 1);
}

// Numbers, true, false, null and what stands in their place. Numbers are not looked at closely.
static inline json_token json_step_scalar(json_reader *r, const char *at)
{
    const char *end = at;

    while (end < r->end && !json_is_delimiter(*end))
        end++;
    if (end == r->end && !(r->last && r->depth == 0))
        return json_token_of(JSON_MORE, at, at);
    json_token token = json_token_of(JSON_NUMBER, at, end);
    const bool digits = json_is_digit(*at) || (*at == '-' && end - at > 1 && json_is_digit(at[1]));
    if (!digits)
        token.kind = json_word_kind(token.raw);
    if (token.kind == JSON_ERROR)
        return json_fail(r, at, "expected a value");
    if (token.kind == JSON_WORD)
        json_note(r, at, NOTE_INFO, "bare_word", "a word that is not JSON stands for a value");
    r->at = end;
    r->expect = json_after_value(r);
    return token;
}

// Nothing stands where a value should.
static inline json_token json_step_missing(json_reader *r, const char *at)
{
    json_note(r, at, NOTE_WARNING, "missing_value", "a value is missing");
    r->at = at;
    r->expect = JSON_WANT_COMMA_OR_END;
    return json_token_of(JSON_NULL, at, at);
}

static inline json_token json_step_value(json_reader *r, const char *at)
{
    json_token token;

    switch (*at) {
    case '"':
        token = json_step_string(r, at, JSON_AS_VALUE);
        if (token.kind == JSON_STRING) {
            r->at = token.raw.at + token.raw.length + 1;
            r->expect = json_after_value(r);
        }
        return token;
    case '{':
    case '[':
        return json_step_open(r, at, *at == '{');
    case '}':
    case ']':
        if (r->depth && r->expect != JSON_WANT_VALUE)
            return json_step_close(r, at);
        return r->depth ? json_step_missing(r, at) : json_fail(r, at, "expected a value");
    case ',':
        return r->depth ? json_step_missing(r, at) : json_fail(r, at, "expected a value");
    default:
        return json_step_scalar(r, at);
    }
}

// Behind a value: true if the next token may be read, false if a bracket or an error comes.
static inline bool json_step_comma(json_reader *r, const char *at)
{
    const bool object = json_in_object(r);

    if (*at == ',') {
        r->at = at + 1;
    } else if (*at == (object ? '"' : '{')) {
        json_note(r, at, NOTE_WARNING, "missing_comma", "a comma is missing");
        r->at = at;
    } else {
        return false;
    }
    r->expect = object ? JSON_WANT_KEY : JSON_WANT_ITEM;
    return true;
}

// Consumes what stands between two values: blanks, and a comma where one is due. JSON_MORE where
// the window ends; then nothing needs to be kept. JSON_NULL otherwise.
static inline json_kind json_step_between(json_reader *r)
{
    r->at = scan_space(r->at, r->end);
    if (r->at == r->end)
        return JSON_MORE;
    if (r->expect == JSON_WANT_COMMA_OR_END && json_step_comma(r, r->at))
        r->at = scan_space(r->at, r->end);
    return r->at == r->end ? JSON_MORE : JSON_NULL;
}

static inline json_token json_step_member(json_reader *r, const char *at)
{
    if (*at == '"')
        return json_step_key(r, at);
    if (*at == '}' || *at == ']')
        return json_step_close(r, at);
    if (*at != ',')
        return json_fail(r, at, "expected a key in quotes");
    json_note(r, at, NOTE_WARNING, "missing_value", "a value is missing");
    r->at = at + 1;
    return json_token_of(JSON_NULL, at, at);
}

// The next token. JSON_MORE may have consumed blanks and a comma.
static inline json_token json_step(json_reader *r)
{
    json_token token;

    if (r->expect == JSON_WANT_NOTHING)
        return json_token_of(JSON_END, r->at, r->at);
    do {
        if (json_step_between(r) == JSON_MORE)
            return json_token_of(JSON_MORE, r->at, r->at);
        if (r->expect == JSON_WANT_KEY || r->expect == JSON_WANT_KEY_OR_END)
            token = json_step_member(r, r->at);
        else if (r->expect != JSON_WANT_COMMA_OR_END)
            return json_step_value(r, r->at);
        else if (*r->at == '}' || *r->at == ']')
            return json_step_close(r, r->at);
        else
            return json_fail(r, r->at,
                             json_in_object(r) ? "expected ',' or '}' behind a value"
                                               : "expected ',' or ']' behind a value");
    } while (token.kind == JSON_NULL);
    return token;
}

// The whole object or array that `open` began.
static inline json_token json_step_rest(json_reader *r, const json_token *open)
{
    const uint32_t depth = r->depth;

    while (r->depth >= depth) {
        const json_token token = json_step(r);
        if (token.kind == JSON_MORE || token.kind == JSON_ERROR)
            return token;
    }
    return json_token_of(open->kind, open->raw.at, r->at);
}

// The whole object or array at `at`, by its brackets and strings alone: whatever else is wrong in
// it is not seen. Faster than json_step_rest(); needs the padding behind the window.
static inline json_token json_step_nested(json_reader *r, const char *at)
{
    const uint32_t depth = r->depth;
    const json_kind kind = *at == '{' ? JSON_OBJECT : JSON_ARRAY;
    const char *block = at;

    for (;;) {
        uint64_t found = scan_nested(block);
        const char *next = block + SCAN_BLOCK;
        for (; found; found &= found - 1) {
            const char *byte = block + __builtin_ctzll(found);
            json_token token = json_token_of(kind, at, byte + 1);
            if (*byte == '"') {
                token = json_step_string(r, byte, JSON_AS_EITHER);
                if (token.kind != JSON_STRING)
                    return token;
                next = token.raw.at + token.raw.length + 1;
                break;
            }
            if (byte >= r->end)
                return json_token_of(JSON_MORE, at, at);
            if (*byte == '{' || *byte == '[')
                token = json_step_open(r, byte, *byte == '{');
            else if (*byte == '}' || *byte == ']')
                token = json_step_close(r, byte);
            if (token.kind == JSON_ERROR)
                return token;
            if (r->depth == depth)
                return json_token_of(kind, at, r->at);
        }
        block = next;
    }
}

// The next value, whole.
static inline json_token json_step_over(json_reader *r)
{
    const json_token token = json_step(r);
    const bool opened = token.kind == JSON_OBJECT || token.kind == JSON_ARRAY;

    return opened ? json_step_rest(r, &token) : token;
}

#endif
