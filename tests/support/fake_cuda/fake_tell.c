// SPDX-License-Identifier: BSD-3-Clause
// What the stand-in of the driver tells becomes records.
#include "fake_cupti.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Thread_local uint64_t links[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE][FAKE_LINKS];
static _Thread_local uint32_t link_depth[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE];

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// CLOCK_REALTIME less CLOCK_MONOTONIC. Stays to the ns until the time is set, so that durations are
// those of the script.
static uint64_t realtime_offset(void)
{
    enum { SET_NS = 100000 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t known;
    uint64_t before, now, after;

    do {
        before = read_ns(CLOCK_MONOTONIC);
        now = read_ns(CLOCK_REALTIME);
        after = read_ns(CLOCK_MONOTONIC);
    } while (after - before > SET_NS / 20);
    const uint64_t fresh = now - before - (after - before) / 2;
    pthread_mutex_lock(&lock);
    if (fresh - known + SET_NS > 2 * SET_NS)
        known = fresh;
    const uint64_t offset = known;
    pthread_mutex_unlock(&lock);
    return offset;
}

uint64_t fake_stamp(uint64_t monotonic_ns)
{
    return monotonic_ns + realtime_offset() + (uint64_t)fake_script_read()->clock_ns;
}

static void emit_links(uint32_t correlation)
{
    for (uint32_t kind = 1; kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; kind++) {
        if (link_depth[kind] == 0)
            continue;
        const tp_cupti_external record = {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, kind,
                                          links[kind][link_depth[kind] - 1], correlation, 0};
        if (fake_script_read()->late)
            fake_emit_late(&record);
        else
            fake_emit(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, &record);
    }
}

static void tell_call(const fake_call *call)
{
    const tp_cupti_api record = {
        .kind = call->kind,
        .callback_id = call->callback_id,
        .start = fake_stamp(call->start_ns),
        .end = fake_stamp(call->end_ns),
        .process_id = (uint32_t)getpid(),
        .thread_id = call->thread,
        .correlation_id = call->correlation,
    };
    if (!fake_is_enabled(call->kind))
        return;
    emit_links(call->correlation);
    fake_emit(call->kind, &record);
}

static void tell_kernel(const fake_work *work)
{
    tp_cupti_kernel record = {
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .registers_per_thread = work->kernel->registers,
        .start = fake_stamp(work->start_ns),
        .end = fake_stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .static_shared_memory = work->kernel->static_shared_memory,
        .dynamic_shared_memory = work->dynamic_shared_memory,
        .correlation_id = work->correlation,
        .name = work->kernel->name,
        .graph_id = work->graph,
        .graph_node_id = work->graph_node,
        .channel_id = 5,
        .channel_type = 1,
    };
    memcpy(record.grid, work->grid, sizeof(record.grid));
    memcpy(record.block, work->block, sizeof(record.block));
    fake_emit(record.kind, &record);
}

static void tell_copy(const fake_work *work)
{
    const tp_cupti_memcpy record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMCPY,
        .copy_kind = work->copy_kind,
        .source_kind = work->from,
        .target_kind = work->to,
        .bytes = work->bytes,
        .start = fake_stamp(work->start_ns),
        .end = fake_stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .correlation_id = work->correlation,
    };
    fake_emit(record.kind, &record);
}

static void tell_peer_copy(const fake_work *work)
{
    const tp_cupti_memcpy_peer record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
        .copy_kind = work->copy_kind,
        .source_kind = work->from,
        .target_kind = work->to,
        .bytes = work->bytes,
        .start = fake_stamp(work->start_ns),
        .end = fake_stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .source_device_id = work->device,
        .source_context_id = work->context,
        .target_device_id = work->target_device,
        .target_context_id = work->target_device + 1,
        .correlation_id = work->correlation,
    };
    fake_emit(record.kind, &record);
}

static void tell_memset(const fake_work *work)
{
    const tp_cupti_memset record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMSET,
        .bytes = work->bytes,
        .start = fake_stamp(work->start_ns),
        .end = fake_stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .correlation_id = work->correlation,
        .memory_kind = 3,
    };
    fake_emit(record.kind, &record);
}

static void tell_work(const fake_work *work)
{
    switch (work->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        tell_kernel(work);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        tell_copy(work);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        tell_peer_copy(work);
        break;
    default:
        tell_memset(work);
        break;
    }
}

static void tell_wait(const fake_wait *wait)
{
    const tp_cupti_sync record = {
        .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
        .type = wait->type,
        .start = fake_stamp(wait->start_ns),
        .end = fake_stamp(wait->end_ns),
        .correlation_id = wait->correlation,
        .context_id = wait->context,
        .stream_id = wait->stream,
        .event_id = wait->event,
        .event_sync_id = wait->recording,
    };
    fake_emit(record.kind, &record);
}

static bool event_timestamps;

void fake_event_timestamps(bool on)
{
    event_timestamps = on;
}

static void tell_event(const fake_event *event)
{
    const tp_cupti_cuda_event record = {
        .kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
        .correlation_id = event->correlation,
        .context_id = event->context,
        .stream_id = event->stream,
        .event_id = event->event,
        .device_id = event->device,
        .device_timestamp = event_timestamps ? fake_stamp(event->at_ns) : 0,
        .event_sync_id = event->recording,
    };
    fake_emit(record.kind, &record);
}

static void tell_memory(const fake_memory *memory)
{
    const tp_cupti_memory record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMORY2,
        .operation = memory->operation,
        .memory_kind = 3,
        .correlation_id = memory->correlation,
        .address = memory->address,
        .bytes = memory->bytes,
        .timestamp = fake_stamp(memory->at_ns),
        .process_id = (uint32_t)getpid(),
        .device_id = memory->device,
        .context_id = memory->context,
    };
    fake_emit(record.kind, &record);
}

static void tell_overhead(uint64_t start_ns, uint64_t end_ns, void *data)
{
    const tp_cupti_overhead record = {
        .kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
        .overhead_kind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH,
        .start = fake_stamp(start_ns),
        .end = fake_stamp(end_ns),
        .data = data,
    };
    fake_emit(record.kind, &record);
}

FAKE_API const fake_sink fake_cupti_sink;
const fake_sink fake_cupti_sink = {tell_call,  tell_work,   tell_wait,
                                   tell_event, tell_memory, tell_overhead};

CUptiResult fake_push(uint32_t kind, uint64_t id)
{
    if (link_depth[kind] == FAKE_LINKS)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    links[kind][link_depth[kind]++] = id;
    return CUPTI_SUCCESS;
}

CUptiResult fake_pop(uint32_t kind, uint64_t *id)
{
    if (link_depth[kind] == 0)
        return CUPTI_ERROR_QUEUE_EMPTY;
    *id = links[kind][--link_depth[kind]];
    return CUPTI_SUCCESS;
}
