// SPDX-License-Identifier: BSD-3-Clause
// Small values out of the raw JSON of metadata.
#include "model/json_slice.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static text without_blanks(text t)
{
    while (t.length && is_blank(t.at[0])) {
        t.at++;
        t.length--;
    }
    while (t.length && is_blank(t.at[t.length - 1]))
        t.length--;
    return t;
}

// The length of the string that starts at `t`, quotes included.
static size_t string_length(text t)
{
    for (size_t i = 1; i < t.length; i++) {
        if (t.at[i] == '\\')
            i++;
        else if (t.at[i] == '"')
            return i + 1;
    }
    return t.length;
}

// The length of the value that starts at `t`: up to the comma behind it.
static size_t value_length(text t)
{
    size_t depth = 0, i = 0;
    while (i < t.length) {
        const char c = t.at[i];
        if (c == '"') {
            i += string_length((text){t.at + i, t.length - i});
            continue;
        }
        if (c == ',' && depth == 0)
            break;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && depth)
            depth--;
        i++;
    }
    return i;
}

text json_inside(text raw)
{
    raw = without_blanks(raw);
    if (raw.length < 2 || (raw.at[0] != '{' && raw.at[0] != '['))
        return (text){"", 0};
    return without_blanks((text){raw.at + 1, raw.length - 2});
}

bool json_next_element(text *inside, text *value)
{
    if (inside->length == 0)
        return false;
    const size_t length = value_length(*inside), taken = length + (length < inside->length);
    *value = without_blanks((text){inside->at, length});
    *inside = without_blanks((text){inside->at + taken, inside->length - taken});
    return true;
}

bool json_next_member(text *inside, text *key, text *value)
{
    text member;
    while (json_next_element(inside, &member)) {
        if (member.length == 0 || member.at[0] != '"')
            continue;
        const size_t length = string_length(member);
        const text rest = without_blanks((text){member.at + length, member.length - length});
        if (length < 2 || rest.length == 0 || rest.at[0] != ':')
            continue;
        *key = (text){member.at + 1, length - 2};
        *value = without_blanks((text){rest.at + 1, rest.length - 1});
        return true;
    }
    return false;
}

text json_member(text raw, const char *key)
{
    text inside = json_inside(raw), found = {"", 0}, name, value;
    while (json_next_member(&inside, &name, &value))
        if (text_equal(name, text_of(key)))
            found = value; // the last of equal keys holds
    return found;
}

bool json_integer(text raw, int64_t *value)
{
    if (raw.length >= 2 && raw.at[0] == '"')
        raw = (text){raw.at + 1, raw.length - 2};
    const bool negative = raw.length && raw.at[0] == '-';
    int64_t number = 0;
    size_t i = negative;

    for (; i < raw.length && raw.at[i] >= '0' && raw.at[i] <= '9'; i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_sub_overflow(number, raw.at[i] - '0', &number))
            return false;
    if (i == negative || i < raw.length || (!negative && number == INT64_MIN))
        return false;
    *value = negative ? number : -number;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The code unit of \uXXXX at `t`, or -1.
static int32_t code_unit(text t)
{
    int32_t unit = 0;
    if (t.length < 6 || t.at[0] != '\\' || t.at[1] != 'u')
        return -1;
    for (size_t i = 2; i < 6; i++) {
        const int digit = hex_digit(t.at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static char *put_utf8(char *to, uint32_t point)
{
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (char)(0xc0 | point >> 6);
    } else if (point < 0x10000) {
        *to++ = (char)(0xe0 | point >> 12);
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    } else {
        *to++ = (char)(0xf0 | point >> 18);
        *to++ = (char)(0x80 | (point >> 12 & 0x3f));
        *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (point & 0x3f));
    return to;
}

// Puts the character of the \u escape at `t`; returns the bytes it took, 0 where it is none.
static size_t put_code_point(text t, char **to)
{
    const int32_t unit = code_unit(t);
    if (unit < 0)
        return 0;
    if (unit < 0xd800 || unit > 0xdfff) {
        *to = put_utf8(*to, (uint32_t)unit);
        return 6;
    }
    const int32_t low = unit < 0xdc00 ? code_unit((text){t.at + 6, t.length - 6}) : -1;
    if (low < 0xdc00 || low > 0xdfff) {
        *to = put_utf8(*to, 0xfffd);
        return 6;
    }
    const uint32_t high_bits = (uint32_t)unit - 0xd800, low_bits = (uint32_t)low - 0xdc00;
    *to = put_utf8(*to, 0x10000 + (high_bits << 10 | low_bits));
    return 12;
}

text json_text(text raw, arena *a)
{
    static const char escapes[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    if (raw.length < 2 || raw.at[0] != '"')
        return raw;

    const text inside = {raw.at + 1, raw.length - 2};
    char *const made = arena_new(a, char, inside.length + 1), *to = made;
    for (size_t i = 0; i < inside.length;) {
        const text rest = {inside.at + i, inside.length - i};
        const size_t taken = put_code_point(rest, &to);
        if (taken) {
            i += taken;
            continue;
        }
        const char *escape = rest.at[0] == '\\' && rest.length > 1
                                 ? memchr(escapes, rest.at[1], sizeof(escapes) - 1)
                                 : NULL;
        *to++ = escape ? plain[escape - escapes] : rest.at[0];
        i += escape ? 2 : 1;
    }
    return (text){made, (size_t)(to - made)};
}
