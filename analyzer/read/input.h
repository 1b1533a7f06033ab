// SPDX-License-Identifier: BSD-3-Clause
// Opens a path or standard input, recognises gzip by content, and hands out inflated bytes, window
// after window, with their offset.
#ifndef READ_INPUT_H
#define READ_INPUT_H

#include "base/error.h"
#include "read/record.h"

typedef struct input input;
struct ring_slot;

// Opens `path` ("-" is standard input). With `background` an inflating thread works ahead of the
// caller. On failure *in is NULL. Release with input_close(). `path` is borrowed and must outlive
// the input; errors carry it.
err_code input_open(const char *path, const read_limits *limits, bool background, input **in,
                    error *err);
void input_close(input *in); // NULL is allowed

// Bytes [from, to) of a plain file.
typedef struct input_part {
    uint64_t from, to;
} input_part;

// The same for a part of a plain file, without a thread. Offsets count in the whole file. Fails
// with ERR_USAGE where the file is compressed, is no regular file, or ends before `from`.
err_code input_open_part(const char *path, const input_part *part, const read_limits *limits,
                         input **in, error *err);

const char *input_path(const input *in);

// For a progress bar, from any thread: bytes of the file read so far, and its size, or 0 where that
// is not known.
uint64_t input_stored_bytes(const input *in);
uint64_t input_stored_size(const input *in);

// Inflated bytes handed out so far. The reader's thread.
uint64_t input_inflated_bytes(const input *in);

// Reads to the end and past all that is found there: where a reader stopped depends on how it
// reads, and sizes that are told are to be the file's.
void input_drain(input *in);

bool input_is_gzip(const input *in);

// The bytes at hand: [begin, end), and INPUT_PADDING readable bytes behind them, each 0xff, which
// never occurs in UTF-8.
typedef struct input_window {
    const char *begin, *end;
    uint64_t offset; // of `begin` in the inflated bytes
    bool last;       // nothing comes behind `end`
} input_window;

enum { INPUT_PADDING = 128 };

// Moves the window on: it then begins with the byte that `keep` pointed to (inside the window, or
// its end; NULL keeps nothing) and goes further than before, unless it was the last one. Kept bytes
// move, so pointers into the old window are void. What was found on the way goes to visitor->note.
// Fails with ERR_IO where the file cannot be read further; the window then is the last one.
err_code input_more(input *in, const char *keep, const record_visitor *visitor, input_window *w,
                    error *err);

// Is there an inflating thread?
bool input_has_thread(const input *in);

// Has an inflating thread do more than that, see ring_prepare().
void input_prepare(input *in, void (*call)(void *self, struct ring_slot *slot), void *self,
                   bool always);

// The slot that the window ends with, or NULL where its bytes were copied elsewhere.
const struct ring_slot *input_slot(const input *in);

// How many bytes a slot holds at most.
size_t input_slot_bytes(const input *in);

#endif
