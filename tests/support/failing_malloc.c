// SPDX-License-Identifier: BSD-3-Clause
// Lets the n-th allocation of the test program fail.
#include "support/failing_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc's own, under the names by which it can still be called.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

static _Atomic int64_t counted, failing;
static atomic_bool later_too;

void fail_allocation(int64_t n, bool all_later)
{
    atomic_store(&failing, n);
    atomic_store(&later_too, all_later);
    atomic_store(&counted, 0);
}

int64_t allocations_counted(void)
{
    return atomic_load(&counted);
}

static bool fails(void)
{
    const int64_t number = atomic_fetch_add(&counted, 1) + 1, n = atomic_load(&failing);
    const bool failed = n && (number == n || (number > n && atomic_load(&later_too)));
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
