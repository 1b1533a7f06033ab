// SPDX-License-Identifier: BSD-3-Clause
// Scanning 16 bytes at a time. Reads up to 15 bytes behind `end`, where a byte that stops each scan
// must stand: 0xff does.
#ifndef READ_SCAN_SSE2_H
#define READ_SCAN_SSE2_H

#include "read/json_bytes.h"
#include "read/scan_x86.h"

#include <emmintrin.h>
#include <stdint.h>

static inline const char *scan_string(const char *at, const char *end)
{
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                  space = _mm_set1_epi8(' ');
    (void)end;

    for (;; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        // Signed: control characters and non-ASCII are all below a space.
        const __m128i special = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
            _mm_cmplt_epi8(bytes, space));
        const unsigned mask = (unsigned)_mm_movemask_epi8(special);
        if (mask)
            return at + __builtin_ctz(mask);
    }
}

static inline const char *scan_space(const char *at, const char *end)
{
    (void)end;
    if (!json_is_space(*at))
        return at;
    if (!json_is_space(*++at))
        return at;
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), line = _mm_set1_epi8('\n'),
                  carriage = _mm_set1_epi8('\r');
    for (;; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        const __m128i is_space = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, tab)),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, line), _mm_cmpeq_epi8(bytes, carriage)));
        const unsigned mask = ~(unsigned)_mm_movemask_epi8(is_space) & 0xffff;
        if (mask)
            return at + __builtin_ctz(mask);
    }
}

enum { SCAN_BLOCK = 16 };

// A bit for each byte of the block at `at` that counts in nested values: quote, bracket, 0xff.
static inline uint64_t scan_nested(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(' '));
    const __m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(lower, _mm_set1_epi8('{')),
                                                    _mm_cmpeq_epi8(lower, _mm_set1_epi8('}'))),
                                       _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                                    _mm_cmpeq_epi8(bytes, _mm_set1_epi8(-1))));
    return (unsigned)_mm_movemask_epi8(found);
}

// True if the `length` bytes of `literal` stand at `at`. `literal` is aligned and has whole blocks.
static inline bool scan_match(const char *at, const char *literal, uint32_t length)
{
    for (;; at += 16, literal += 16, length -= 16) {
        const __m128i place = _mm_loadu_si128((const __m128i *)(const void *)at);
        const __m128i wanted = _mm_load_si128((const __m128i *)(const void *)literal);
        const unsigned differ = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(place, wanted)) ^ 0xffff;
        if (length <= 16)
            return (differ << (16 - length) & 0xffff) == 0;
        if (differ)
            return false;
    }
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
