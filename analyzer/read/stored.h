// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file or of standard input as they are stored, through one buffer.
#ifndef READ_STORED_H
#define READ_STORED_H

#include "base/arena.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One thread reads; `taken` and `size` may be read by any.
typedef struct stored {
    int fd;
    int error; // errno of the read that failed, or 0; the bytes end there
    bool over; // the file has no more than what is buffered
    uint8_t *buffer;
    const uint8_t *at; // INFLATE_BACK bytes before it are readable
    size_t left;
    uint64_t to;            // bytes from here on are not read
    uint64_t size;          // of the file; 0 where it is not known
    _Atomic uint64_t taken; // bytes read from the file so far
} stored;

// Opens `path` ("-" is standard input) and buffers its beginning. The buffer is the arena's.
err_code stored_open(stored *s, arena *a, const char *path, error *err);
void stored_close(stored *s);

// Restricts a regular file to its bytes [from, to), or what there is of them. False where it cannot
// be done, or there are none.
bool stored_range(stored *s, uint64_t from, uint64_t to);

// True if at least one byte is buffered, after reading more if need be.
bool stored_more(stored *s);

// Reads up to `room` bytes: what is buffered, then straight from the file. Less only at the end.
size_t stored_read(stored *s, void *to, size_t room);

#endif
