// SPDX-License-Identifier: BSD-3-Clause
// A sink that keeps the bytes.
#include "out/sink.h"

#include <stdlib.h>
#include <string.h>

typedef struct memory_sink {
    tp_sink sink;
    size_t limit;
    size_t used, capacity;
    char *data; // with room for a NUL behind `used`
} memory_sink;

static tprof_status grow(memory_sink *memory, size_t needed)
{
    size_t capacity = memory->capacity ? memory->capacity : 4096;
    while (capacity < needed) {
        if (capacity > SIZE_MAX / 2)
            return TPROF_ERR_MEMORY;
        capacity *= 2;
    }

    char *data = realloc(memory->data, capacity);
    if (!data)
        return TPROF_ERR_MEMORY;
    memory->data = data;
    memory->capacity = capacity;
    return TPROF_OK;
}

static tprof_status memory_write(tp_sink *sink, const void *bytes, size_t size)
{
    memory_sink *memory = (memory_sink *)sink;

    if (size > memory->limit - memory->used)
        return TPROF_ERR_MEMORY;
    const size_t needed = memory->used + size + 1;
    if (needed > memory->capacity) {
        const tprof_status status = grow(memory, needed);
        if (status != TPROF_OK)
            return status;
    }
    memcpy(memory->data + memory->used, bytes, size);
    memory->used += size;
    memory->data[memory->used] = '\0';
    return TPROF_OK;
}

static tprof_status memory_finish(tp_sink *sink)
{
    (void)sink;
    return TPROF_OK;
}

static void memory_release(tp_sink *sink)
{
    free(((memory_sink *)sink)->data);
    free(sink);
}

tprof_status tp_sink_memory_open(size_t limit, tp_sink **out)
{
    memory_sink *memory = calloc(1, sizeof(*memory));
    *out = NULL;
    if (!memory)
        return TPROF_ERR_MEMORY;
    memory->sink.write = memory_write;
    memory->sink.finish = memory_finish;
    memory->sink.release = memory_release;
    memory->limit = limit ? limit : SIZE_MAX / 2;
    *out = &memory->sink;
    return TPROF_OK;
}

const char *tp_sink_memory_data(const tp_sink *sink, size_t *size)
{
    const memory_sink *memory = (const memory_sink *)sink;
    if (size)
        *size = memory->used;
    return memory->data ? memory->data : "";
}
