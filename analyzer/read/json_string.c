// SPDX-License-Identifier: BSD-3-Clause
// Strings that are not plain ASCII, or not JSON: where they end, and what they say.
#include "read/json_string.h"

#include "read/json_bytes.h"
#include "read/utf8.h"

enum {
    LOOK_AHEAD_BYTES = 256, // for the end of a key
    LOOK_AHEAD_QUOTES = 4,  // few, so that the work stays linear
};

typedef enum verdict { NO, YES, UNSURE } verdict;

enum { BENT_KINDS = 8 };

// What was seen of a string so far, and where first.
typedef struct seen {
    uint32_t bent;
    const char *first[BENT_KINDS]; // by bit of json_bent
} seen;

static void see(seen *s, json_bent bit, const char *at)
{
    if (!(s->bent & (uint32_t)bit))
        s->first[__builtin_ctz((unsigned)bit)] = at;
    s->bent |= (uint32_t)bit;
}

// UNSURE where the window ended before an answer and more may come.
static verdict at_end(const json_reader *r)
{
    return r->last ? NO : UNSURE;
}

static const char *skip_space(const json_reader *r, const char *at)
{
    while (at < r->end && json_is_space(*at))
        at++;
    return at;
}

// Do `"key":` or, in an array, a value follow the comma before `at`?
static verdict member_follows(const json_reader *r, const char *at)
{
    const bool in_object = json_in_object(r);

    at = skip_space(r, at);
    if (at == r->end)
        return at_end(r);
    if (!in_object)
        return *at == '"' || *at == '{' || *at == '[' || *at == '-' || json_is_digit(*at);
    if (*at != '"')
        return *at == '}';
    const char *begin = ++at;
    while (at < r->end && *at != '"' && at - begin < LOOK_AHEAD_BYTES)
        at++;
    if (at == r->end)
        return at_end(r);
    if (*at != '"')
        return NO;
    at = skip_space(r, at + 1);
    return at == r->end ? at_end(r) : *at == ':';
}

// Does the quote at `at` close its string?
static verdict closes(const json_reader *r, const char *at, json_role role, bool doubtful)
{
    const char *next = skip_space(r, at + 1);

    if (next == r->end)
        return r->last ? YES : UNSURE;
    if (*next == ':')
        return role != JSON_AS_VALUE;
    if (role == JSON_AS_KEY)
        return NO;
    if (*next == '}' || *next == ']')
        return YES;
    if (*next != ',')
        return NO;
    return doubtful ? member_follows(r, next + 1) : YES;
}

// A quote inside a key, or its end with no colon behind it? YES: the key's end comes soon.
static verdict key_goes_on(const json_reader *r, const char *at)
{
    const char *limit = r->end - at > LOOK_AHEAD_BYTES ? at + LOOK_AHEAD_BYTES : r->end;
    int quotes = 0;

    for (at++; at < limit && quotes < LOOK_AHEAD_QUOTES; at++) {
        if (memchr("{}[]\n", *at, 5))
            return NO;
        if (*at != '"')
            continue;
        quotes++;
        const char *next = skip_space(r, at + 1);
        if (next == r->end)
            return at_end(r);
        if (*next == ':')
            return YES;
    }
    return at == r->end ? at_end(r) : NO;
}

// Has the string that began at `begin` run over the end of an object, "},{", to the quote at `at`?
static bool runs_away(const char *begin, const char *at)
{
    for (const char *mark = "{,}"; *mark; mark++) {
        do
            at--;
        while (at >= begin && json_is_space(*at));
        if (at < begin || *at != *mark)
            return false;
    }
    return true;
}

static int hex_value(char c)
{
    if (json_is_digit(c))
        return c - '0';
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
        return (c | 0x20) - 'a' + 10;
    return -1;
}

// The code unit of four hex digits, or -1.
static int32_t hex_unit(const char *at, const char *end)
{
    int32_t unit = 0;

    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int value = hex_value(at[i]);
        if (value < 0)
            return -1;
        unit = unit * 16 + value;
    }
    return unit;
}

