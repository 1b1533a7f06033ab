// SPDX-License-Identifier: BSD-3-Clause
// Gzip members, one behind the other, as one stream of bytes.
#include "read/gunzip.h"

enum {
    FLAG_HEADER_CRC = 2,
    FLAG_EXTRA = 4,
    FLAG_NAME = 8,
    FLAG_COMMENT = 16,
    FLAGS_RESERVED = 0xe0,
    METHOD_DEFLATE = 8,
    RATIO_FROM_BYTES = 64 * 1024 * 1024, // small files may be as repetitive as they like
};

bool gunzip_sniff(const stored *from)
{
    return from->left >= 2 && from->at[0] == 0x1f && from->at[1] == 0x8b;
}

bool gunzip_open(gunzip *g, stored *from, uint32_t ratio_max)
{
    *g = (gunzip){.from = from, .ratio_max = ratio_max, .engine = inflater_create()};
    return g->engine != NULL;
}

void gunzip_close(gunzip *g)
{
    inflater_destroy(g->engine);
    g->engine = NULL;
}

static void note(const gunzip *g, input_notes *notes, note_severity severity, const char *code,
                 const char *what)
{
    if (notes->count < INPUT_NOTES_MAX)
        notes->items[notes->count++] = (input_note){code, what, severity, g->inflated};
}

// Says what is wrong and ends the stream.
static void stop(gunzip *g, input_notes *notes, note_severity severity, const char *code,
                 const char *what)
{
    note(g, notes, severity, code, what);
    g->over = true;
}

// The next stored byte, or -1 at the end.
static int take(stored *s)
{
    if (!stored_more(s))
        return -1;
    s->left--;
    return *s->at++;
}

static bool take_number(stored *s, int bytes, uint32_t *number)
{
    *number = 0;
    for (int i = 0; i < bytes; i++) {
        const int byte = take(s);
        if (byte < 0)
            return false;
        *number |= (uint32_t)byte << (8 * i);
    }
    return true;
}

static bool skip(stored *s, uint32_t bytes)
{
    while (bytes--)
        if (take(s) < 0)
            return false;
    return true;
}

static bool skip_text(stored *s)
{
    int byte;
    while ((byte = take(s)) > 0)
        continue;
    return byte == 0;
}

// Behind the two magic bytes. False: the file ends inside the header.
static bool take_header(stored *s, bool *usable)
{
    const int method = take(s), flags = take(s);
    uint32_t extra = 0;

    *usable = method == METHOD_DEFLATE && flags >= 0 && !(flags & FLAGS_RESERVED);
    if (method < 0 || flags < 0)
        return false;
    if (!*usable)
        return true;
    return skip(s, 6) && (!(flags & FLAG_EXTRA) || (take_number(s, 2, &extra) && skip(s, extra))) &&
           (!(flags & FLAG_NAME) || skip_text(s)) && (!(flags & FLAG_COMMENT) || skip_text(s)) &&
           (!(flags & FLAG_HEADER_CRC) || skip(s, 2));
}

// Tape blocks and disk images pad with zeros. True if there were some.
static bool skip_zeros(stored *s)
{
    bool any = false;
    while (stored_more(s) && *s->at == 0) {
        s->at++;
        s->left--;
        any = true;
    }
    return any;
}

static void begin_member(gunzip *g, input_notes *notes)
{
    bool usable = false;

    if (skip_zeros(g->from))
        note(g, notes, NOTE_INFO, "trailing_zeros", "zero bytes behind the gzip data");
    const int first = take(g->from);
    if (first < 0) {
        g->over = true;
        return;
    }
    const int second = take(g->from);
    if (first != 0x1f || (second >= 0 && second != 0x8b)) {
        stop(g, notes, NOTE_WARNING, "trailing_garbage", "bytes behind the gzip data ignored");
        return;
    }
    if (!take_header(g->from, &usable)) {
        stop(g, notes, NOTE_ERROR, "truncated", "the gzip data ends inside a header");
        return;
    }
    if (!usable) {
        stop(g, notes, NOTE_ERROR, "broken_gzip", "not a usable gzip header");
        return;
    }
    inflater_reset(g->engine);
    g->in_member = true;
    g->crc = 0;
    g->member_size = 0;
}

static void end_member(gunzip *g, input_notes *notes)
{
    uint32_t crc, size;

    g->in_member = false;
    if (!take_number(g->from, 4, &crc) || !take_number(g->from, 4, &size))
        stop(g, notes, NOTE_WARNING, "truncated", "the gzip data ends inside its checksum");
    else if (crc != g->crc || size != (uint32_t)g->member_size)
        note(g, notes, NOTE_ERROR, "checksum_mismatch",
             "the gzip checksum differs: the data is damaged");
}

// Inflates of the member what is at hand. Returns the number of bytes.
static size_t run(gunzip *g, uint8_t *to, size_t room, input_notes *notes)
{
    // A call that filled its room may have left output inside the engine.
    if (!stored_more(g->from) && !g->full) {
        stop(g, notes, NOTE_ERROR, "truncated", "the gzip data ends early");
        return 0;
    }
    inflate_io io = {g->from->at, g->from->left, to, room};
    const inflate_status status = inflater_run(g->engine, &io);
    const size_t got = room - io.out_left;

    g->full = io.out_left == 0;
    g->from->at = io.in;
    g->from->left = io.in_left;
    g->crc = inflate_crc(g->crc, to, got);
    g->member_size += got;
    g->inflated += got;
    if (status == INFLATE_DONE)
        end_member(g, notes);
    else if (status == INFLATE_BROKEN)
        stop(g, notes, NOTE_ERROR, "broken_gzip", "the compressed data is damaged from here on");
    return got;
}

static bool bomb(const gunzip *g)
{
    const uint64_t taken = atomic_load_explicit(&g->from->taken, memory_order_relaxed);
    return g->inflated > RATIO_FROM_BYTES && g->inflated / g->ratio_max > taken;
}

size_t gunzip_read(gunzip *g, uint8_t *to, size_t room, input_notes *notes)
{
    size_t got = 0;

    // A step makes two notes at most.
    while (!g->over && got < room && notes->count + 2 <= INPUT_NOTES_MAX) {
        if (!g->in_member)
            begin_member(g, notes);
        else
            got += run(g, to + got, room - got, notes);
        if (!g->over && bomb(g))
            stop(g, notes, NOTE_ERROR, "inflate_limit",
                 "inflates beyond the allowed ratio (see --max-inflate)");
    }
    return got;
}
