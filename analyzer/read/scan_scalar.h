// SPDX-License-Identifier: BSD-3-Clause
// Scanning byte by byte: the reference for the vector variants, and the only one that never reads
// at or behind `end`.
#ifndef READ_SCAN_SCALAR_H
#define READ_SCAN_SCALAR_H

#include "read/json_bytes.h"

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

#endif
