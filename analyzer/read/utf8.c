// SPDX-License-Identifier: BSD-3-Clause
// UTF-8, one character at a time.
#include "read/utf8.h"

// The first and second byte decide: shorter forms, surrogates and points above U+10FFFF are out.
static int length_of(unsigned char first, unsigned char second)
{
    if (first >= 0xc2 && first <= 0xdf)
        return 2;
    if (first == 0xe0)
        return second >= 0xa0 ? 3 : 0;
    if (first == 0xed)
        return second <= 0x9f ? 3 : 0;
    if (first >= 0xe1 && first <= 0xef)
        return 3;
    if (first == 0xf0)
        return second >= 0x90 ? 4 : 0;
    if (first == 0xf4)
        return second <= 0x8f ? 4 : 0;
    return first >= 0xf1 && first <= 0xf3 ? 4 : 0;
}

int utf8_length(const char *at, const char *end)
{
    const unsigned char *byte = (const unsigned char *)at;

    if (at >= end)
        return 0;
    if (byte[0] < 0x80)
        return 1;
    if (end - at < 2)
        return 0;
    const int length = length_of(byte[0], byte[1]);
    if (end - at < length)
        return 0;
    for (int i = 1; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

char *utf8_put(char *to, int32_t point)
{
    const uint32_t p = (uint32_t)point;

    if (p < 0x80) {
        *to++ = (char)p;
    } else if (p < 0x800) {
        *to++ = (char)(0xc0 | p >> 6);
        *to++ = (char)(0x80 | (p & 0x3f));
    } else if (p < 0x10000) {
        *to++ = (char)(0xe0 | p >> 12);
        *to++ = (char)(0x80 | (p >> 6 & 0x3f));
        *to++ = (char)(0x80 | (p & 0x3f));
    } else {
        *to++ = (char)(0xf0 | p >> 18);
        *to++ = (char)(0x80 | (p >> 12 & 0x3f));
        *to++ = (char)(0x80 | (p >> 6 & 0x3f));
        *to++ = (char)(0x80 | (p & 0x3f));
    }
    return to;
}
