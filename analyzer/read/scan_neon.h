// SPDX-License-Identifier: BSD-3-Clause
// Scanning 16 bytes at a time on ARM. Reads up to 15 bytes behind `end`, where a byte that stops
// each scan must stand: 0xff does.
#ifndef READ_SCAN_NEON_H
#define READ_SCAN_NEON_H

#include "read/json_bytes.h"

#include <arm_neon.h>
#include <stdint.h>

// Four bits a byte, in order; 0 where no byte is set.
static inline uint64_t scan_mask(uint8x16_t set)
{
    const uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(set), 4);
    return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}

static inline const char *scan_string(const char *at, const char *end)
{
    const uint8x16_t quote = vdupq_n_u8('"'), backslash = vdupq_n_u8('\\');
    const int8x16_t space = vdupq_n_s8(' ');
    (void)end;

    for (;; at += 16) {
        const uint8x16_t bytes = vld1q_u8((const uint8_t *)at);
        // Signed: control characters and non-ASCII are all below a space.
        const uint8x16_t special =
            vorrq_u8(vorrq_u8(vceqq_u8(bytes, quote), vceqq_u8(bytes, backslash)),
                     vcltq_s8(vreinterpretq_s8_u8(bytes), space));
        const uint64_t mask = scan_mask(special);
        if (mask)
            return at + (__builtin_ctzll(mask) >> 2);
    }
}

static inline const char *scan_space(const char *at, const char *end)
{
    (void)end;
    if (!json_is_space(*at))
        return at;
    if (!json_is_space(*++at))
        return at;
    const uint8x16_t space = vdupq_n_u8(' '), tab = vdupq_n_u8('\t'), line = vdupq_n_u8('\n'),
                     carriage = vdupq_n_u8('\r');
    for (;; at += 16) {
        const uint8x16_t bytes = vld1q_u8((const uint8_t *)at);
        const uint8x16_t is_space =
            vorrq_u8(vorrq_u8(vceqq_u8(bytes, space), vceqq_u8(bytes, tab)),
                     vorrq_u8(vceqq_u8(bytes, line), vceqq_u8(bytes, carriage)));
        const uint64_t mask = ~scan_mask(is_space);
        if (mask)
            return at + (__builtin_ctzll(mask) >> 2);
    }
}

#endif
