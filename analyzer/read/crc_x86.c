// SPDX-License-Identifier: BSD-3-Clause
// gzip's checksum by carry-less multiplication, 64 bytes at a time, where the processor has it.
// A CRC is the rest of a division of polynomials: bytes far from the end may be replaced by their
// product with a power of x, modulo the divisor, nearer to it. Method and constants: Gopal et al.,
// "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009.
#include "read/crc.h"

#include <immintrin.h>
#include <stdbool.h>
#include <zlib.h>

enum { LANES = 4, LANE_BYTES = 16, BLOCK_BYTES = LANES * LANE_BYTES };

// Powers of x for bits that are in reverse order, as gzip has them: low and high half of a lane.
static const uint64_t OVER_BLOCK[] = {0x154442bd4, 0x1c6e41596}; // x^544, x^480
static const uint64_t OVER_LANE[] = {0x1751997d0, 0x0ccaa009e};  // x^160, x^96
static const uint64_t OVER_HALF[] = {0x163cd6124, 0};            // x^64
static const uint64_t DIVISOR[] = {0x1db710641, 0x1f7011641};    // itself, x^64 / it

#define TARGET __attribute__((target("pclmul,sse4.1")))

TARGET static inline __m128i load(const void *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

// Moves both halves of a lane over the distance that `powers` belong to, onto `next`.
TARGET static inline __m128i fold(__m128i lane, __m128i powers, __m128i next)
{
    const __m128i low = _mm_clmulepi64_si128(lane, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(lane, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

// From one lane to the 32 bits of its rest, by Barrett's reduction.
TARGET static uint32_t reduce(__m128i lane)
{
    const __m128i low_words = _mm_setr_epi32(-1, 0, -1, 0), powers = load(OVER_LANE);
    const __m128i half = load(OVER_HALF), divisor = load(DIVISOR);

    lane = _mm_xor_si128(_mm_srli_si128(lane, 8), _mm_clmulepi64_si128(lane, powers, 0x10));
    const __m128i rest = _mm_srli_si128(lane, 4);
    lane = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(lane, low_words), half, 0x00), rest);
    __m128i times = _mm_clmulepi64_si128(_mm_and_si128(lane, low_words), divisor, 0x10);
    times = _mm_clmulepi64_si128(_mm_and_si128(times, low_words), divisor, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(lane, times), 1);
}

// `length` is a multiple of LANE_BYTES, and at least a block; `crc` has its bits inverted.
TARGET static uint32_t crc_of_lanes(uint32_t crc, const unsigned char *at, size_t length)
{
    const __m128i over_block = load(OVER_BLOCK), over_lane = load(OVER_LANE);
    __m128i lanes[LANES];

    for (int i = 0; i < LANES; i++)
        lanes[i] = load(at + LANE_BYTES * i);
    lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)crc));
    for (at += BLOCK_BYTES, length -= BLOCK_BYTES; length >= BLOCK_BYTES;
         at += BLOCK_BYTES, length -= BLOCK_BYTES)
        for (int i = 0; i < LANES; i++)
            lanes[i] = fold(lanes[i], over_block, load(at + LANE_BYTES * i));
    __m128i all = lanes[0];
    for (int i = 1; i < LANES; i++)
        all = fold(all, over_lane, lanes[i]);
    for (; length; at += LANE_BYTES, length -= LANE_BYTES)
        all = fold(all, over_lane, load(at));
    return reduce(all);
}

static bool has_multiplication(void)
{
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

uint32_t crc_of(uint32_t crc, const void *bytes, size_t length)
{
    const unsigned char *const at = bytes;
    const size_t lanes = length / LANE_BYTES * LANE_BYTES;

    if (length < BLOCK_BYTES || !has_multiplication())
        return (uint32_t)crc32_z(crc, at, length);
    crc = ~crc_of_lanes(~crc, at, lanes);
    return (uint32_t)crc32_z(crc, at + lanes, length - lanes);
}
