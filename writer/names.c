// SPDX-License-Identifier: BSD-3-Clause
// Interning of names that are not literals.
#include "names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    struct entry *next;
    uint64_t hash;
    size_t length;
    char text[];
} entry;

enum {
    BUCKETS = 1 << 16,
    TEXT_LIMIT = 16 << 20, // bytes, entries included
    JOINED_BYTES = 1024,   // longer texts are joined in memory of their own
};

static const char FULL[] = "(more names)";

// Lists that only grow at their head: a reader sees an entry whole or not at all.
static _Atomic(entry *) buckets[BUCKETS];
static _Atomic size_t used;

uint64_t tp_hash(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ length, word;

    for (; length >= sizeof(word); at += sizeof(word), length -= sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    word = 0;
    if (length)
        memcpy(&word, at, length);
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 29);
}

static const entry *find(const entry *from, const entry *until, uint64_t hash, const char *text,
                         size_t length)
{
    for (; from != until; from = from->next)
        if (from->hash == hash && from->length == length && memcmp(from->text, text, length) == 0)
            return from;
    return NULL;
}

const char *tp_name_intern(const char *text, size_t length)
{
    const uint64_t hash = tp_hash(text, length);
    _Atomic(entry *) *bucket = &buckets[hash % BUCKETS];
    entry *head = atomic_load_explicit(bucket, memory_order_acquire);
    const entry *found = find(head, NULL, hash, text, length);

    if (found)
        return found->text;
    const size_t size = sizeof(entry) + length + 1;
    entry *added = NULL;
    if (atomic_fetch_add_explicit(&used, size, memory_order_relaxed) + size <= TEXT_LIMIT)
        added = malloc(size);
    if (!added) {
        atomic_fetch_sub_explicit(&used, size, memory_order_relaxed);
        return FULL;
    }
    added->hash = hash;
    added->length = length;
    memcpy(added->text, text, length);
    added->text[length] = '\0';

    // What others put in front meanwhile may be this very name.
    added->next = head;
    while (!atomic_compare_exchange_weak_explicit(bucket, &added->next, added, memory_order_release,
                                                  memory_order_acquire)) {
        found = find(added->next, head, hash, text, length);
        if (found) {
            free(added);
            atomic_fetch_sub_explicit(&used, size, memory_order_relaxed);
            return found->text;
        }
        head = added->next;
    }
    return added->text;
}

const char *tp_name_join(const char *prefix, const char *name, const char *suffix)
{
    char nearby[JOINED_BYTES];
    const size_t begin = strlen(prefix), middle = strlen(name), end = strlen(suffix);
    const size_t length = begin + middle + end;
    char *joined = nearby;

    if (length > sizeof(nearby))
        joined = length <= TEXT_LIMIT ? malloc(length) : NULL;
    if (!joined)
        return FULL;
    memcpy(joined, prefix, begin);
    memcpy(joined + begin, name, middle);
    memcpy(joined + begin + middle, suffix, end);
    const char *kept = tp_name_intern(joined, length);
    if (joined != nearby)
        free(joined);
    return kept;
}

size_t tp_name_fit(const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);

    if (length <= most)
        return length;
    for (length = most; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80; length--)
        continue;
    return length;
}
