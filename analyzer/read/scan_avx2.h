// SPDX-License-Identifier: BSD-3-Clause
// Scanning 32 bytes at a time. Reads up to 31 bytes behind `end`, where a byte that stops each scan
// must stand: 0xff does.
#ifndef READ_SCAN_AVX2_H
#define READ_SCAN_AVX2_H

#include "read/json_bytes.h"
#include "read/scan_x86.h"

#include <immintrin.h>
#include <stdint.h>

static inline const char *scan_string(const char *at, const char *end)
{
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'),
                  space = _mm256_set1_epi8(' ');
    (void)end;

    for (;; at += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
        // Signed: control characters and non-ASCII are all below a space.
        const __m256i special = _mm256_or_si256(
            _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash)),
            _mm256_cmpgt_epi8(space, bytes));
        const unsigned mask = (unsigned)_mm256_movemask_epi8(special);
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
    // A white space character stands at the place of its low four bits.
    const __m256i table =
        _mm256_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0, ' ', 0, 0, 0, 0,
                         0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    for (;; at += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
        const __m256i is_space = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), bytes);
        const unsigned mask = ~(unsigned)_mm256_movemask_epi8(is_space);
        if (mask)
            return at + __builtin_ctz(mask);
    }
}

enum { SCAN_BLOCK = 32 };

// A bit for each byte of the block at `at` that counts in nested values: quote, bracket, 0xff.
static inline uint64_t scan_nested(const char *at)
{
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const __m256i lower = _mm256_or_si256(bytes, _mm256_set1_epi8(' '));
    const __m256i found =
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(lower, _mm256_set1_epi8('{')),
                                        _mm256_cmpeq_epi8(lower, _mm256_set1_epi8('}'))),
                        _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')),
                                        _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(-1))));
    return (unsigned)_mm256_movemask_epi8(found);
}

// True if the `length` bytes of `literal` stand at `at`. `literal` is aligned and has whole blocks.
static inline bool scan_match(const char *at, const char *literal, uint32_t length)
{
    for (;; at += 32, literal += 32, length -= 32) {
        const __m256i place = _mm256_loadu_si256((const __m256i *)(const void *)at);
        const __m256i wanted = _mm256_load_si256((const __m256i *)(const void *)literal);
        const unsigned differ = ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(place, wanted));
        if (length <= 32)
            return differ << (32 - length) == 0;
        if (differ)
            return false;
    }
}

// The number of the `count` digits at `at`, 16 at most.
static inline uint64_t scan_number(const char *at, uint32_t count)
{
    static const char ORDER[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                   0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15};
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    // To the right, zeros in front.
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)(ORDER + count));
    const __m128i digits = _mm_shuffle_epi8(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), order);
    const __m128i pairs = _mm_maddubs_epi16(
        digits, _mm_setr_epi8(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_setr_epi16(100, 1, 100, 1, 100, 1, 100, 1));
    const __m128i packed = _mm_packus_epi32(fours, fours);
    const __m128i eights = _mm_madd_epi16(packed, _mm_setr_epi16(10000, 1, 10000, 1, 0, 0, 0, 0));
    const uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (both & UINT32_MAX) * 100000000 + (both >> 32);
}

#endif
