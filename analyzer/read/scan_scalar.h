// SPDX-License-Identifier: BSD-3-Clause
// Scanning byte by byte: the reference for the vector variants, and the only one that never reads
// at or behind `end`.
#ifndef READ_SCAN_SCALAR_H
#define READ_SCAN_SCALAR_H

#include "read/json_bytes.h"

#include <stdint.h>

// The first byte of a string that needs a look: quote, backslash, control character, non-ASCII.
static inline const char *scan_string(const char *at, const char *end)
{
    while (at < end && !json_is_special(*at))
        at++;
    return at;
}

// The first byte that is not JSON white space.
static inline const char *scan_space(const char *at, const char *end)
{
    while (at < end && json_is_space(*at))
        at++;
    return at;
}

enum { SCAN_BLOCK = 1 };

// A bit for each byte of the block at `at` that counts in nested values: quote, bracket, 0xff.
static inline uint64_t scan_nested(const char *at)
{
    return *at == '"' || *at == '{' || *at == '}' || *at == '[' || *at == ']' || *at == '\xff';
}

// True if the `length` bytes of `literal` stand at `at`.
static inline bool scan_match(const char *at, const char *literal, uint32_t length)
{
    for (; length && *at == *literal; length--, at++, literal++)
        continue;
    return length == 0;
}

// How many digits stand at `at`, at most 16.
static inline uint32_t scan_digits(const char *at)
{
    uint32_t count = 0;
    while (count < 16 && json_is_digit(at[count]))
        count++;
    return count;
}

// The number of the `count` digits at `at`, 16 at most.
static inline uint64_t scan_number(const char *at, uint32_t count)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        number = number * 10 + (uint64_t)(at[i] - '0');
    return number;
}

#endif
