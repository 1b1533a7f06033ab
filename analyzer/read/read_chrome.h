// SPDX-License-Identifier: BSD-3-Clause
// A Chrome-format trace (Kineto's dialects): bytes -> records.
#ifndef READ_READ_CHROME_H
#define READ_READ_CHROME_H

#include "read/input.h"
#include "read/record.h"

// Reads `in` to its end and feeds `visitor`. What was bent to be read, or lost, is noted; a cut-off
// file gives what is complete and the note "truncated", with the byte where the text ends. Fails
// with ERR_EMPTY, ERR_GZIP, ERR_JSON or ERR_NOT_TRACE where there was no event beside metadata
// records (which the visitor has got by then), with ERR_IO where reading failed; `err->path` is the
// input's. `limits` may be NULL.
err_code read_chrome(input *in, const read_limits *limits, const record_visitor *visitor,
                     error *err);

// A part of a plain file, so that two threads can read one half each.
typedef struct chrome_part {
    bool inside;     // it begins with an event, behind others
    bool array_root; // where inside: the root of the file is the array of events
    bool joined;     // set by reading: it ended before an event
    // Set by reading: so much was read again behind errors that it may matter how much was before.
    bool strained;
} chrome_part;

// Finds the place of an event not far behind `near`, to cut the file there. Whether it really is
// one shows when the first half has been read: `joined`. If not, both halves are void, and the file
// is to be read whole; so if one is `strained`. False where there is none, or the file cannot be
// read in parts.
bool chrome_find_cut(const char *path, uint64_t near, uint64_t *cut, bool *array_root);

// read_chrome() for an input of input_open_part(). Having no event is an error only for a part that
// did not join. What the parts' visitors get, one behind the other, is what read_chrome() gives.
err_code read_chrome_part(input *in, chrome_part *part, const read_limits *limits,
                          const record_visitor *visitor, error *err);

#endif
