// SPDX-License-Identifier: BSD-3-Clause
// Raw deflate data -> bytes, and gzip's checksum. The build takes one engine: inflate_isal.c where
// ISA-L is found, else inflate_zlib.c.
#ifndef READ_INFLATE_H
#define READ_INFLATE_H

#include <stddef.h>
#include <stdint.h>

typedef struct inflater inflater;

typedef enum inflate_status {
    INFLATE_GOING,  // the input is used up or the room is full
    INFLATE_DONE,   // the end of the deflate data; `in` stands on the byte behind it
    INFLATE_BROKEN, // not deflate data from here on
} inflate_status;

// Where to read and write next. The last INFLATE_BACK bytes before `in` must stay readable: an
// engine that reads ahead steps back over them at the end of its data.
typedef struct inflate_io {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
} inflate_io;

enum { INFLATE_BACK = 8 };

extern const char inflate_engine[]; // "isal" or "zlib"

// NULL where memory is out. One thread at a time.
inflater *inflater_create(void);
void inflater_destroy(inflater *z); // NULL is allowed
void inflater_reset(inflater *z);   // ready for the next deflate data

inflate_status inflater_run(inflater *z, inflate_io *io);

// The CRC-32 of what `crc` covers and `bytes` behind it; starts from 0.
uint32_t inflate_crc(uint32_t crc, const void *bytes, size_t length);

#endif
