// SPDX-License-Identifier: BSD-3-Clause
// A log a thread: attach, grow, drain.
#include "recorder.h"

#include "names.h"
#include "spill.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local tp_log *tp_log_self __attribute__((tls_model("initial-exec")));

// The name the program gave this thread, if it did.
static _Thread_local const char *given_name __attribute__((tls_model("initial-exec")));

static _Atomic(tp_log *) logs; // all that ever were; only grows
static _Atomic uint64_t dropped_without_log, cut_without_log;
static _Atomic int32_t open_without_log;
static _Atomic uint32_t ids = 1;

// Taken in this order. The second one is only held for moving pointers.
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t reader_lock = PTHREAD_MUTEX_INITIALIZER;

// What was taken from the logs of the running window already, to be put on disk.
static tp_part *kept, **kept_end = &kept;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static bool has_exit_key;

// A thread ends: its log waits for another one. A destructor that runs later and records attaches
// again; the last such log stays attached to nobody, which costs its tail chunk.
static void thread_exits(void *arg)
{
    tp_log *log = arg;

    tp_log_self = NULL;
    if (tprof_recording())
        tp_log_cut(log, atomic_load_explicit(&log->open_count, memory_order_relaxed));
    atomic_store_explicit(&log->open_count, 0, memory_order_relaxed);
    atomic_store_explicit(&log->attached, 0, memory_order_release);
}

// Nobody is in the middle of a drain.
void tp_recorder_before_fork(void)
{
    pthread_mutex_lock(&kept_lock);
    pthread_mutex_lock(&reader_lock);
}

void tp_recorder_in_parent(void)
{
    pthread_mutex_unlock(&reader_lock);
    pthread_mutex_unlock(&kept_lock);
}

// The other threads are gone: whatever they were doing to their logs, these begin empty.
void tp_recorder_in_child(void)
{
    tp_recorder_in_parent();
    kept = NULL;
    kept_end = &kept;
    tp_log_self = NULL;
    if (has_exit_key)
        pthread_setspecific(exit_key, NULL);
    atomic_store(&open_without_log, 0);
    for (tp_log *log = atomic_load(&logs); log; log = log->next) {
        log->tail = NULL;
        log->used = TP_CHUNK_SLOTS;
        log->taken = 0;
        atomic_store(&log->head, NULL);
        atomic_store(&log->open_count, 0);
        atomic_store(&log->open_elsewhere, 0);
        atomic_store(&log->attached, 0);
    }
    tp_pool_after_fork();
}

static void set_up(void)
{
    has_exit_key = pthread_key_create(&exit_key, thread_exits) == 0;
}

uint32_t tp_ids_take(uint32_t count)
{
    return atomic_fetch_add_explicit(&ids, count, memory_order_relaxed);
}

static const char *current_name(void)
{
    char name[17] = "";

    if (given_name)
        return given_name;
    prctl(PR_GET_NAME, name);
    return tp_name_intern(name, strlen(name));
}

// A log that nobody has, or a new one. NULL on lack of memory.
static tp_log *find_log(void)
{
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next) {
        uint32_t nobody = 0;
        if (atomic_load_explicit(&log->attached, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong_explicit(&log->attached, &nobody, 1,
                                                    memory_order_acquire, memory_order_relaxed))
            return log;
    }

    tp_log *log = calloc(1, sizeof(*log));
    if (!log)
        return NULL;
    atomic_init(&log->attached, 1);
    log->used = TP_CHUNK_SLOTS;
    log->next = atomic_load_explicit(&logs, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&logs, &log->next, log, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    return log;
}

// Writes who writes from here on, where the chunk does not say so.
static void note_thread(tp_log *log)
{
    if (!log->tail)
        return;
    tp_event *event = tp_log_reserve(log, 1);
    if (!event)
        return;
    *event = (tp_event){.begin = (uint64_t)log->tid, .name = log->thread_name, .kind = TP_THREAD};
    tp_log_publish(log, 1);
}

tp_log *tp_log_attach(void)
{
    pthread_once(&once, set_up);
    tp_log *log = find_log();
    if (!log)
        return NULL;

    log->tid = syscall(SYS_gettid);
    log->thread_name = current_name();
    log->function = 0;
    atomic_store_explicit(&log->open_count, 0, memory_order_relaxed);
    if (has_exit_key)
        pthread_setspecific(exit_key, log);
    tp_log_self = log;
    note_thread(log);
    return log;
}

void tp_log_thread_name(const char *name)
{
    given_name = name;
    if (!tp_log_self)
        return;
    tp_log_self->thread_name = name;
    note_thread(tp_log_self);
}

static bool grow(tp_log *log)
{
    tp_chunk *chunk = tp_pool_take();
    if (!chunk)
        return false;
    chunk->tid = log->tid;
    chunk->thread_name = log->thread_name;
    if (log->tail)
        atomic_store_explicit(&log->tail->next, chunk, memory_order_release);
    else
        atomic_store_explicit(&log->head, chunk, memory_order_release);
    log->tail = chunk;
    log->used = 0;
    return true;
}

// For a count that one thread changes and others read.
static void add(_Atomic uint64_t *count, uint64_t more)
{
    const uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + more, memory_order_relaxed);
}

