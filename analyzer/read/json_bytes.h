// SPDX-License-Identifier: BSD-3-Clause
// What single bytes mean in JSON text.
#ifndef READ_JSON_BYTES_H
#define READ_JSON_BYTES_H

#include <stdbool.h>

static inline bool json_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool json_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// In a string: quote, backslash, control character, or part of a non-ASCII character.
static inline bool json_is_special(char c)
{
    return (unsigned char)c < 0x20 || (unsigned char)c >= 0x80 || c == '"' || c == '\\';
}

// Ends a number or a bare word.
static inline bool json_is_delimiter(char c)
{
    return (unsigned char)c <= ' ' || c == ',' || c == '}' || c == ']' || c == ':' || c == '"' ||
           c == '{' || c == '[';
}

#endif
