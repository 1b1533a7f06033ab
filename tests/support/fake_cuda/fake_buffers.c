// SPDX-License-Identifier: BSD-3-Clause
// Records into buffers that are asked for and given back as CUPTI does.
#include "fake_cupti.h"

#include <pthread.h>
#include <string.h>

enum { BUFFERS = 4096, FULL_TOGETHER = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool enabled[TP_CUPTI_KINDS];
static CUpti_BuffersCallbackRequestFunc request_buffer;
static CUpti_BuffersCallbackCompleteFunc complete_buffer;

static struct buffer {
    uint8_t *data;
    size_t size, valid;
    long records;
} current, full[BUFFERS];
static size_t full_count;

static uint64_t dropped;
static long already_dropped; // of those that the script wants lost
static tp_cupti_external late_links[BUFFERS];
static size_t late_count;

bool fake_is_enabled(uint32_t kind)
{
    pthread_mutex_lock(&lock);
    const bool on = enabled[kind];
    pthread_mutex_unlock(&lock);
    return on;
}

void fake_set_enabled(uint32_t kind, bool on)
{
    pthread_mutex_lock(&lock);
    enabled[kind] = on;
    pthread_mutex_unlock(&lock);
}

void fake_register(CUpti_BuffersCallbackRequestFunc request,
                   CUpti_BuffersCallbackCompleteFunc complete)
{
    pthread_mutex_lock(&lock);
    request_buffer = request;
    complete_buffer = complete;
    pthread_mutex_unlock(&lock);
}

static long to_drop(void)
{
    return fake_script_read()->drop - already_dropped;
}

size_t fake_size_of(uint32_t kind)
{
    const fake_sizes *sizes = &fake_script_read()->sizes;
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizes->kernel;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return sizes->memcpy;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return sizes->memcpy_peer;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return sizes->memset;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return sizes->sync;
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return sizes->cuda_event;
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return sizes->overhead;
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return sizes->memory;
    case CUPTI_ACTIVITY_KIND_CONTEXT:
        return sizes->context;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(tp_cupti_api);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(tp_cupti_external);
    default:
        return 0;
    }
}

// With the lock held. Moves the current buffer to the full ones.
static void finish_buffer(void)
{
    if (current.data && full_count < BUFFERS)
        full[full_count++] = current;
    current = (struct buffer){0};
}

static void *give_back(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    const size_t count = full_count;
    full_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &full[fake_script_read()->thread ? count - 1 - i : i];
        complete_buffer(NULL, 0, buffer->data, buffer->size, buffer->valid);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void give_back_buffers(void)
{
    pthread_t thread;
    if (fake_script_read()->thread && pthread_create(&thread, NULL, give_back, NULL) == 0)
        pthread_join(thread, NULL);
    else
        give_back(NULL);
}

void fake_emit(uint32_t kind, const void *record)
{
    const fake_script *script = fake_script_read();
    const size_t size = fake_size_of(kind);

    pthread_mutex_lock(&lock);
    if (!enabled[kind] || !request_buffer || size == 0) {
        pthread_mutex_unlock(&lock);
        return;
    }
    if (to_drop() > 0 && kind != CUPTI_ACTIVITY_KIND_CONTEXT) {
        already_dropped++;
        dropped++;
        pthread_mutex_unlock(&lock);
        return;
    }
    const bool is_full =
        current.data &&
        (current.size - current.valid < size ||
         (script->records_per_buffer > 0 && current.records >= script->records_per_buffer));
    if (is_full)
        finish_buffer();
    if (!current.data) {
        size_t most = 0;
        request_buffer(&current.data, &current.size, &most);
        current.valid = 0;
        current.records = 0;
    }
    if (current.data && current.size >= size) {
        memcpy(current.data + current.valid, record, size);
        current.valid += size;
        current.records++;
    } else {
        dropped++;
    }
    const bool many = full_count >= (script->thread ? FULL_TOGETHER : 1);
    pthread_mutex_unlock(&lock);
    if (many)
        give_back_buffers();
}

void fake_flush(void)
{
    for (size_t i = 0; i < late_count; i++)
        fake_emit(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, &late_links[i]);
    late_count = 0;
    pthread_mutex_lock(&lock);
    finish_buffer();
    pthread_mutex_unlock(&lock);
    if (complete_buffer)
        give_back_buffers();
}

void fake_emit_late(const tp_cupti_external *record)
{
    pthread_mutex_lock(&lock);
    if (late_count < BUFFERS)
        late_links[late_count++] = *record;
    pthread_mutex_unlock(&lock);
}

uint64_t fake_take_dropped(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t count = dropped;
    dropped = 0;
    pthread_mutex_unlock(&lock);
    return count;
}
