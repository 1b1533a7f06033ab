// SPDX-License-Identifier: BSD-3-Clause
// Gzip members, one behind the other, as one stream of bytes. Broken ones give what is readable.
#ifndef READ_GUNZIP_H
#define READ_GUNZIP_H

#include "read/inflate.h"
#include "read/record.h"
#include "read/stored.h"

// What was found on the way. Codes and texts are literals.
typedef struct input_note {
    const char *code, *what;
    note_severity severity;
    uint64_t offset; // in the inflated bytes
} input_note;

enum { INPUT_NOTES_MAX = 16 };

typedef struct input_notes {
    input_note items[INPUT_NOTES_MAX];
    uint32_t count;
} input_notes;

typedef struct gunzip {
    stored *from;
    inflater *engine;
    uint32_t ratio_max;
    uint32_t crc;         // of the member so far
    uint64_t member_size; // inflated bytes of the member so far
    uint64_t inflated;    // of all members so far
    bool in_member, over, full;
} gunzip;

// True if the bytes at hand begin a gzip member.
bool gunzip_sniff(const stored *from);

// Begins at a member. False where memory is out.
bool gunzip_open(gunzip *g, stored *from, uint32_t ratio_max);
void gunzip_close(gunzip *g);

// Inflates up to `room` bytes. Less than `room` means that `notes` is full, or, when g->over, that
// there is no more.
size_t gunzip_read(gunzip *g, uint8_t *to, size_t room, input_notes *notes);

#endif
