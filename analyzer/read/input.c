// SPDX-License-Identifier: BSD-3-Clause
// Opens a path or standard input, and hands out its inflated bytes, window after window.
#include "read/input.h"

#include "base/arena.h"
#include "read/ring.h"

#include <string.h>

_Static_assert((int)RING_BEHIND_BYTES == (int)INPUT_PADDING, "a slot has room for the padding");

enum { RATIO_DEFAULT = 2000 };

struct input {
    arena *arena;
    const char *path;
    stored stored;
    gunzip gunzip;
    bool gzip;
    ring *ring;
    ring_slot *slot; // taken and not released; NULL before the first
    size_t slot_bytes;
    input_window window;
    char *spill; // for windows that are larger than a slot
    size_t spill_capacity;
};

static void fill_plain(void *self, ring_slot *slot)
{
    input *in = self;
    slot->size = stored_read(&in->stored, slot->bytes, in->slot_bytes);
    slot->last = slot->size < in->slot_bytes;
}

static void fill_gzip(void *self, ring_slot *slot)
{
    input *in = self;
    slot->size = gunzip_read(&in->gunzip, (uint8_t *)slot->bytes, in->slot_bytes, &slot->notes);
    slot->last = in->gunzip.over;
}

static input *create(const char *path, const read_limits *limits, bool background)
{
    arena *a = arena_create();
    input *in = arena_new(a, input, 1);
    const uint32_t window = limits ? limits->window_bytes : 0;
    const uint32_t most = background ? RING_SLOT_BYTES : RING_ALONE_BYTES;

    in->arena = a;
    in->path = path;
    in->stored.fd = -1;
    in->slot_bytes = window && window < most ? window : most;
    return in;
}

err_code input_open(const char *path, const read_limits *limits, bool background, input **opened,
                    error *err)
{
    const uint32_t ratio = limits && limits->inflate_ratio ? limits->inflate_ratio : RATIO_DEFAULT;
    input *in = create(path, limits, background);

    *opened = NULL;
    err->path = path;
    err_code failed = stored_open(&in->stored, in->arena, path, err);
    in->gzip = !failed && gunzip_sniff(&in->stored);
    if (in->gzip && !gunzip_open(&in->gunzip, &in->stored, ratio))
        failed = error_at(err, ERR_IO, ERROR_NO_OFFSET, "no memory to inflate");
    if (failed) {
        input_close(in);
        return failed;
    }
    in->ring =
        ring_open(in->arena, in->slot_bytes, in->gzip ? fill_gzip : fill_plain, in, background);
    *opened = in;
    return ERR_NONE;
}

err_code input_open_part(const char *path, const input_part *part, const read_limits *limits,
                         input **opened, error *err)
{
    input *in = create(path, limits, false);

    *opened = NULL;
    err->path = path;
    err_code failed = stored_open(&in->stored, in->arena, path, err);
    if (!failed && (gunzip_sniff(&in->stored) || !stored_range(&in->stored, part->from, part->to)))
        failed = error_at(err, ERR_USAGE, ERROR_NO_OFFSET, "cannot be read in parts");
    if (failed) {
        input_close(in);
        return failed;
    }
    in->window.offset = part->from;
    in->ring = ring_open(in->arena, in->slot_bytes, fill_plain, in, false);
    *opened = in;
    return ERR_NONE;
}

void input_close(input *in)
{
    if (!in)
        return;
    ring_close(in->ring);
    gunzip_close(&in->gunzip);
    stored_close(&in->stored);
    arena_destroy(in->arena);
}

const char *input_path(const input *in)
{
    return in->path;
}

uint64_t input_stored_bytes(const input *in)
{
    return atomic_load_explicit(&in->stored.taken, memory_order_relaxed);
}

uint64_t input_stored_size(const input *in)
{
    return in->stored.size;
}

uint64_t input_inflated_bytes(const input *in)
{
    return in->window.offset + (uint64_t)(in->window.end - in->window.begin);
}

bool input_is_gzip(const input *in)
{
    return in->gzip;
}

