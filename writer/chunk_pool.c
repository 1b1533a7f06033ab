// SPDX-License-Identifier: BSD-3-Clause
// Memory for events: chunks of one size, bounded in number.
#include "chunk_pool.h"

#include "spill.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>

// Free chunks are a stack; its head holds 1 + index below and a number above that changes with each
// operation, so that a head which was taken and came back is told from one that stayed.
typedef struct chunk_pool {
    char *base;
    uint32_t capacity;      // chunks for which there are addresses
    _Atomic uint32_t limit; // chunks that may be in use
    _Atomic uint32_t in_use, peak;
    _Atomic uint32_t fresh; // chunks from here on were never used
    _Atomic uint32_t ready; // chunks below were touched
    _Atomic uint64_t free_head;
    bool has_toucher;
    atomic_bool stopping;
    pthread_t toucher;
    sem_t wanted;
    bool (*relieve)(void);
} chunk_pool;

enum {
    ASK_EVERY = 16, // chunks between two calls for relief
    AHEAD = 64,     // chunks that should be ready, and are at the start
    AT_ONCE = 128,  // chunks to make ready in one go
};

static const size_t RESERVE_BYTES = TP_POOL_LIMIT; // addresses, not memory

static chunk_pool pool;

static tp_chunk *chunk_at(uint32_t index)
{
    return (tp_chunk *)(void *)(pool.base + (size_t)index * TP_CHUNK_BYTES);
}

static void push_free(tp_chunk *chunk)
{
    uint64_t head = atomic_load_explicit(&pool.free_head, memory_order_relaxed);
    uint64_t next;
    do {
        atomic_store_explicit(&chunk->next_free, (uint32_t)head, memory_order_relaxed);
        next = (((head >> 32) + 1) << 32) | (chunk->index + 1);
    } while (!atomic_compare_exchange_weak_explicit(&pool.free_head, &head, next,
                                                    memory_order_acq_rel, memory_order_relaxed));
}

static tp_chunk *pop_free(void)
{
    uint64_t head = atomic_load_explicit(&pool.free_head, memory_order_acquire);
    while ((uint32_t)head != 0) {
        tp_chunk *chunk = chunk_at((uint32_t)head - 1);
        const uint32_t below = atomic_load_explicit(&chunk->next_free, memory_order_relaxed);
        const uint64_t next = (((head >> 32) + 1) << 32) | below;
        if (atomic_compare_exchange_weak_explicit(&pool.free_head, &head, next,
                                                  memory_order_acq_rel, memory_order_acquire))
            return chunk;
    }
    return NULL;
}

// A chunk that was never used, while there are any.
static tp_chunk *take_fresh(void)
{
    uint32_t index = atomic_load_explicit(&pool.fresh, memory_order_relaxed);
    do {
        if (index >= pool.capacity)
            return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&pool.fresh, &index, index + 1,
                                                    memory_order_relaxed, memory_order_relaxed));

    if (index + AHEAD == atomic_load_explicit(&pool.ready, memory_order_relaxed))
        sem_post(&pool.wanted);
    tp_chunk *chunk = chunk_at(index);
    chunk->index = index;
    return chunk;
}

static bool is_half_full(uint32_t used)
{
    return used > atomic_load_explicit(&pool.limit, memory_order_relaxed) / 2;
}

tp_chunk *tp_pool_take(void)
{
    const uint32_t used = atomic_fetch_add_explicit(&pool.in_use, 1, memory_order_relaxed) + 1;
    tp_chunk *chunk = NULL;

    if (used <= atomic_load_explicit(&pool.limit, memory_order_acquire)) {
        chunk = pop_free();
        if (!chunk)
            chunk = take_fresh();
    }
    if (!chunk) {
        atomic_fetch_sub_explicit(&pool.in_use, 1, memory_order_relaxed);
        return NULL;
    }

    if (used % ASK_EVERY == 0 && is_half_full(used))
        sem_post(&pool.wanted);
    uint32_t peak = atomic_load_explicit(&pool.peak, memory_order_relaxed);
    while (used > peak && !atomic_compare_exchange_weak_explicit(
                              &pool.peak, &peak, used, memory_order_relaxed, memory_order_relaxed))
        continue;
    atomic_store_explicit(&chunk->count, 0, memory_order_relaxed);
    atomic_store_explicit(&chunk->owners, 1, memory_order_relaxed);
    atomic_store_explicit(&chunk->next, NULL, memory_order_relaxed);
    return chunk;
}

void tp_chunk_release(tp_chunk *chunk)
{
    if (tp_spill_owns(chunk)) {
        tp_spill_release();
        return;
    }
    if (atomic_fetch_sub_explicit(&chunk->owners, 1, memory_order_acq_rel) > 1)
        return;
    push_free(chunk);
    atomic_fetch_sub_explicit(&pool.in_use, 1, memory_order_relaxed);
}

