// SPDX-License-Identifier: BSD-3-Clause
// gzip's checksum, by zlib.
#include "read/crc.h"

#include <zlib.h>

uint32_t crc_of(uint32_t crc, const void *bytes, size_t length)
{
    return (uint32_t)crc32_z(crc, bytes, length);
}
