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

// Inside a number, behind its first digit.
static inline bool json_in_number(char c)
{
    return json_is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
}

// Stands behind a value, blanks apart.
static inline bool json_ends_value(char c)
{
    return c == ',' || c == '}' || c == ']';
}

// Ends a number or a bare word.
static inline bool json_is_delimiter(char c)
{
    return (unsigned char)c <= ' ' || c == ',' || c == '}' || c == ']' || c == ':' || c == '"' ||
           c == '{' || c == '[';
}

#endif
