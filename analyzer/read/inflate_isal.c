// SPDX-License-Identifier: BSD-3-Clause
// Inflates with ISA-L's igzip: the fast engine.
#include "read/inflate.h"

#include <isa-l.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct inflater {
    struct inflate_state state;
    bool broken;
};

const char inflate_engine[] = "isal";

inflater *inflater_create(void)
{
    // Zeroed: damaged tables make the engine read entries that it never wrote.
    inflater *z = calloc(1, sizeof(*z));
    if (!z)
        return NULL;
    isal_inflate_init(&z->state);
    return z;
}

void inflater_destroy(inflater *z)
{
    free(z);
}

void inflater_reset(inflater *z)
{
    isal_inflate_reset(&z->state);
    z->broken = false;
}

static int run(struct inflate_state *s, inflate_io *io)
{
    const uint32_t in_left = io->in_left < UINT_MAX ? (uint32_t)io->in_left : UINT_MAX;
    const uint32_t out_left = io->out_left < UINT_MAX ? (uint32_t)io->out_left : UINT_MAX;

    s->next_in = (uint8_t *)(uintptr_t)io->in;
    s->avail_in = in_left;
    s->next_out = io->out;
    s->avail_out = out_left;
    const int result = isal_inflate(s);

    io->in = s->next_in;
    io->in_left -= in_left - s->avail_in;
    io->out = s->next_out;
    io->out_left -= out_left - s->avail_out;
    return result;
}

// The engine decodes ahead of a small room. What it had when it met the damage is still readable.
static inflate_status drain(struct inflate_state *s, inflate_io *io)
{
    const size_t held = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
    const size_t size = held < io->out_left ? held : io->out_left;

    memcpy(io->out, s->tmp_out_buffer + s->tmp_out_processed, size);
    s->tmp_out_processed += (int32_t)size;
    io->out += size;
    io->out_left -= size;
    return size < held ? INFLATE_GOING : INFLATE_BROKEN;
}

inflate_status inflater_run(inflater *z, inflate_io *io)
{
    struct inflate_state *s = &z->state;

    if (!z->broken)
        z->broken = run(s, io) < 0;
    if (z->broken)
        return drain(s, io);
    if (s->block_state != ISAL_BLOCK_FINISH)
        return INFLATE_GOING;

    // Whole bytes that the engine had read ahead belong to whatever comes behind.
    const size_t back = s->read_in_length > 0 ? (size_t)s->read_in_length / 8 : 0;
    io->in -= back;
    io->in_left += back;
    return INFLATE_DONE;
}

uint32_t inflate_crc(uint32_t crc, const void *bytes, size_t length)
{
    return crc32_gzip_refl(crc, bytes, length);
}
