// SPDX-License-Identifier: BSD-3-Clause
// The pool of buffers that CUPTI fills with records, and the queue of full ones.
#include "gpu/buffers.h"

#include <stdlib.h>

enum { SPARE_BYTES = 64 * 1024 };

void tp_buffers_init(tp_buffers *pool, size_t buffer_bytes, uint32_t limit)
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
    *make = !buffer && pool->made < pool->limit;
    if (*make)
        pool->made++;
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
    pool->made--;
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

void tp_buffers_complete(tp_buffers *pool, uint8_t *data, size_t valid)
{
    if (!data)
        return;

    tp_buffer *buffer = (tp_buffer *)(void *)(data - offsetof(tp_buffer, data));
    buffer->valid = valid < buffer->size ? valid : buffer->size;
    buffer->next = NULL;
    pthread_mutex_lock(&pool->lock);
    *pool->full_end = buffer;
    pool->full_end = &buffer->next;
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
        if (buffer->spare) {
            free(buffer);
            continue;
        }
        pthread_mutex_lock(&pool->lock);
        buffer->next = pool->free;
        pool->free = buffer;
        pthread_mutex_unlock(&pool->lock);
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

static uint32_t free_list(tp_buffer *list)
{
    uint32_t count = 0;
    tp_buffer *next;
    for (tp_buffer *buffer = list; buffer; buffer = next) {
        next = buffer->next;
        count += !buffer->spare;
        free(buffer);
    }
    return count;
}

void tp_buffers_free(tp_buffers *pool)
{
    pthread_mutex_lock(&pool->lock);
    tp_buffer *unused = pool->free;
    tp_buffer *full = pool->full;
    pool->free = pool->full = NULL;
    pool->full_end = &pool->full;
    pthread_mutex_unlock(&pool->lock);

    const uint32_t count = free_list(unused) + free_list(full);
    pthread_mutex_lock(&pool->lock);
    pool->made -= count;
    pthread_mutex_unlock(&pool->lock);
}
