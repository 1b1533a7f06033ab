// SPDX-License-Identifier: BSD-3-Clause
// The pool of buffers that CUPTI fills with records, and the queue of full ones.
#include "gpu/buffers.h"

#include <stdlib.h>
#include <string.h>

enum { SPARE_BYTES = 64 * 1024 };

void tp_buffers_init(tp_buffers *pool, size_t buffer_bytes, size_t limit)
{
    *pool = (tp_buffers){.buffer_bytes = buffer_bytes, .limit = limit};
    pthread_mutex_init(&pool->lock, NULL);
    pool->full_end = &pool->full;
}

static tp_buffer *buffer_make(size_t bytes)
{
    tp_buffer *buffer = malloc(sizeof(*buffer) + bytes);
    if (buffer)
        *buffer = (tp_buffer){.size = bytes};
    return buffer;
}

// Takes a free buffer or the right to make one; *make says which.
static tp_buffer *take_free(tp_buffers *pool, bool *make)
{
    pthread_mutex_lock(&pool->lock);
    tp_buffer *buffer = pool->free;
    if (buffer)
        pool->free = buffer->next;
    *make = !buffer && pool->held + pool->buffer_bytes <= pool->limit;
    if (*make)
        pool->held += pool->buffer_bytes;
    if (buffer || *make)
        pool->out++;
    else
        pool->refused++;
    pthread_mutex_unlock(&pool->lock);
    return buffer;
}

static void failed_to_make(tp_buffers *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->held -= pool->buffer_bytes;
    pool->out--;
    pool->refused++;
    pthread_mutex_unlock(&pool->lock);
}

static tp_buffer *make_spare(tp_buffers *pool)
{
    tp_buffer *buffer = buffer_make(SPARE_BYTES);
    if (!buffer)
        return NULL;
    buffer->spare = true;
    pthread_mutex_lock(&pool->lock);
    pool->out++;
    pthread_mutex_unlock(&pool->lock);
    return buffer;
}

tp_buffer *tp_buffers_request(tp_buffers *pool, bool always)
{
    bool make;
    tp_buffer *buffer = take_free(pool, &make);

    if (make) {
        buffer = buffer_make(pool->buffer_bytes);
        if (!buffer)
            failed_to_make(pool);
    }
    if (buffer) {
        buffer->next = NULL;
        buffer->valid = 0;
        return buffer;
    }
    return always ? make_spare(pool) : NULL;
}

// What was filled of a buffer, where that saves most of it; else NULL.
static tp_buffer *copy_filled(const tp_buffer *buffer)
{
    if (buffer->spare || buffer->valid > buffer->size / 2)
        return NULL;
    tp_buffer *copy = buffer_make(buffer->valid);
    if (!copy)
        return NULL;
    copy->valid = buffer->valid;
    copy->cut = true;
    memcpy(copy->data, buffer->data, buffer->valid);
    return copy;
}

void tp_buffers_complete(tp_buffers *pool, uint8_t *data, size_t valid)
{
    if (!data)
        return;

    tp_buffer *buffer = (tp_buffer *)(void *)(data - offsetof(tp_buffer, data));
    buffer->valid = valid < buffer->size ? valid : buffer->size;
    tp_buffer *copy = copy_filled(buffer);
    tp_buffer *full = copy ? copy : buffer;

    full->next = NULL;
    pthread_mutex_lock(&pool->lock);
    if (copy) {
        pool->held += copy->size;
        buffer->next = pool->free;
        pool->free = buffer;
    }
    *pool->full_end = full;
    pool->full_end = &full->next;
    pool->out--;
    pthread_mutex_unlock(&pool->lock);
}

tp_buffer *tp_buffers_take(tp_buffers *pool)
{
    pthread_mutex_lock(&pool->lock);
    tp_buffer *list = pool->full;
    pool->full = NULL;
    pool->full_end = &pool->full;
    pthread_mutex_unlock(&pool->lock);
    return list;
}

void tp_buffers_recycle(tp_buffers *pool, tp_buffer *list)
{
    tp_buffer *next;
    for (tp_buffer *buffer = list; buffer; buffer = next) {
        next = buffer->next;
        pthread_mutex_lock(&pool->lock);
        if (buffer->cut) {
            pool->held -= buffer->size;
        } else if (!buffer->spare) {
            buffer->next = pool->free;
            pool->free = buffer;
        }
        pthread_mutex_unlock(&pool->lock);
        if (buffer->cut || buffer->spare)
            free(buffer);
    }
}

uint64_t tp_buffers_refused(tp_buffers *pool)
{
    pthread_mutex_lock(&pool->lock);
    const uint64_t refused = pool->refused;
    pool->refused = 0;
    pthread_mutex_unlock(&pool->lock);
    return refused;
}

// Frees a list; returns the bytes that counted as held.
static size_t free_list(tp_buffer *list)
{
    size_t bytes = 0;
    tp_buffer *next;
    for (tp_buffer *buffer = list; buffer; buffer = next) {
        next = buffer->next;
        bytes += buffer->spare ? 0 : buffer->size;
        free(buffer);
    }
    return bytes;
}

void tp_buffers_free(tp_buffers *pool)
{
    pthread_mutex_lock(&pool->lock);
    tp_buffer *unused = pool->free;
    tp_buffer *full = pool->full;
    pool->free = pool->full = NULL;
    pool->full_end = &pool->full;
    pthread_mutex_unlock(&pool->lock);

    const size_t bytes = free_list(unused) + free_list(full);
    pthread_mutex_lock(&pool->lock);
    pool->held -= bytes;
    pthread_mutex_unlock(&pool->lock);
}
