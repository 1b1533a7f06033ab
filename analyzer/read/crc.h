// SPDX-License-Identifier: BSD-3-Clause
// gzip's checksum for builds whose inflater has none of its own that is fast: zlib's takes half as
// long as inflating. The build takes crc_x86.c or crc_any.c.
#ifndef READ_CRC_H
#define READ_CRC_H

#include <stddef.h>
#include <stdint.h>

// The CRC-32 of what `crc` covers and `bytes` behind it; starts from 0.
uint32_t crc_of(uint32_t crc, const void *bytes, size_t length);

#endif
