// SPDX-License-Identifier: BSD-3-Clause
// UTF-8, one character at a time.
#ifndef READ_UTF8_H
#define READ_UTF8_H

#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd, UTF8_NUL_SYMBOL = 0x2400, UTF8_MAX = 4 };

// Bytes of the character at `at` (1 to 4), or 0 where [at, end) does not begin with a valid one.
int utf8_length(const char *at, const char *end);

// Writes a code point, at most UTF8_MAX bytes. Returns the place behind it.
char *utf8_put(char *to, int32_t point);

#endif
