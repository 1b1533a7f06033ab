// SPDX-License-Identifier: BSD-3-Clause
// A log a thread, in chunks: lock-free append, drain, drop count.
#ifndef WRITER_RECORDER_H
#define WRITER_RECORDER_H

#include "chunk_pool.h"
#include "clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TP_SLOTS_MAX = 256 }; // of one event with its details

// A range that is open and of which more is known than its name and beginning.
typedef struct tp_open {
    const char *name;
    uint64_t begin;
    const tprof_op *op; // of operators
    int64_t module;     // of modules
    uint32_t id;
    uint32_t parent; // of modules and functions
    uint32_t serial; // tells it from others that have or had its place
    uint8_t kind;
    bool linked; // its id was pushed to the GPU source
} tp_open;

// A thread's log. A log whose thread has ended is taken over by the next thread that begins, which
// first writes a slot of kind TP_THREAD: so memory grows with the threads that live at one time.
typedef struct tp_log {
    tp_chunk *tail;            // NULL before the first event
    uint32_t used;             // slots of the tail
    uint32_t next_id, last_id; // numbers in stock for this thread
    int64_t tid;
    const char *thread_name;
    uint32_t function;           // id of the innermost open module or function, 0: none
    tp_open *open;               // a stack, innermost last
    _Atomic uint32_t open_count; // only the owner changes it
    uint32_t open_capacity;
    _Atomic uint32_t attached;
    _Atomic uint64_t dropped, cut;
    _Atomic int32_t open_elsewhere; // changes to how many are open on no log's stack
    // The reader's side, guarded by the recorder's lock.
    _Atomic(tp_chunk *) head; // set by the owner once
    uint32_t taken;           // slots of the head
    struct tp_log *next;      // in the list of all logs
} tp_log;

// One run of slots that a drain took: in order, parts of one log follow each other.
typedef struct tp_part {
    tp_chunk *chunk;
    uint32_t from, to;
    uint32_t thread; // of the first slot, unless that says so itself; found by the capture
    struct tp_part *next;
} tp_part;

// Sets aside memory for events, at most `limit` bytes, and disk for what a long window has beyond
// half of that, at most `spill_bytes`. Any number of calls; the last limit counts.
tprof_status tp_recorder_open(size_t limit, size_t spill_bytes);

// Hands free memory back to the system; what is in captures stays.
void tp_recorder_close(void);

// Forgets all that was recorded so far. Returns how many slots were given up.
uint64_t tp_recorder_discard(void);

// Around fork(): nobody drains meanwhile, and the child's logs begin empty.
void tp_recorder_before_fork(void);
void tp_recorder_in_parent(void);
void tp_recorder_in_child(void);

// Takes all that was recorded since the last take or discard. *slots counts them. Events that
// could not be kept for lack of memory are counted as dropped.
tp_part *tp_recorder_take(uint64_t *slots);
void tp_parts_release(tp_part *parts);

// Events lost since the process began.
uint64_t tp_recorder_dropped(void);

// Ranges that ended without being in a window, since the process began; and those that are open
// now.
uint64_t tp_recorder_cut(void);
uint64_t tp_recorder_open_ranges(void);

// `count` numbers that no one else has; returns the first.
uint32_t tp_ids_take(uint32_t count);

// This thread's log, or NULL; and the call that makes one.
extern _Thread_local tp_log *tp_log_self __attribute__((tls_model("initial-exec")));
tp_log *tp_log_attach(void);

static inline tp_log *tp_log_own(void)
{
    return tp_log_self ? tp_log_self : tp_log_attach();
}

// The name under which the calling thread's later events go; interned.
void tp_log_thread_name(const char *name);

// The rest of tp_log_reserve(): attaches, grows, or counts a drop and returns NULL.
tp_event *tp_log_reserve_slow(tp_log *log, uint32_t slots);

// Counts an event that could not be kept. NULL is a thread without a log.
void tp_log_drop(tp_log *log);

// The same for ranges that no window gets.
void tp_log_cut(tp_log *log, uint32_t ranges);

// More (or, below 0, fewer) ranges are open that no log's stack has. One may end on another thread
// than it began on. NULL is a thread without a log.
void tp_log_opens(tp_log *log, int32_t change);

// Room for `slots` (at most TP_SLOTS_MAX) slots in a row. NULL: dropped and counted. Nobody sees
// them before tp_log_publish().
static inline tp_event *tp_log_reserve(tp_log *log, uint32_t slots)
{
    if (__builtin_expect(!log || log->used + slots > TP_CHUNK_SLOTS, 0))
        return tp_log_reserve_slow(log, slots);
    return log->tail->slots + log->used;
}

static inline void tp_log_publish(tp_log *log, uint32_t slots)
{
    log->used += slots;
    atomic_store_explicit(&log->tail->count, log->used, memory_order_release);
}

// Appends an event to this thread's log: alone, or with a detail of one slot.
void tp_log_append(const tp_event *event);
void tp_log_append_detail(const tp_event *event, const void *detail);

// A number for an event of this thread.
static inline uint32_t tp_log_next_id(tp_log *log)
{
    enum { STOCK = 1024 };
    if (__builtin_expect(log->next_id == log->last_id, 0)) {
        log->next_id = tp_ids_take(STOCK);
        log->last_id = log->next_id + STOCK;
    }
    return log->next_id++;
}

#endif
