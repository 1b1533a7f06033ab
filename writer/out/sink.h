// SPDX-License-Identifier: BSD-3-Clause
// Where bytes go. The first failure sticks: writers do not check, the one check is at close.
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include "tprof/tprof.h"

#include <stddef.h>
#include <stdint.h>

// A sink is used by one thread at a time.
typedef struct tp_sink tp_sink;
struct tp_sink {
    tprof_status status; // TPROF_OK, or the first failure
    int error;           // errno of that failure, 0 where it has none
    uint64_t bytes;      // accepted so far
    tprof_status (*write)(tp_sink *sink, const void *data, size_t size);
    tprof_status (*finish)(tp_sink *sink); // only called while status is TPROF_OK
    void (*release)(tp_sink *sink);        // undoes what was not finished, and frees
};

static inline void tp_sink_write(tp_sink *sink, const void *data, size_t size)
{
    if (sink->status != TPROF_OK)
        return;
    sink->status = sink->write(sink, data, size);
    sink->bytes += size;
}

// Makes all that was written permanent, or undoes it where anything failed. Releases the sink in
// either case. `error`, where not NULL, gets the errno of the failure or 0. NULL is
// TPROF_ERR_MEMORY, so that a sink that could not be made needs no check of its own.
tprof_status tp_sink_close(tp_sink *sink, int *error);

// Undoes what was written, as far as the sink can, and releases it. NULL is allowed.
void tp_sink_abandon(tp_sink *sink);

typedef enum tp_file_mode {
    TP_FILE_NEW,     // never replaces: close fails with TPROF_ERR_EXISTS
    TP_FILE_REPLACE, // takes the place of a file of that name
} tp_file_mode;

// A file that has a temporary name beside `path` until it is complete and flushed to the disk. On
// failure *out is NULL, and `error`, where not NULL, gets errno.
tprof_status tp_sink_file_open(const char *path, tp_file_mode mode, tp_sink **out, int *error);

// The descriptor `fd`, which stays the caller's, such as standard output.
tprof_status tp_sink_fd_open(int fd, tp_sink **out);

// One gzip member written into `below`, which it owns from now on, also where it fails. `file_name`
// is noted in the header, or NULL.
tprof_status tp_sink_gzip_open(tp_sink *below, const char *file_name, tp_sink **out);

// A new file at `path`, as one gzip member where `name`, under which people get to see it, ends in
// .gz. Fails as tp_sink_file_open() does, or with TPROF_ERR_MEMORY.
tprof_status tp_sink_named_open(const char *path, const char *name, tp_sink **out, int *error);

// Memory of at most `limit` bytes; 0 means no limit.
tprof_status tp_sink_memory_open(size_t limit, tp_sink **out);

// What was written so far, NUL-terminated; the sink's, valid until the next write.
const char *tp_sink_memory_data(const tp_sink *sink, size_t *size);

// "isa-l" or "zlib": what compresses.
const char *tp_gzip_library(void);

#endif
