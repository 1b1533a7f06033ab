// SPDX-License-Identifier: BSD-3-Clause
// What the vector variants for x86-64 have in common.
#ifndef READ_SCAN_X86_H
#define READ_SCAN_X86_H

#include <emmintrin.h>
#include <stdint.h>

// How many digits stand at `at`, at most 16.
static inline uint32_t scan_digits(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i shifted = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(shifted, _mm_set1_epi8(9)), shifted);
    return (uint32_t)__builtin_ctz(~(unsigned)_mm_movemask_epi8(digits));
}

#endif
