// SPDX-License-Identifier: BSD-3-Clause
// The pool of buffers that CUPTI fills with records, and the queue of full ones.
#ifndef GPU_BUFFERS_H
#define GPU_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tp_buffer tp_buffer;
struct tp_buffer {
    tp_buffer *next;
    size_t size;  // bytes at `data`
    size_t valid; // filled with records
    bool spare;   // handed out beyond the limit; its records are only counted
    bool cut;     // a copy of what was filled of a buffer, no longer than that
    _Alignas(8) uint8_t data[];
};

// Calls from any thread; the lock is never held while anything else is called. Plain fields.
typedef struct tp_buffers {
    pthread_mutex_t lock;
    tp_buffer *free, *full, **full_end;
    size_t buffer_bytes;
    size_t held, limit; // bytes: of all buffers but spares, and the most there may be
    uint32_t out;       // handed out and not back yet, spares too
    uint64_t refused;   // requests beyond the limit
} tp_buffers;

// Buffers of `buffer_bytes` each, and at most `limit` bytes in all.
void tp_buffers_init(tp_buffers *pool, size_t buffer_bytes, size_t limit);

// A buffer to fill; NULL beyond the limit or for lack of memory. With `always`, a small spare one
// instead, for libraries that take no NULL.
tp_buffer *tp_buffers_request(tp_buffers *pool, bool always);

// The buffer whose `data` a callback gave back, filled with `valid` bytes; goes to the queue. Of
// one that came back far from full only that part is kept: flushes by period bring many of those.
void tp_buffers_complete(tp_buffers *pool, uint8_t *data, size_t valid);

// All full buffers in the order in which they came back; the caller's until they are recycled.
tp_buffer *tp_buffers_take(tp_buffers *pool);

// Gives back a list of buffers for reuse. NULL is allowed.
void tp_buffers_recycle(tp_buffers *pool, tp_buffer *list);

// Requests refused since the last call.
uint64_t tp_buffers_refused(tp_buffers *pool);

// Frees all buffers but those that are out. The pool can be used again.
void tp_buffers_free(tp_buffers *pool);

#endif
