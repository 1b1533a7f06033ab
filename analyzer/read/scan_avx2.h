// SPDX-License-Identifier: BSD-3-Clause
// Scanning 32 bytes at a time. Reads up to 31 bytes behind `end`, where a byte that stops each scan
// must stand: 0xff does.
#ifndef READ_SCAN_AVX2_H
#define READ_SCAN_AVX2_H

#include "read/json_bytes.h"

#include <immintrin.h>

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

#endif
