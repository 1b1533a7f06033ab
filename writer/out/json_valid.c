// SPDX-License-Identifier: BSD-3-Clause
// Whether a text is one JSON value (RFC 8259): what callers hand in as JSON goes into files as it
// is.
#include "out/json_writer.h"

#include <string.h>

typedef struct scan {
    const char *at, *end;
    int depth;
} scan;

static bool value(scan *s);

static void skip_blanks(scan *s)
{
    while (s->at < s->end && strchr(" \t\n\r", *s->at) && *s->at)
        s->at++;
}

static bool take(scan *s, char wanted)
{
    if (s->at == s->end || *s->at != wanted)
        return false;
    s->at++;
    return true;
}

static bool word(scan *s, const char *wanted)
{
    const size_t length = strlen(wanted);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, wanted, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool digits(scan *s)
{
    const char *first = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > first;
}

static bool number(scan *s)
{
    take(s, '-');
    if (!take(s, '0') && !digits(s))
        return false;
    if (take(s, '.') && !digits(s))
        return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '+'))
            take(s, '-');
        return digits(s);
    }
    return true;
}

static bool escape(scan *s)
{
    if (s->at == s->end)
        return false;
    const char kind = *s->at++;
    if (kind != 'u')
        return kind && strchr("\"\\/bfnrt", kind);
    for (int i = 0; i < 4; i++)
        if (s->at == s->end || !*s->at || !strchr("0123456789abcdefABCDEF", *s->at++))
            return false;
    return true;
}

static bool string(scan *s)
{
    if (!take(s, '"'))
        return false;
    while (s->at < s->end) {
        bool valid = (unsigned char)*s->at >= 0x20;
        if (take(s, '"'))
            return true;
        if (take(s, '\\'))
            valid = escape(s);
        else if (valid)
            s->at += tp_utf8_sequence(s->at, (size_t)(s->end - s->at), &valid);
        if (!valid)
            return false;
    }
    return false;
}

// What stands between brackets: nothing, or elements with commas between them.
static bool elements(scan *s, char closing, bool keys)
{
    skip_blanks(s);
    if (take(s, closing))
        return true;
    do {
        skip_blanks(s);
        if (keys) {
            if (!string(s))
                return false;
            skip_blanks(s);
            if (!take(s, ':'))
                return false;
        }
        if (!value(s))
            return false;
        skip_blanks(s);
    } while (take(s, ','));
    return take(s, closing);
}

static bool nested(scan *s, char closing, bool keys)
{
    if (++s->depth > TP_JSON_DEPTH)
        return false;
    const bool good = elements(s, closing, keys);
    s->depth--;
    return good;
}

static bool value(scan *s)
{
    skip_blanks(s);
    if (s->at == s->end)
        return false;
    if (take(s, '{'))
        return nested(s, '}', true);
    if (take(s, '['))
        return nested(s, ']', false);
    if (*s->at == '"')
        return string(s);
    return word(s, "true") || word(s, "false") || word(s, "null") || number(s);
}

bool tp_json_valid(const char *text, size_t length)
{
    scan s = {text, text + length, 0};
    if (!value(&s))
        return false;
    skip_blanks(&s);
    return s.at == s.end;
}
