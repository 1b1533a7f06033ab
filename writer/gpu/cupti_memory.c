// SPDX-License-Identifier: BSD-3-Clause
// Pure: records of device memory -> events with totals.
#include "gpu/cupti_convert.h"
#include "gpu/cupti_names.h"

#include <stdlib.h>

// Memory that lies on the device; what the host pins is not the device's.
static bool is_device_memory(uint32_t kind)
{
    return kind >= 3 && kind <= 7;
}

// A total that no sequence of records can make overflow. What is more than there is was given
// before the profiler came: such memory was never added, and so is not taken away.
static void add_bounded(int64_t *total, int64_t bytes)
{
    int64_t sum;
    if (!__builtin_add_overflow(*total, bytes, &sum) && sum >= 0)
        *total = sum;
}

static bool set_memory(tp_cupti_batch *batch, uint64_t timestamp, uint32_t device,
                       tp_device_memory memory, tp_gpu_event *event)
{
    if (device >= TPROF_DEVICES ||
        !tp_convert_common(batch, timestamp, timestamp, event->correlation, event))
        return false;

    const uint64_t *thread = tp_link_map_find(&batch->threads, event->correlation);
    event->kind = TP_GPU_MEMORY;
    event->device = device;
    event->memory = memory;
    event->memory.tid = thread ? (int64_t)*thread : 0;
    return true;
}

bool tp_convert_memory(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(memory, m, record, size);
    if (!is_device_memory(m.memory_kind) || m.operation < 1 || m.operation > 2 ||
        m.bytes > INT64_MAX)
        return false;

    const int64_t bytes = (int64_t)m.bytes;
    event->name = TPROF_NAME_MEMORY;
    event->correlation = m.correlation_id;
    event->context = m.context_id;
    event->stream = m.stream_id;
    return set_memory(batch, m.timestamp, m.device_id,
                      (tp_device_memory){.pid = m.process_id,
                                         .address = m.address,
                                         .bytes = m.operation == 1 ? bytes : -bytes,
                                         .reserved = TP_CUPTI_NO_POOL},
                      event);
}

// What a pool holds from the driver is memory that the device's allocator has reserved.
bool tp_convert_pool(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(memory_pool, p, record, size);
    if (p.pool_type != 1 || p.device_id >= TPROF_DEVICES || p.size > INT64_MAX)
        return false;

    event->name = tp_cupti_pool_word(p.operation);
    event->correlation = p.correlation_id;
    return set_memory(batch, p.timestamp, p.device_id,
                      (tp_device_memory){.pid = p.process_id,
                                         .address = p.address,
                                         .reserved = p.operation == 2 ? 0 : (int64_t)p.size},
                      event);
}

static int compare_times(const void *left, const void *right)
{
    const tp_gpu_event *a = left;
    const tp_gpu_event *b = right;

    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    if (a->correlation != b->correlation)
        return a->correlation < b->correlation ? -1 : 1;
    return (a->memory.bytes < b->memory.bytes) - (a->memory.bytes > b->memory.bytes);
}

void tp_cupti_sum_memory(tp_cupti_batch *batch, tp_gpu_event *events, size_t count)
{
    if (count)
        qsort(events, count, sizeof(*events), compare_times);
    for (size_t i = 0; i < count; i++) {
        tp_device_memory *memory = &events[i].memory;
        int64_t *reserved = &batch->reserved[events[i].device];
        uint64_t *held = memory->reserved == TP_CUPTI_NO_POOL
                             ? NULL
                             : tp_link_map_at(&batch->pools, memory->address);

        add_bounded(&batch->allocated[events[i].device], memory->bytes);
        if (held) {
            add_bounded(reserved, memory->reserved - (int64_t)*held);
            *held = (uint64_t)memory->reserved;
        } else if (memory->reserved != TP_CUPTI_NO_POOL) {
            batch->lost++;
        }
        memory->allocated = batch->allocated[events[i].device];
        memory->reserved = *reserved;
    }
}
