// SPDX-License-Identifier: BSD-3-Clause
// Input shapes as a person and the TensorBoard plugin write them.
#include "analyze/shape_text.h"

#include "model/json_slice.h"

#include <stdio.h>

typedef struct out {
    arena *arena;
    char *at;
    size_t length, capacity;
} out;

static void reserve(out *o, size_t length)
{
    if (o->capacity - o->length >= length)
        return;
    const size_t wanted = (o->capacity + length) * 2;
    o->at = arena_grow(o->arena, o->at, 1, o->capacity, wanted);
    o->capacity = wanted;
}

static void put(out *o, const char *bytes, size_t length)
{
    reserve(o, length);
    memcpy(o->at + o->length, bytes, length);
    o->length += length;
}

// The string that begins at a quote, decoded; *taken is its length in the JSON, quotes included.
static text decode(text json, arena *a, size_t *taken)
{
    size_t i = 1;

    while (i < json.length && json.at[i] != '"')
        i += json.at[i] == '\\' ? 2 : 1;
    if (i >= json.length) {
        *taken = json.length;
        return json;
    }
    *taken = i + 1;
    return json_text((text){json.at, i + 1}, a);
}

// One byte of a string that stands in `quote`s.
static void put_byte(out *o, char c, char quote)
{
    char escaped[5];
    int length = 0;

    if (c == quote || c == '\\')
        length = snprintf(escaped, sizeof(escaped), "\\%c", c);
    else if (c == '\n')
        length = snprintf(escaped, sizeof(escaped), "\\n");
    else if (c == '\r')
        length = snprintf(escaped, sizeof(escaped), "\\r");
    else if (c == '\t')
        length = snprintf(escaped, sizeof(escaped), "\\t");
    else if ((unsigned char)c < 0x20 || c == 0x7f)
        length = snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned)c);
    put(o, length ? escaped : &c, length ? (size_t)length : 1);
}

static void put_quoted(out *o, text t)
{
    const char quote = text_holds(t, TEXT("'")) && !text_holds(t, TEXT("\"")) ? '"' : '\'';

    put(o, &quote, 1);
    for (size_t i = 0; i < t.length; i++)
        put_byte(o, t.at[i], quote);
    put(o, &quote, 1);
}

// What a piece of JSON that is no string is in Python.
static const struct spelling {
    text json, python;
} SPELLINGS[] = {
    {{",", 1},     {", ", 2}   },
    {{":", 1},     {": ", 2}   },
    {{"null", 4},  {"None", 4} },
    {{"true", 4},  {"True", 4} },
    {{"false", 5}, {"False", 5}},
};

// How many bytes stand as they are: up to what begins a string or may be spelled otherwise.
static size_t plain_length(text rest)
{
    size_t length = 0;
    while (length < rest.length && !memchr(",:ntf\"", rest.at[length], 6))
        length++;
    return length;
}

static size_t put_piece(out *o, text rest)
{
    const size_t plain = plain_length(rest);
    if (plain) {
        put(o, rest.at, plain);
        return plain;
    }
    for (size_t i = 0; i < ARRAY_LEN(SPELLINGS); i++)
        if (text_starts(rest, SPELLINGS[i].json)) {
            put(o, SPELLINGS[i].python.at, SPELLINGS[i].python.length);
            return SPELLINGS[i].json.length;
        }
    put(o, rest.at, 1);
    return 1;
}

text shape_text(text json, arena *a)
{
    out o = {.arena = a};
    size_t taken;

    if (json.length == 0)
        return TEXT("[]");
    if (json.at[0] == '"')
        return decode(json, a, &taken);
    reserve(&o, json.length + json.length / 4);
    while (json.length) {
        if (json.at[0] == '"')
            put_quoted(&o, decode(json, a, &taken));
        else
            taken = put_piece(&o, json);
        json = (text){json.at + taken, json.length - taken};
    }
    return (text){o.at, o.length};
}
