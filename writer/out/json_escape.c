// SPDX-License-Identifier: BSD-3-Clause
// Strings as JSON text: RFC 8259 escapes, and U+FFFD for what is not UTF-8.
#include "out/json_text.h"

#include <stdbool.h>
#include <string.h>

size_t tp_utf8_sequence(const char *text, size_t left, bool *valid)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (at[0] >= 0xc2 && at[0] <= 0xdf)
        length = 2;
    else if (at[0] >= 0xe0 && at[0] <= 0xef)
        length = 3;
    else if (at[0] >= 0xf0 && at[0] <= 0xf4)
        length = 4;
    else {
        *valid = at[0] < 0x80;
        return 1;
    }
    // No overlong forms, no surrogates, nothing above U+10FFFF.
    if (at[0] == 0xe0)
        low = 0xa0;
    else if (at[0] == 0xed)
        high = 0x9f;
    else if (at[0] == 0xf0)
        low = 0x90;
    else if (at[0] == 0xf4)
        high = 0x8f;

    size_t good = 1;
    while (good < length && good < left && at[good] >= low && at[good] <= high) {
        good++;
        low = 0x80;
        high = 0xbf;
    }
    *valid = good == length;
    return good;
}

static char *escape_control(char *at, unsigned char byte)
{
    static const char HEX[] = "0123456789abcdef";
    static const char SHORT[32] = {[8] = 'b', [9] = 't', [10] = 'n', [12] = 'f', [13] = 'r'};

    if (SHORT[byte]) {
        at[0] = '\\';
        at[1] = SHORT[byte];
        return at + 2;
    }
    memcpy(at, "\\u00", 4);
    at[4] = HEX[byte >> 4];
    at[5] = HEX[byte & 15];
    return at + 6;
}

// One character of the text, escaped; advances *from.
static char *escape_one(char *at, const char **from, const char *end)
{
    const unsigned char byte = (unsigned char)**from;
    bool valid;

    if (byte == '"' || byte == '\\') {
        at[0] = '\\';
        at[1] = (char)byte;
        ++*from;
        return at + 2;
    }
    if (byte < 0x20) {
        ++*from;
        return escape_control(at, byte);
    }
    const size_t length = tp_utf8_sequence(*from, (size_t)(end - *from), &valid);
    if (valid) {
        memcpy(at, *from, length);
        at += length;
    } else {
        memcpy(at, "\xef\xbf\xbd", 3);
        at += 3;
    }
    *from += length;
    return at;
}

char *tp_text_escaped(char *at, const char *room, const char **from, const char *end)
{
    const char *text = *from;

    while (text < end && room - at >= TP_ESCAPE_ROOM) {
        const unsigned char byte = (unsigned char)*text;
        if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\')
            *at++ = *text++;
        else
            at = escape_one(at, &text, end);
    }
    *from = text;
    return at;
}

char *tp_text_quoted(char *at, const char *text, size_t length)
{
    *at++ = '"';
    at = tp_text_escaped(at, at + TP_ESCAPE_ROOM * (length + 1), &text, text + length);
    *at++ = '"';
    return at;
}
