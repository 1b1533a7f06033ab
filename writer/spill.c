// SPDX-License-Identifier: BSD-3-Clause
// Room on disk for the chunks of a long window.
#include "spill.h"

#include "out/write_all.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

// Chunks are stored one behind the other; once all are given back the file begins anew.
static struct {
    pthread_mutex_t lock;
    size_t bytes; // of the mapping, and the most that the file may have; 0: off
    _Atomic(char *) base;
    int fd;
    bool failed; // there is no room on disk; until the file begins anew
    uint32_t used, in_use;
} spill = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

// More than any window fills, and what file systems allow for one file.
static const size_t MOST_BYTES = (size_t)1 << 40;

void tp_spill_open(size_t bytes)
{
    if (bytes > MOST_BYTES)
        bytes = MOST_BYTES;
    pthread_mutex_lock(&spill.lock);
    bytes = bytes / TP_CHUNK_BYTES * TP_CHUNK_BYTES;
    if (spill.in_use == 0 && spill.bytes != bytes) {
        if (spill.fd >= 0) {
            munmap(atomic_load(&spill.base), spill.bytes);
            close(spill.fd);
        }
        atomic_store(&spill.base, NULL);
        spill.fd = -1;
        spill.failed = false;
        spill.used = 0;
        spill.bytes = bytes;
    }
    pthread_mutex_unlock(&spill.lock);
}

static int open_in(const char *folder)
{
    char path[4096];

    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    if (snprintf(path, sizeof(path), "%s/tprof-XXXXXX", folder) >= (int)sizeof(path))
        return -1;
    const int named = mkostemp(path, O_CLOEXEC);
    if (named >= 0)
        unlink(path);
    return named;
}

// /var/tmp before /tmp: the latter may be memory itself.
static bool make_file(void)
{
    const char *folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};

    for (size_t i = 0; spill.fd < 0 && i < sizeof(folders) / sizeof(folders[0]); i++)
        if (folders[i] && *folders[i])
            spill.fd = open_in(folders[i]);
    if (spill.fd < 0)
        return false;
    // Changes of what is mapped stay private; what was not changed is read from the file.
    void *base = MAP_FAILED;
    if (ftruncate(spill.fd, (off_t)spill.bytes) == 0)
        base = mmap(NULL, spill.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                    spill.fd, 0);
    if (base == MAP_FAILED) {
        close(spill.fd);
        spill.fd = -1;
        return false;
    }
    atomic_store(&spill.base, base);
    return true;
}

tp_chunk *tp_spill_store(const tp_chunk *chunk)
{
    tp_chunk *stored = NULL;

    pthread_mutex_lock(&spill.lock);
    if (spill.bytes && !spill.failed && !atomic_load(&spill.base))
        spill.failed = !make_file();
    const size_t at = (size_t)spill.used * TP_CHUNK_BYTES;
    if (!spill.failed && at < spill.bytes) {
        spill.failed = lseek(spill.fd, (off_t)at, SEEK_SET) < 0 ||
                       tp_write_all(spill.fd, chunk, TP_CHUNK_BYTES) != 0;
        if (!spill.failed) {
            stored = (tp_chunk *)(void *)(atomic_load(&spill.base) + at);
            spill.used++;
            spill.in_use++;
        }
    }
    pthread_mutex_unlock(&spill.lock);
    return stored;
}

bool tp_spill_owns(const tp_chunk *chunk)
{
    const char *base = atomic_load_explicit(&spill.base, memory_order_relaxed);
    const char *at = (const char *)chunk;
    return base && at >= base && at < base + spill.bytes;
}

void tp_spill_release(void)
{
    pthread_mutex_lock(&spill.lock);
    if (--spill.in_use == 0) {
        // Gives disk and pages back, those that were changed in the mapping included.
        spill.failed = ftruncate(spill.fd, 0) != 0 || ftruncate(spill.fd, (off_t)spill.bytes) != 0;
        spill.used = 0;
    }
    pthread_mutex_unlock(&spill.lock);
}

void tp_spill_after_fork(void)
{
    // The mapping stays: what the parent had stored may be pointed to.
    pthread_mutex_init(&spill.lock, NULL);
    if (spill.fd >= 0)
        close(spill.fd);
    spill.fd = -1;
    atomic_store(&spill.base, NULL);
    spill.failed = false;
    spill.used = 0;
    spill.in_use = 0;
}