// Makes pages present without changing what is in them: another thread may be writing there.
static void touch(uint32_t from, uint32_t to)
{
    enum { PAGE = 4096 };
    char *at = pool.base + (size_t)from * TP_CHUNK_BYTES;
    const size_t size = (size_t)(to - from) * TP_CHUNK_BYTES;

    if (madvise(at, size, MADV_POPULATE_WRITE) == 0)
        return;
    for (size_t i = 0; i < size; i += PAGE)
        __atomic_fetch_or(at + i, 0, __ATOMIC_RELAXED);
}

static void make_ready(uint32_t count)
{
    const uint32_t ready = atomic_load_explicit(&pool.ready, memory_order_relaxed);
    const uint32_t limit = atomic_load_explicit(&pool.limit, memory_order_relaxed);

    if (ready >= limit)
        return;
    const uint32_t to = limit - ready < count ? limit : ready + count;
    touch(ready, to);
    atomic_store_explicit(&pool.ready, to, memory_order_relaxed);
}

static bool is_short_of_ready(void)
{
    const uint32_t ready = atomic_load_explicit(&pool.ready, memory_order_relaxed);
    return ready < atomic_load_explicit(&pool.limit, memory_order_relaxed) &&
           ready <= atomic_load_explicit(&pool.fresh, memory_order_relaxed) + AHEAD;
}

static void *touch_ahead(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "tprof-memory");
    while (!atomic_load(&pool.stopping)) {
        if (sem_wait(&pool.wanted) != 0)
            continue;
        while (!atomic_load(&pool.stopping) && is_short_of_ready())
            make_ready(AT_ONCE);
        while (!atomic_load(&pool.stopping) &&
               is_half_full(atomic_load_explicit(&pool.in_use, memory_order_relaxed)) &&
               pool.relieve())
            continue;
    }
    return NULL;
}

// Without the thread everything works, with page faults where it would have been ahead.
static void start_toucher(void)
{
    sigset_t all, before;

    atomic_store(&pool.stopping, false);
    if (sem_init(&pool.wanted, 0, 0) != 0)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pool.has_toucher = pthread_create(&pool.toucher, NULL, touch_ahead, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool reserve(size_t size)
{
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return false;
    pool.base = base;
    pool.capacity = (uint32_t)(size / TP_CHUNK_BYTES);
    return true;
}

tprof_status tp_pool_open(size_t limit, bool (*relieve)(void))
{
    if (limit > RESERVE_BYTES)
        limit = RESERVE_BYTES;
    size_t chunks = (limit + TP_CHUNK_BYTES - 1) / TP_CHUNK_BYTES;

    if (!pool.base && !reserve(RESERVE_BYTES) && !reserve(chunks * TP_CHUNK_BYTES))
        return TPROF_ERR_MEMORY;
    if (chunks > pool.capacity)
        chunks = pool.capacity;
    if (mprotect(pool.base, chunks * TP_CHUNK_BYTES, PROT_READ | PROT_WRITE) != 0)
        return TPROF_ERR_MEMORY;
    atomic_store(&pool.limit, (uint32_t)chunks);
    atomic_store(&pool.peak, atomic_load(&pool.in_use));
    if (atomic_load(&pool.ready) == 0)
        make_ready(AHEAD);
    if (!pool.has_toucher) {
        pool.relieve = relieve;
        start_toucher();
    }
    return TPROF_OK;
}

void tp_pool_close(void)
{
    enum { KEEP = 4096 }; // the page with the links of the stack

    if (pool.has_toucher) {
        atomic_store(&pool.stopping, true);
        sem_post(&pool.wanted);
        pthread_join(pool.toucher, NULL);
        pool.has_toucher = false;
    }
    // Off the stack first: what another thread might take must not be emptied.
    uint64_t head = atomic_load(&pool.free_head);
    while (!atomic_compare_exchange_weak(&pool.free_head, &head, ((head >> 32) + 1) << 32))
        continue;
    uint32_t next = (uint32_t)head;
    while (next) {
        tp_chunk *chunk = chunk_at(next - 1);
        next = atomic_load_explicit(&chunk->next_free, memory_order_relaxed);
        madvise((char *)chunk + KEEP, TP_CHUNK_BYTES - KEEP, MADV_DONTNEED);
        push_free(chunk);
    }
}

void tp_pool_usage(uint64_t *held, uint64_t *peak)
{
    *held = (uint64_t)atomic_load_explicit(&pool.in_use, memory_order_relaxed) * TP_CHUNK_BYTES;
    *peak = (uint64_t)atomic_load_explicit(&pool.peak, memory_order_relaxed) * TP_CHUNK_BYTES;
}

void tp_pool_after_fork(void)
{
    atomic_store(&pool.in_use, 0);
    atomic_store(&pool.peak, 0);
    atomic_store(&pool.fresh, 0);
    atomic_store(&pool.ready, 0);
    atomic_store(&pool.free_head, 0);
    pool.has_toucher = false;
    tp_spill_after_fork();
}
