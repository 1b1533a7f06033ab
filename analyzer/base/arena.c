// SPDX-License-Identifier: BSD-3-Clause
// Bump allocation, freed whole.
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CHUNK_BYTES = 64 * 1024,
    LARGE_BYTES = 1024 * 1024, // from here on an array is a mapping of its own
};

typedef struct chunk {
    struct chunk *next;
    size_t size;
} chunk;

// Stands before a large array. A page of its own keeps the array aligned to pages.
typedef struct large {
    struct large *next, *previous;
    size_t size; // of the mapping, this header included
} large;

enum { LARGE_HEADER = 4096 };

struct arena {
    chunk *chunks;
    char *at, *end;
    large *larges;
    size_t held;
};

static _Noreturn void out_of_memory(void)
{
    fputs("tprof-analyze: out of memory\n", stderr);
    exit(4);
}

arena *arena_create(void)
{
    arena *a = calloc(1, sizeof(*a));
    if (!a)
        out_of_memory();
    return a;
}

void arena_destroy(arena *a)
{
    if (!a)
        return;
    while (a->larges) {
        large *next = a->larges->next;
        munmap(a->larges, a->larges->size);
        a->larges = next;
    }
    while (a->chunks) {
        chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
    free(a);
}

static void *large_alloc(arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    const size_t size = (bytes + LARGE_HEADER + 4095) & ~(size_t)4095;
    large *l = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
    if (l == MAP_FAILED)
        out_of_memory();
    l->size = size;
    l->next = a->larges;
    if (l->next)
        l->next->previous = l;
    a->larges = l;
    a->held += size;
    return (char *)l + LARGE_HEADER;
}

static large *large_of(void *array)
{
    return (large *)((char *)array - LARGE_HEADER);
}

static void *bump(arena *a, size_t bytes, size_t align)
{
    char *at = (char *)(((uintptr_t)a->at + align - 1) & ~(uintptr_t)(align - 1));
    if (!a->at || at > a->end || (size_t)(a->end - at) < bytes) {
        const size_t size = sizeof(chunk) + align + (bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
        chunk *c = calloc(1, size);
        if (!c)
            out_of_memory();
        c->size = size;
        c->next = a->chunks;
        a->chunks = c;
        a->held += size;
        a->end = (char *)c + size;
        at = (char *)(((uintptr_t)(c + 1) + align - 1) & ~(uintptr_t)(align - 1));
    }
    a->at = at + bytes;
    return at;
}

void *arena_alloc_array(arena *a, size_t size, size_t count, size_t align)
{
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes))
        out_of_memory();
    return bytes >= LARGE_BYTES ? large_alloc(a, bytes) : bump(a, bytes, align);
}

char *arena_copy(arena *a, const char *bytes, size_t length)
{
    char *copy = arena_alloc_array(a, 1, length + 1, 1);
    if (length)
        memcpy(copy, bytes, length);
    return copy;
}

char *arena_printf(arena *a, const char *format, ...)
{
    char small[256]; // most texts fit, and are printed once
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int printed = vsnprintf(small, sizeof(small), format, args);
    const size_t length = printed < 0 ? 0 : (size_t)printed;
    char *text;
    if (length < sizeof(small)) {
        text = arena_copy(a, small, length);
    } else {
        text = arena_alloc_array(a, 1, length + 1, 1);
        vsnprintf(text, length + 1, format, again);
    }
    va_end(again);
    va_end(args);
    return text;
}

static void *large_grow(arena *a, void *old, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        out_of_memory();
    large *l = large_of(old);
    const size_t old_size = l->size, size = (bytes + LARGE_HEADER + 4095) & ~(size_t)4095;
    if (size <= old_size)
        return old;
    l = mremap(l, old_size, size, MREMAP_MAYMOVE);
    if (l == MAP_FAILED)
        out_of_memory();
    l->size = size;
    if (l->next)
        l->next->previous = l;
    if (l->previous)
        l->previous->next = l;
    else
        a->larges = l;
    a->held += size - old_size;
    return (char *)l + LARGE_HEADER;
}

void *arena_grow(arena *a, void *old, size_t size, size_t old_count, size_t new_count)
{
    size_t bytes;
    if (__builtin_mul_overflow(size, new_count, &bytes))
        out_of_memory();
    if (size * old_count >= LARGE_BYTES)
        return large_grow(a, old, bytes);

    void *grown = arena_alloc_array(a, size, new_count, _Alignof(max_align_t));
    if (old_count)
        memcpy(grown, old, size * old_count);
    return grown;
}

// A large array is told from a small one by the list; there are few of them.
static large *find_large(const arena *a, const void *array)
{
    large *l = a->larges;
    while (l && (const char *)l + LARGE_HEADER != array)
        l = l->next;
    return l;
}

static void unlink_large(arena *a, const large *l)
{
    if (l->next)
        l->next->previous = l->previous;
    if (l->previous)
        l->previous->next = l->next;
    else
        a->larges = l->next;
    a->held -= l->size;
}

void arena_release(arena *a, void *array)
{
    large *const l = find_large(a, array);
    if (!l)
        return;
    unlink_large(a, l);
    munmap(l, l->size);
}

// How many of the bytes are moved by whole pages; the target is large as well, since they fit.
static size_t move_pages(void *from, size_t bytes, void *to)
{
    const size_t pages = bytes & ~(size_t)4095;
    const bool moved = (uintptr_t)to % 4096 == 0 && pages &&
                       mremap(from, pages, pages, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
    return moved ? pages : 0;
}

void arena_move(arena *a, void *array, size_t bytes, void *to)
{
    large *const l = find_large(a, array);
    const size_t moved = l ? move_pages(array, bytes, to) : 0;

    if (bytes > moved)
        memcpy((char *)to + moved, (char *)array + moved, bytes - moved);
    if (!l)
        return;
    unlink_large(a, l);
    if (!moved) {
        munmap(l, l->size);
        return;
    }
    // What was moved is no longer mapped; another thread's array may stand there by now.
    const size_t behind = LARGE_HEADER + moved, size = l->size;
    if (size > behind)
        munmap((char *)l + behind, size - behind);
    munmap(l, LARGE_HEADER);
}

void arena_join(arena *a, arena *from)
{
    chunk **last_chunk = &a->chunks;
    while (*last_chunk)
        last_chunk = &(*last_chunk)->next;
    *last_chunk = from->chunks;

    large *last = a->larges;
    while (last && last->next)
        last = last->next;
    if (from->larges)
        from->larges->previous = last;
    *(last ? &last->next : &a->larges) = from->larges;
    a->held += from->held;
    free(from);
}

size_t arena_held(const arena *a)
{
    return a->held;
}