void tp_log_drop(tp_log *log)
{
    if (log)
        add(&log->dropped, 1);
    else
        atomic_fetch_add_explicit(&dropped_without_log, 1, memory_order_relaxed);
}

void tp_log_cut(tp_log *log, uint32_t ranges)
{
    if (log)
        add(&log->cut, ranges);
    else
        atomic_fetch_add_explicit(&cut_without_log, ranges, memory_order_relaxed);
}

void tp_log_opens(tp_log *log, int32_t change)
{
    if (!log) {
        atomic_fetch_add_explicit(&open_without_log, change, memory_order_relaxed);
        return;
    }
    const int32_t before = atomic_load_explicit(&log->open_elsewhere, memory_order_relaxed);
    atomic_store_explicit(&log->open_elsewhere, before + change, memory_order_relaxed);
}

tp_event *tp_log_reserve_slow(tp_log *log, uint32_t slots)
{
    if (!log)
        log = tp_log_attach();
    if (!log || (log->used + slots > TP_CHUNK_SLOTS && !grow(log))) {
        tp_log_drop(log);
        return NULL;
    }
    return log->tail->slots + log->used;
}

void tp_log_append(const tp_event *event)
{
    tp_event *at = tp_log_reserve(tp_log_self, 1);
    if (!at)
        return;
    *at = *event;
    tp_log_publish(tp_log_self, 1);
}

void tp_log_append_detail(const tp_event *event, const void *detail)
{
    tp_event *at = tp_log_reserve(tp_log_self, 2);
    if (!at)
        return;
    at[0] = *event;
    at[0].slots = 1;
    memcpy(at + 1, detail, sizeof(*at));
    tp_log_publish(tp_log_self, 2);
}

uint64_t tp_recorder_dropped(void)
{
    uint64_t dropped = atomic_load_explicit(&dropped_without_log, memory_order_relaxed);
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next)
        dropped += atomic_load_explicit(&log->dropped, memory_order_relaxed);
    return dropped;
}

uint64_t tp_recorder_cut(void)
{
    uint64_t cut = atomic_load_explicit(&cut_without_log, memory_order_relaxed);
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next)
        cut += atomic_load_explicit(&log->cut, memory_order_relaxed);
    return cut;
}

uint64_t tp_recorder_open_ranges(void)
{
    uint64_t open = 0;
    int64_t elsewhere = atomic_load_explicit(&open_without_log, memory_order_relaxed);
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next) {
        open += atomic_load_explicit(&log->open_count, memory_order_relaxed);
        elsewhere += atomic_load_explicit(&log->open_elsewhere, memory_order_relaxed);
    }
    // A child of fork() ends ranges that its parent began.
    return elsewhere > 0 ? open + (uint64_t)elsewhere : open;
}

