// SPDX-License-Identifier: BSD-3-Clause
// TFRecord framing. Event files are small, so the checksum goes by half bytes: no tables to build.
#include "out/tfrecord.h"

enum { LENGTH_BYTES = 8, CHECKSUM_BYTES = 4 };

static const uint32_t MASK_OFFSET = 0xa282ead8u;

// Remainders of each half byte by the reflected polynomial 0x82f63b78.
static const uint32_t HALF_BYTE[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

// The format is little-endian on every machine.
static void put_little_endian(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

uint32_t tp_crc32c(const void *data, size_t size)
{
    const unsigned char *at = data;
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= at[i];
        crc = (crc >> 4) ^ HALF_BYTE[crc & 15];
        crc = (crc >> 4) ^ HALF_BYTE[crc & 15];
    }
    return ~crc;
}

uint32_t tp_crc32c_masked(const void *data, size_t size)
{
    const uint32_t crc = tp_crc32c(data, size);
    return (crc >> 15 | crc << 17) + MASK_OFFSET;
}

void tp_tfrecord_write(tp_sink *sink, const void *data, size_t size)
{
    unsigned char head[LENGTH_BYTES + CHECKSUM_BYTES];
    unsigned char tail[CHECKSUM_BYTES];

    put_little_endian(head, size, LENGTH_BYTES);
    put_little_endian(head + LENGTH_BYTES, tp_crc32c_masked(head, LENGTH_BYTES), CHECKSUM_BYTES);
    put_little_endian(tail, tp_crc32c_masked(data, size), CHECKSUM_BYTES);
    tp_sink_write(sink, head, sizeof(head));
    tp_sink_write(sink, data, size);
    tp_sink_write(sink, tail, sizeof(tail));
}
