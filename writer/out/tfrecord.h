// SPDX-License-Identifier: BSD-3-Clause
// TFRecord framing: length, payload, and a masked CRC-32C of each.
#ifndef OUT_TFRECORD_H
#define OUT_TFRECORD_H

#include "out/sink.h"

#include <stddef.h>
#include <stdint.h>

// CRC-32C (Castagnoli), which is not the CRC of zlib.
uint32_t tp_crc32c(const void *data, size_t size);

// The checksum as it stands in a record: rotated and offset, so that a checksum of data which holds
// checksums stays a good one.
uint32_t tp_crc32c_masked(const void *data, size_t size);

// Writes one whole record.
void tp_tfrecord_write(tp_sink *sink, const void *data, size_t size);

#endif