static bool is_high(int32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(int32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

// Decodes what stands behind "\u" to a code point, and moves *at behind it. A lone surrogate gives
// U+FFFD, no four hex digits -1.
static int32_t take_unicode(const char **at, const char *end, bool *lone)
{
    const int32_t unit = hex_unit(*at, end);

    if (unit < 0)
        return -1;
    *at += 4;
    if (!is_high(unit) && !is_low(unit))
        return unit;
    if (is_high(unit) && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        const int32_t low = hex_unit(*at + 2, end);
        if (is_low(low)) {
            *at += 6;
            return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    *lone = true;
    return UTF8_REPLACEMENT;
}

// Moves over the escape at `at`; NULL where the window may cut it.
static const char *scan_escape(const json_reader *r, const char *at, seen *s)
{
    const char *name = at + 1, *digits = at + 2;
    bool lone = false;

    // A pair of surrogates is the longest.
    if (r->end - at < 12 && !r->last)
        return NULL;
    if (name == r->end)
        return name;
    see(s, JSON_ESCAPES, at);
    if (memchr("\"\\/bfnrt", *name, 8))
        return name + 1;
    if (*name != 'u' || take_unicode(&digits, r->end, &lone) < 0) {
        see(s, JSON_BAD_ESCAPES, at);
        return name;
    }
    if (lone)
        see(s, JSON_LONE_SURROGATE, at);
    if (memcmp(name, "u0000", 5) == 0)
        see(s, JSON_NULS, at);
    return digits;
}

static const char *scan_non_ascii(const json_reader *r, const char *at, seen *s)
{
    const int length = utf8_length(at, r->end);

    if (length > 0) {
        see(s, JSON_NON_ASCII, at);
        return at + length;
    }
    if (!r->last && r->end - at < UTF8_MAX)
        return NULL;
    see(s, JSON_BAD_UTF8, at);
    return at + 1;
}

// In doubt, a backslash before a closing quote is the end of a Windows path.
static bool ends_path(const json_reader *r, const char *at, json_role role)
{
    return r->doubtful && r->end - at > 1 && at[1] == '"' && closes(r, at + 1, role, true) == YES;
}

static const char *find_end(const json_reader *r, const char *begin, const char *at, json_role role,
                            seen *s)
{
    while (at && at < r->end) {
        if ((unsigned char)*at >= 0x80) {
            at = scan_non_ascii(r, at, s);
        } else if (*at == '\\') {
            if (ends_path(r, at, role)) {
                see(s, JSON_ESCAPES, at);
                see(s, JSON_BAD_ESCAPES, at);
                return at + 1;
            }
            at = scan_escape(r, at, s);
        } else if (*at == '"') {
            const verdict closing = closes(r, at, role, r->doubtful || (s->bent & JSON_QUOTES));
            const verdict inside = closing == NO && role == JSON_AS_KEY ? key_goes_on(r, at) : YES;
            if (closing == UNSURE || inside == UNSURE)
                return NULL;
            if (closing == YES || inside == NO)
                return at;
            if (runs_away(begin, at)) {
                s->bent = JSON_RUNAWAY;
                return NULL;
            }
            see(s, JSON_QUOTES, at++);
        } else {
            if ((unsigned char)*at < 0x20)
                see(s, *at ? JSON_CONTROLS : JSON_NULS, at);
            at++;
        }
    }
    return NULL;
}

static void note_bent(const json_reader *r, const seen *s)
{
    static const struct {
        const char *code, *what;
    } KINDS[] = {
        {"unescaped_quote",       "a quote inside a string is not escaped"                             },
        {"invalid_escape",        "backslashes that are not escapes were kept; the text may be damaged"},
        {"raw_control_character", "a control character inside a string is not escaped"                 },
        {"invalid_utf8",          "bytes that are not UTF-8 were replaced"                             },
        {"lone_surrogate",        "half of a surrogate pair was replaced"                              },
        {"nul_character",         "a NUL inside a string was replaced by its symbol, U+2400"           },
    };

    for (size_t i = 0; i < ARRAY_LEN(KINDS); i++)
        if (s->bent >> i & 1)
            json_note(r, s->first[i], i == 2 ? NOTE_INFO : NOTE_WARNING, KINDS[i].code,
                      KINDS[i].what);
}

const char *json_string_end(const json_reader *r, const char *begin, const char *at, json_role role,
                            uint32_t *bent)
{
    seen s = {0};
    const char *end = find_end(r, begin, at, role, &s);

    *bent = s.bent;
    if (!end)
        *bent &= JSON_RUNAWAY;
    else if (s.bent)
        note_bent(r, &s);
    return end;
}

static char *put_escape(char *to, const char **at, const char *end)
{
    static const char NAMES[] = "\"\\/bfnrt", BYTES[] = "\"\\/\b\f\n\r\t";
    const char *name = *at < end ? memchr(NAMES, **at, 8) : NULL;
    bool lone = false;

    if (name) {
        ++*at;
        *to = BYTES[name - NAMES];
        return to + 1;
    }
    ++*at;
    const int32_t point = take_unicode(at, end, &lone);
    return utf8_put(to, point ? point : UTF8_NUL_SYMBOL);
}

text json_decode(const json_token *token, scratch *s)
{
    if (!(token->bent & JSON_RAW_UNUSABLE))
        return token->raw;

    const char *at = token->raw.at, *end = at + token->raw.length;
    const bool literal = token->bent & JSON_BAD_ESCAPES;
    // A bad byte becomes three.
    const size_t room = 3 * token->raw.length;
    char *begin = scratch_take(s, room), *to = begin;
    while (at < end) {
        const int length = (unsigned char)*at < 0x80 ? 1 : utf8_length(at, end);
        if (*at == '\\' && (!literal || (end - at > 1 && at[1] == '"'))) {
            at++;
            to = put_escape(to, &at, end);
        } else if (*at == 0) {
            to = utf8_put(to, UTF8_NUL_SYMBOL);
            at++;
        } else if (length > 0) {
            memcpy(to, at, (size_t)length);
            to += length;
            at += length;
        } else {
            to = utf8_put(to, UTF8_REPLACEMENT);
            at++;
        }
    }
    scratch_give_back(s, room - (size_t)(to - begin));
    return (text){begin, (size_t)(to - begin)};
}
