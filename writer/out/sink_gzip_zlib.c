// SPDX-License-Identifier: BSD-3-Clause
// gzip by zlib.
#include "out/sink.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LEVEL = 1,
    GZIP_WINDOW = 15 + 16, // the largest window, with a gzip header
    OUTPUT_BYTES = 64 * 1024,
};

typedef struct gzip_sink {
    tp_sink sink;
    tp_sink *below;
    z_stream stream;
    gz_header header;
    char *file_name;
    unsigned char output[OUTPUT_BYTES];
} gzip_sink;

const char *tp_gzip_library(void)
{
    return "zlib";
}

// Feeds what stands in the stream's input; with Z_FINISH also the end.
static tprof_status deflate_all(gzip_sink *gzip, int flush)
{
    do {
        gzip->stream.next_out = gzip->output;
        gzip->stream.avail_out = OUTPUT_BYTES;
        if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
            return TPROF_ERR_IO;
        tp_sink_write(gzip->below, gzip->output, OUTPUT_BYTES - gzip->stream.avail_out);
        gzip->sink.error = gzip->below->error;
        if (gzip->below->status != TPROF_OK)
            return gzip->below->status;
    } while (gzip->stream.avail_out == 0);
    return TPROF_OK;
}

static tprof_status gzip_write(tp_sink *sink, const void *data, size_t size)
{
    gzip_sink *gzip = (gzip_sink *)sink;
    const unsigned char *at = data;

    while (size > 0) {
        const uInt part = size > (1u << 30) ? 1u << 30 : (uInt)size;
        // zlib's interface lacks a const; it does not write there.
        gzip->stream.next_in = (unsigned char *)(uintptr_t)at;
        gzip->stream.avail_in = part;
        const tprof_status status = deflate_all(gzip, Z_NO_FLUSH);
        if (status != TPROF_OK)
            return status;
        at += part;
        size -= part;
    }
    return TPROF_OK;
}

static tprof_status gzip_finish(tp_sink *sink)
{
    gzip_sink *gzip = (gzip_sink *)sink;

    const tprof_status status = deflate_all(gzip, Z_FINISH);
    if (status != TPROF_OK)
        return status;
    tp_sink *below = gzip->below;
    gzip->below = NULL;
    return tp_sink_close(below, &sink->error);
}

static void gzip_release(tp_sink *sink)
{
    gzip_sink *gzip = (gzip_sink *)sink;
    deflateEnd(&gzip->stream);
    tp_sink_abandon(gzip->below);
    free(gzip->file_name);
    free(gzip);
}

tprof_status tp_sink_gzip_open(tp_sink *below, const char *file_name, tp_sink **out)
{
    gzip_sink *gzip = calloc(1, sizeof(*gzip));
    *out = NULL;
    if (!gzip) {
        tp_sink_abandon(below);
        return TPROF_ERR_MEMORY;
    }
    gzip->sink.write = gzip_write;
    gzip->sink.finish = gzip_finish;
    gzip->sink.release = gzip_release;
    gzip->below = below;
    if (file_name)
        gzip->file_name = strdup(file_name);
    if ((file_name && !gzip->file_name) ||
        deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) !=
            Z_OK) {
        gzip_release(&gzip->sink);
        return TPROF_ERR_MEMORY;
    }
    // No time of day, so that the same trace gives the same bytes.
    gzip->header.os = 3;
    gzip->header.name = (Bytef *)gzip->file_name;
    deflateSetHeader(&gzip->stream, &gzip->header);
    *out = &gzip->sink;
    return TPROF_OK;
}
