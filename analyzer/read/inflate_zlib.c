// SPDX-License-Identifier: BSD-3-Clause
// Inflates with zlib: the engine that is everywhere.
#include "read/inflate.h"

#include "read/crc.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { RAW_WINDOW_BITS = -15 };

struct inflater {
    z_stream stream;
};

const char inflate_engine[] = "zlib";

inflater *inflater_create(void)
{
    inflater *z = calloc(1, sizeof(*z));
    if (!z)
        return NULL;
    if (inflateInit2(&z->stream, RAW_WINDOW_BITS) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

void inflater_destroy(inflater *z)
{
    if (!z)
        return;
    inflateEnd(&z->stream);
    free(z);
}

void inflater_reset(inflater *z)
{
    inflateReset2(&z->stream, RAW_WINDOW_BITS);
}

inflate_status inflater_run(inflater *z, inflate_io *io)
{
    const uInt in_left = io->in_left < UINT_MAX ? (uInt)io->in_left : UINT_MAX;
    const uInt out_left = io->out_left < UINT_MAX ? (uInt)io->out_left : UINT_MAX;

    z->stream.next_in = (Bytef *)(uintptr_t)io->in;
    z->stream.avail_in = in_left;
    z->stream.next_out = io->out;
    z->stream.avail_out = out_left;
    const int result = inflate(&z->stream, Z_SYNC_FLUSH);

    io->in = z->stream.next_in;
    io->in_left -= in_left - z->stream.avail_in;
    io->out = z->stream.next_out;
    io->out_left -= out_left - z->stream.avail_out;
    if (result == Z_STREAM_END)
        return INFLATE_DONE;
    return result == Z_OK || result == Z_BUF_ERROR ? INFLATE_GOING : INFLATE_BROKEN;
}

uint32_t inflate_crc(uint32_t crc, const void *bytes, size_t length)
{
    return crc_of(crc, bytes, length);
}
