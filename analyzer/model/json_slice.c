// SPDX-License-Identifier: BSD-3-Clause
// Small values out of the raw JSON of metadata.
#include "model/json_slice.h"

#include "read/decimal.h"
#include "read/json_token.h"

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
    int64_t number;

    if (decimal_parse(raw, 0, &number) != DECIMAL_EXACT)
        return false;
    *value = number;
    return true;
}

text json_text(text raw, arena *a)
{
    if (raw.length < 2 || raw.at[0] != '"')
        return raw;

    json_reader reader;
    json_begin(&reader, raw, NULL);
    const json_token token = json_next(&reader);
    scratch decoded = {.arena = a};
    return token.kind == JSON_STRING ? json_decode(&token, &decoded) : raw;
}
