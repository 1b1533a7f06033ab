// SPDX-License-Identifier: BSD-3-Clause
// Ids as they stand in traces -> 32-bit keys.
#include "model/id_keys.h"

#include <endian.h>

#define NO_NUMBER UINT64_MAX

enum { WORD_DIGITS = 8, MOST_DIGITS = 10 };

// Up to eight bytes as a word, the last one on top, zeros ('0') below the first.
static uint64_t load_digits(text t)
{
    static const uint64_t zeros = 0x3030303030303030u;
    const unsigned missing = 8 * (unsigned)(WORD_DIGITS - t.length);

    if (t.length == WORD_DIGITS)
        return le64toh(text_load_64(t.at));
    if (t.length >= 4)
        return zeros >> (64 - missing) |
               (uint64_t)le32toh((uint32_t)text_load_32(t.at)) << missing |
               (uint64_t)le32toh((uint32_t)text_load_32(t.at + t.length - 4)) << 32;
    uint64_t word = zeros;
    for (size_t i = 0; i < t.length; i++)
        word = word >> 8 | (uint64_t)(unsigned char)t.at[i] << 56;
    return word;
}

// All digits at once: pairs of them, then fours, then eight.
static uint64_t number_of_digits(uint64_t digits)
{
    const uint64_t values = digits ^ 0x3030303030303030u;
    if ((values | (values + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u)
        return NO_NUMBER;
    const uint64_t pairs = (values * 10 + (values >> 8)) & 0x00ff00ff00ff00ffu;
    const uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffffu;
    return (fours * 10000 + (fours >> 32)) & 0xffffffffu;
}

// The digits above the last eight count hundred millions.
static uint64_t number_of(text id)
{
    uint64_t upper = 0;

    if (id.length == 0 || id.length > MOST_DIGITS || (id.at[0] == '0' && id.length > 1))
        return NO_NUMBER;
    for (; id.length > WORD_DIGITS; id.at++, id.length--) {
        if (id.at[0] < '0' || id.at[0] > '9')
            return NO_NUMBER;
        upper = upper * 10 + (uint64_t)(id.at[0] - '0') * 100000000;
    }
    const uint64_t lower = number_of_digits(load_digits(id));
    return lower == NO_NUMBER ? NO_NUMBER : upper + lower;
}

static uint32_t odd_key(id_keys *k, text id)
{
    return ID_KEY_ODD + strings_intern(&k->odd, id);
}

uint32_t id_keys_of(id_keys *k, text id)
{
    const uint64_t number = number_of(id);

    return number < ID_KEY_ODD ? (uint32_t)number : odd_key(k, id);
}