// The next run of slots that nobody took; false at the end of what is there. A chunk that its
// thread has left is the taker's; the tail is shared with the log, unless `left_only` leaves it.
static bool take_run(tp_log *log, bool left_only, tp_part *run)
{
    tp_chunk *chunk = atomic_load_explicit(&log->head, memory_order_acquire);

    while (chunk) {
        // In this order: once there is a next chunk, the count is final.
        tp_chunk *next = atomic_load_explicit(&chunk->next, memory_order_acquire);
        const uint32_t count = atomic_load_explicit(&chunk->count, memory_order_acquire);
        *run = (tp_part){.chunk = chunk, .from = log->taken, .to = count};
        if (next) {
            atomic_store_explicit(&log->head, next, memory_order_relaxed);
            log->taken = 0;
        } else {
            if (left_only || run->from == run->to)
                return false;
            log->taken = count;
            atomic_fetch_add_explicit(&chunk->owners, 1, memory_order_relaxed);
        }
        if (run->from < run->to)
            return true;
        tp_chunk_release(chunk);
        chunk = next;
    }
    return false;
}

// Appends runs to the list that ends at `end`, at most `most` of them, and returns its new end.
// Those for which there is no memory are lost, and counted.
static tp_part **take_runs(bool left_only, uint32_t most, uint64_t *slots, tp_part **end)
{
    tp_part run;

    pthread_mutex_lock(&reader_lock);
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next)
        while (most > 0 && take_run(log, left_only, &run)) {
            tp_part *part = malloc(sizeof(*part));
            if (!part) {
                atomic_fetch_add_explicit(&dropped_without_log, run.to - run.from,
                                          memory_order_relaxed);
                tp_chunk_release(run.chunk);
                continue;
            }
            *part = run;
            *end = part;
            end = &part->next;
            *slots += run.to - run.from;
            most--;
        }
    pthread_mutex_unlock(&reader_lock);
    return end;
}

// Moves chunks of the running window to disk; false where there are none, or no room.
static bool relieve(void)
{
    enum { AT_ONCE = 32 };
    uint64_t slots = 0;
    bool relieved = false;

    pthread_mutex_lock(&kept_lock);
    tp_part **taken = kept_end;
    kept_end = take_runs(true, AT_ONCE, &slots, kept_end);
    for (tp_part *part = *taken; part; part = part->next) {
        tp_chunk *stored = tp_spill_store(part->chunk);
        if (!stored)
            break;
        tp_chunk_release(part->chunk);
        part->chunk = stored;
        relieved = true;
    }
    pthread_mutex_unlock(&kept_lock);
    return relieved;
}

tprof_status tp_recorder_open(size_t limit, size_t spill_bytes)
{
    pthread_once(&once, set_up);
    tp_spill_open(spill_bytes);
    return tp_pool_open(limit, relieve);
}

void tp_recorder_close(void)
{
    tp_recorder_discard();
    tp_pool_close();
}

static uint64_t slots_of(const tp_part *part)
{
    uint64_t slots = 0;
    for (; part; part = part->next)
        slots += part->to - part->from;
    return slots;
}

uint64_t tp_recorder_discard(void)
{
    tp_part run;

    pthread_mutex_lock(&kept_lock);
    tp_part *parts = kept;
    kept = NULL;
    kept_end = &kept;
    uint64_t slots = slots_of(parts);
    pthread_mutex_lock(&reader_lock);
    for (tp_log *log = atomic_load_explicit(&logs, memory_order_acquire); log; log = log->next)
        while (take_run(log, false, &run)) {
            slots += run.to - run.from;
            tp_chunk_release(run.chunk);
        }
    pthread_mutex_unlock(&reader_lock);
    pthread_mutex_unlock(&kept_lock);
    tp_parts_release(parts);
    return slots;
}

tp_part *tp_recorder_take(uint64_t *slots)
{
    pthread_mutex_lock(&kept_lock);
    *slots = slots_of(kept);
    take_runs(false, UINT32_MAX, slots, kept_end);
    tp_part *parts = kept;
    kept = NULL;
    kept_end = &kept;
    pthread_mutex_unlock(&kept_lock);
    return parts;
}

void tp_parts_release(tp_part *part)
{
    while (part) {
        tp_part *next = part->next;
        tp_chunk_release(part->chunk);
        free(part);
        part = next;
    }
}
