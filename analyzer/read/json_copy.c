// SPDX-License-Identifier: BSD-3-Clause
// A value as strict JSON.
#include "read/json_copy.h"

#include "read/json_bytes.h"

typedef struct copy {
    scratch *scratch;
    char *begin, *to, *end;
} copy;

// Room for `size` more bytes.
static void reserve(copy *c, size_t size)
{
    if ((size_t)(c->end - c->to) >= size)
        return;
    const size_t used = (size_t)(c->to - c->begin);
    const size_t room = 2 * (used + size);
    char *grown = scratch_take(c->scratch, room);
    if (used)
        memcpy(grown, c->begin, used);
    c->begin = grown;
    c->to = grown + used;
    c->end = grown + room;
}

static void put(copy *c, const char *bytes, size_t length)
{
    reserve(c, length);
    memcpy(c->to, bytes, length);
    c->to += length;
}

static void put_byte(copy *c, char byte)
{
    put(c, &byte, 1);
}

static void put_escaped(copy *c, char byte)
{
    static const char HEX[] = "0123456789abcdef";

    if (byte == '"' || byte == '\\') {
        put(c, (char[]){'\\', byte}, 2);
    } else if ((unsigned char)byte < 0x20) {
        const int code = byte;
        put(c, (char[]){'\\', 'u', '0', '0', HEX[code >> 4], HEX[code & 15]}, 6);
    } else {
        put_byte(c, byte);
    }
}

static void put_string(copy *c, const json_token *token)
{
    put_byte(c, '"');
    if (token->bent & ~(uint32_t)JSON_NON_ASCII) {
        // Decoded beside the copy, which must not lie in the way.
        char *decoded_room = scratch_take(c->scratch, 3 * token->raw.length);
        scratch own = {c->scratch->arena, decoded_room, 0, 3 * token->raw.length};
        const text decoded = json_decode(token, &own);
        for (size_t i = 0; i < decoded.length; i++)
            put_escaped(c, decoded.at[i]);
    } else {
        put(c, token->raw.at, token->raw.length);
    }
    put_byte(c, '"');
}

static size_t count_digits(text t, size_t at)
{
    size_t digits = 0;
    while (at + digits < t.length && json_is_digit(t.at[at + digits]))
        digits++;
    return digits;
}

// Is it a number as JSON writes it?
static bool is_strict_number(text t)
{
    size_t at = t.length && t.at[0] == '-';
    const size_t whole = count_digits(t, at);

    if (whole == 0 || (whole > 1 && t.at[at] == '0'))
        return false;
    at += whole;
    if (at < t.length && t.at[at] == '.') {
        const size_t fraction = count_digits(t, at + 1);
        if (fraction == 0)
            return false;
        at += 1 + fraction;
    }
    if (at < t.length && (t.at[at] | 0x20) == 'e') {
        at += at + 1 < t.length && (t.at[at + 1] == '-' || t.at[at + 1] == '+') ? 2 : 1;
        const size_t exponent = count_digits(t, at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == t.length;
}

static void put_number(copy *c, const json_token *token)
{
    json_token as_string = *token;

    if (is_strict_number(token->raw)) {
        put(c, token->raw.at, token->raw.length);
        return;
    }
    as_string.bent = JSON_ESCAPES | JSON_BAD_ESCAPES | JSON_BAD_UTF8;
    put_string(c, &as_string);
}

static void put_token(copy *c, const json_token *token)
{
    switch (token->kind) {
    case JSON_KEY:
    case JSON_STRING:
        put_string(c, token);
        break;
    case JSON_NUMBER:
        put_number(c, token);
        break;
    case JSON_NULL:
    case JSON_WORD:
        put(c, "null", 4);
        break;
    default: // brackets, true, false
        put(c, token->raw.at, token->raw.length);
    }
}

static bool put_container(copy *c, text raw, bool doubtful)
{
    json_reader r;
    bool first = true;

    json_begin(&r, raw, NULL);
    r.doubtful = doubtful;
    for (;;) {
        const json_token token = json_next(&r);
        if (token.kind == JSON_END || token.kind == JSON_MORE || token.kind == JSON_ERROR)
            return token.kind == JSON_END && r.at == r.end;
        const bool closing = token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END;
        if (!first && !closing)
            put_byte(c, ',');
        put_token(c, &token);
        first = token.kind == JSON_OBJECT || token.kind == JSON_ARRAY || token.kind == JSON_KEY;
        if (token.kind == JSON_KEY)
            put_byte(c, ':');
    }
}

bool json_copy(const json_token *whole, bool doubtful, scratch *s, text *made)
{
    copy c = {.scratch = s};
    bool good = true;

    reserve(&c, whole->raw.length / 2 + 16);
    if (whole->kind == JSON_OBJECT || whole->kind == JSON_ARRAY)
        good = put_container(&c, whole->raw, doubtful);
    else
        put_token(&c, whole);
    *made = (text){c.begin, (size_t)(c.to - c.begin)};
    return good;
}
