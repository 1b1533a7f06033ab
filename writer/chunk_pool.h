// SPDX-License-Identifier: BSD-3-Clause
// Memory for events: chunks of one size, bounded in number, touched before they are needed and used
// again and again. Taking and giving back is lock-free, from any thread.
#ifndef WRITER_CHUNK_POOL_H
#define WRITER_CHUNK_POOL_H

#include "event.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TP_CHUNK_BYTES = 64 * 1024,
    TP_CHUNK_SLOTS = TP_CHUNK_BYTES / sizeof(tp_event) - 2,
};

#define TP_POOL_LIMIT ((size_t)16 << 30) // bytes, the highest bound; beyond an enum's range

// A piece of a log. Written by the thread that owns the log; slots before `count` never change.
typedef struct tp_chunk {
    _Atomic uint32_t count;
    _Atomic uint32_t owners; // the log, and parts of captures
    _Atomic(struct tp_chunk *) next;
    _Atomic uint32_t next_free; // 1 + index of the next free chunk
    uint32_t index;
    int64_t tid; // the thread of slot 0
    const char *thread_name;
    uint64_t reserved[3];
    tp_event slots[TP_CHUNK_SLOTS];
} tp_chunk;

_Static_assert(sizeof(tp_chunk) == TP_CHUNK_BYTES, "a chunk fills its place");

// Sets aside at most `limit` bytes, TP_POOL_LIMIT where it is higher, and a thread that touches
// memory ahead of its use. Where more than half of it is in use that thread calls `relieve`, which
// gives chunks back if it can and returns whether it did. Any number of calls by one thread at a
// time, with the same `relieve`; the last limit counts.
tprof_status tp_pool_open(size_t limit, bool (*relieve)(void));

// Ends that thread and hands free memory back to the system.
void tp_pool_close(void);

// NULL where the bound is reached. The chunk has one owner, no slots and no next chunk.
tp_chunk *tp_pool_take(void);

// One owner less; the last one gives the chunk back.
void tp_chunk_release(tp_chunk *chunk);

// Bytes in use, and the most there were.
void tp_pool_usage(uint64_t *held, uint64_t *peak);

// In the child of a fork: all chunks are free, and there is no thread.
void tp_pool_after_fork(void);

#endif