static void reserve_spill(input *in, size_t wanted)
{
    size_t capacity = in->spill_capacity ? in->spill_capacity : 4 * RING_FRONT_BYTES;

    while (capacity < wanted)
        capacity *= 2;
    if (capacity == in->spill_capacity)
        return;
    in->spill = arena_grow(in->arena, in->spill, 1, in->spill_capacity, capacity);
    in->spill_capacity = capacity;
}

static void pass_notes(const input_notes *notes, const record_visitor *visitor)
{
    for (uint32_t i = 0; visitor && visitor->note && i < notes->count; i++)
        visitor->note(visitor->self, notes->items[i].code, notes->items[i].severity,
                      notes->items[i].offset, notes->items[i].what);
}

// Takes the next slot that holds bytes. The window's bytes must not stand in the one before by
// then.
static void take_slot(input *in, const record_visitor *visitor)
{
    do {
        if (in->slot)
            ring_release(in->ring);
        in->slot = ring_take(in->ring);
        pass_notes(&in->slot->notes, visitor);
    } while (in->slot->size == 0 && !in->slot->last);
    in->window.last = in->slot->last;
}

// A short rest moves in front of the next slot's bytes.
static void carry(input *in, const char *keep, size_t kept, const record_visitor *visitor)
{
    char rest[RING_FRONT_BYTES];

    if (kept)
        memcpy(rest, keep, kept);
    take_slot(in, visitor);
    char *begin = in->slot->bytes - kept;
    memcpy(begin, rest, kept);
    in->window.begin = begin;
    in->window.end = in->slot->bytes + in->slot->size;
}

// A long rest and as much again, at least, go into one buffer; so the work of scanning a rest again
// stays linear in its length.
static void spill(input *in, const char *keep, size_t kept, const record_visitor *visitor)
{
    const bool inside = keep >= in->spill && in->spill && keep <= in->spill + in->spill_capacity;
    const size_t at = inside ? (size_t)(keep - in->spill) : 0;

    reserve_spill(in, 2 * kept + in->slot_bytes + INPUT_PADDING);
    memmove(in->spill, inside ? in->spill + at : keep, kept);
    size_t size = kept;
    while (!in->window.last && size < 2 * kept) {
        take_slot(in, visitor);
        memcpy(in->spill + size, in->slot->bytes, in->slot->size);
        size += in->slot->size;
    }
    in->window.begin = in->spill;
    in->window.end = in->spill + size;
}

err_code input_more(input *in, const char *keep, const record_visitor *visitor, input_window *w,
                    error *err)
{
    const size_t kept = keep ? (size_t)(in->window.end - keep) : 0;

    in->window.offset += (uint64_t)(in->window.end - in->window.begin) - kept;
    if (in->window.last)
        in->window.begin = in->window.end - kept;
    else if (kept <= RING_FRONT_BYTES)
        carry(in, keep, kept, visitor);
    else
        spill(in, keep, kept, visitor);
    memset((char *)(uintptr_t)in->window.end, 0xff, INPUT_PADDING);
    *w = in->window;
    if (in->window.last && in->stored.error)
        return error_at(err, ERR_IO, (int64_t)input_inflated_bytes(in), "cannot read: %s",
                        strerror(in->stored.error));
    return ERR_NONE;
}

bool input_has_thread(const input *in)
{
    return ring_has_thread(in->ring);
}

void input_prepare(input *in, void (*call)(void *self, struct ring_slot *slot), void *self,
                   bool always)
{
    ring_prepare(in->ring, call, self, always);
}

const struct ring_slot *input_slot(const input *in)
{
    return in->slot && in->window.end == in->slot->bytes + in->slot->size ? in->slot : NULL;
}

size_t input_slot_bytes(const input *in)
{
    return in->slot_bytes;
}

void input_drain(input *in)
{
    const record_visitor nobody = {0};
    input_window w;
    error err = {0};

    while (input_more(in, NULL, &nobody, &w, &err) == ERR_NONE && !w.last)
        continue;
}
