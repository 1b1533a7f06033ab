// SPDX-License-Identifier: BSD-3-Clause
// Pure: one of CUPTI's records -> an event.
#include "gpu/cupti_names.h"
#include "gpu/cupti_records.h"
#include "gpu/occupancy.h"

#include <stdlib.h>
#include <string.h>

// Whether the library that wrote a record knows a field.
#define HAS(type, field, size) ((size) >= offsetof(type, field) + sizeof(((type *)0)->field))

enum { NAME_BYTES = 96 };

// Times beyond this are no times: 146 years of ns.
#define TIME_LIMIT (UINT64_MAX / 4)

static const char *interned(const tp_cupti_batch *batch, const char *text)
{
    return batch->hooks.intern(batch->hooks.arg, text);
}

// Sets times and owners. False for work without times, which is counted.
static bool set_common(tp_cupti_batch *batch, uint64_t start, uint64_t end, uint32_t correlation,
                       tp_gpu_event *event)
{
    if (start == 0 || end < start || end > TIME_LIMIT) {
        batch->unfinished++;
        return false;
    }
    event->begin_ns = batch->hooks.to_trace_ns(batch->hooks.arg, start);
    event->end_ns = event->begin_ns + (int64_t)(end - start);
    event->correlation = correlation;

    const uint64_t *owner = tp_link_map_find(&batch->owners, correlation);
    if (owner) {
        event->op_id = (uint32_t)(*owner >> 32);
        event->annotation_id = (uint32_t)*owner;
    }
    return true;
}

static bool convert_kernel(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
{
    TP_CUPTI_READ(kernel, k, record, size);
    if (!set_common(batch, k.start, k.end, k.correlation_id, event))
        return false;

    event->kind = TP_GPU_KERNEL;
    event->name = batch->hooks.kernel_name(batch->hooks.arg, k.name);
    event->device = k.device_id;
    event->context = k.context_id;
    event->stream = k.stream_id;

    const bool has_channel = HAS(tp_cupti_kernel, channel_type, size);
    tp_kernel *kernel = &event->kernel;
    *kernel = (tp_kernel){
        .queued_ns = (int64_t)k.queued,
        .registers_per_thread = k.registers_per_thread,
        .static_shared_memory = k.static_shared_memory,
        .dynamic_shared_memory = k.dynamic_shared_memory,
        .graph_id = k.graph_id,
        .graph_node_id = k.graph_node_id,
        .priority = HAS(tp_cupti_kernel, priority, size) ? k.priority : INT32_MIN,
        .channel = has_channel ? (int32_t)k.channel_id : INT32_MIN,
        .channel_type = has_channel ? (int32_t)k.channel_type : INT32_MIN,
    };
    memcpy(kernel->grid, k.grid, sizeof(k.grid));
    memcpy(kernel->block, k.block, sizeof(k.block));
    tp_occupancy_fill(kernel, batch->hooks.device(batch->hooks.arg, k.device_id));
    return true;
}

static bool convert_memcpy(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
{
    TP_CUPTI_READ(memcpy, m, record, size);
    if (!set_common(batch, m.start, m.end, m.correlation_id, event))
        return false;

    char name[NAME_BYTES];
    tp_cupti_copy_name(m.copy_kind, m.source_kind, m.target_kind, name, sizeof(name));
    event->kind = TP_GPU_MEMCPY;
    event->name = interned(batch, name);
    event->device = m.device_id;
    event->context = m.context_id;
    event->stream = m.stream_id;
    event->copy =
        (tp_copy){.bytes = m.bytes, .graph_id = m.graph_id, .graph_node_id = m.graph_node_id};
    return true;
}

static bool convert_peer(tp_cupti_batch *batch, const void *record, size_t size,
                         tp_gpu_event *event)
{
    TP_CUPTI_READ(memcpy_peer, m, record, size);
    if (!set_common(batch, m.start, m.end, m.correlation_id, event))
        return false;

    char name[NAME_BYTES];
    tp_cupti_copy_name(m.copy_kind, m.source_kind, m.target_kind, name, sizeof(name));
    event->kind = TP_GPU_MEMCPY;
    event->name = interned(batch, name);
    event->device = m.device_id;
    event->context = m.context_id;
    event->stream = m.stream_id;
    event->copy = (tp_copy){
        .bytes = m.bytes,
        .graph_id = m.graph_id,
        .graph_node_id = m.graph_node_id,
        .peer = true,
        .from_device = m.source_device_id,
        .in_device = m.device_id,
        .to_device = m.target_device_id,
        .from_context = m.source_context_id,
        .in_context = m.context_id,
        .to_context = m.target_context_id,
    };
    return true;
}

static bool convert_memset(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
{
    TP_CUPTI_READ(memset, m, record, size);
    if (!set_common(batch, m.start, m.end, m.correlation_id, event))
        return false;

    event->kind = TP_GPU_MEMSET;
    event->name = "Memset (Device)";
    event->device = m.device_id;
    event->context = m.context_id;
    event->stream = m.stream_id;
    event->copy =
        (tp_copy){.bytes = m.bytes, .graph_id = m.graph_id, .graph_node_id = m.graph_node_id};
    return true;
}

static bool convert_decompress(tp_cupti_batch *batch, const void *record, size_t size,
                               tp_gpu_event *event)
{
    TP_CUPTI_READ(decompress, d, record, size);
    if (!set_common(batch, d.start, d.end, d.correlation_id, event))
        return false;

    event->kind = TP_GPU_MEMCPY;
    event->name = "Memory Decompress";
    event->device = d.device_id;
    event->context = d.context_id;
    event->stream = d.stream_id;
    event->copy = (tp_copy){.bytes = d.source_bytes};
    return true;
}

// A whole graph as one piece of work, where the library was asked for that instead of nodes.
static bool convert_graph(tp_cupti_batch *batch, const void *record, size_t size,
                          tp_gpu_event *event)
{
    TP_CUPTI_READ(graph_trace, g, record, size);
    if (!set_common(batch, g.start, g.end, g.correlation_id, event))
        return false;

    event->kind = TP_GPU_KERNEL;
    event->name = "CUDA Graph";
    event->device = g.device_id;
    event->context = g.context_id;
    event->stream = g.stream_id;
    event->kernel = (tp_kernel){.graph_id = g.graph_id,
                                .priority = INT32_MIN,
                                .channel = INT32_MIN,
                                .channel_type = INT32_MIN};
    tp_occupancy_fill(&event->kernel, NULL);
    return true;
}

static bool convert_api(tp_cupti_batch *batch, bool driver, const void *record, size_t size,
                        tp_gpu_event *event)
{
    TP_CUPTI_READ(api, a, record, size);
    const tp_cupti_function *function =
        batch->hooks.function(batch->hooks.arg, driver, a.callback_id);
    if (!function->kept || !set_common(batch, a.start, a.end, a.correlation_id, event))
        return false;

    event->kind = driver ? TP_GPU_DRIVER : TP_GPU_RUNTIME;
    event->name = function->name;
    event->call = (tp_call){
        .pid = a.process_id,
        .tid = a.thread_id,
        .cbid = a.callback_id,
        .return_value = a.return_value,
        .starts_flow = function->starts_flow,
    };
    return true;
}

// A function of the program that a graph ran on a host thread.
static bool convert_host_node(tp_cupti_batch *batch, const void *record, size_t size,
                              tp_gpu_event *event)
{
    TP_CUPTI_READ(host_node, n, record, size);
    if (!set_common(batch, n.start, n.end, n.correlation_id, event))
        return false;

    event->kind = TP_GPU_RUNTIME;
    event->name = "CUDA Graph host node";
    event->device = n.device_id;
    event->context = n.context_id;
    event->call = (tp_call){.pid = n.process_id, .tid = n.thread_id};
    return true;
}

static int compare_record_calls(const void *left, const void *right)
{
    const tp_cupti_record_call *a = left;
    const tp_cupti_record_call *b = right;

    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return (a->correlation > b->correlation) - (a->correlation < b->correlation);
}

// The last recording of the event before the wait; NULL where none was seen.
static const tp_cupti_record_call *last_recording(tp_cupti_batch *batch, const tp_cupti_sync *wait)
{
    const tp_cupti_record_call want = {wait->context_id, wait->event_id, wait->correlation_id, 0};
    size_t low = 0;
    size_t high = batch->record_count;

    if (!batch->records_sorted && batch->record_count)
        qsort(batch->records, batch->record_count, sizeof(*batch->records), compare_record_calls);
    batch->records_sorted = true;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_record_calls(&batch->records[middle], &want) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const tp_cupti_record_call *found = &batch->records[low - 1];
    return found->context == want.context && found->event == want.event ? found : NULL;
}

static int64_t stream_number(uint32_t stream)
{
    return stream == TP_GPU_NONE ? -1 : (int64_t)stream;
}

static void set_wait(tp_cupti_batch *batch, const tp_cupti_sync *s, tp_sync *sync)
{
    sync->has_event = true;
    sync->wait_on_event = s->event_id;
    sync->wait_on_stream = sync->wait_on_record_correlation = -1;

    // Newer libraries number each recording; in older ones it is the last one before.
    const uint64_t *exact =
        s->event_sync_id ? tp_link_map_find(&batch->syncs, s->event_sync_id) : NULL;
    if (exact) {
        sync->wait_on_stream = stream_number((uint32_t)(*exact >> 32));
        sync->wait_on_record_correlation = (int64_t)(*exact & UINT32_MAX);
        return;
    }
    const tp_cupti_record_call *call = last_recording(batch, s);
    if (call) {
        sync->wait_on_stream = stream_number(call->stream);
        sync->wait_on_record_correlation = call->correlation;
    }
}

static bool convert_sync(tp_cupti_batch *batch, const void *record, size_t size,
                         tp_gpu_event *event)
{
    TP_CUPTI_READ(sync, s, record, size);
    const char *kind = tp_cupti_sync_word(s.type);
    if (!kind || !set_common(batch, s.start, s.end, s.correlation_id, event))
        return false;

    const uint64_t *device = tp_link_map_find(&batch->contexts, s.context_id);
    event->kind = TP_GPU_SYNC;
    event->name = kind;
    event->device = device ? (uint32_t)*device : 0;
    event->context = s.context_id;
    event->stream = s.stream_id;
    event->sync = (tp_sync){.kind = kind};
    if (s.type <= 2)
        set_wait(batch, &s, &event->sync);
    return true;
}

static bool convert_cuda_event(tp_cupti_batch *batch, const void *record, size_t size,
                               tp_gpu_event *event)
{
    TP_CUPTI_READ(cuda_event, e, record, size);
    // Most libraries do not say when the device came to the event. It is a partner of waits then.
    if (e.device_timestamp == 0 ||
        !set_common(batch, e.device_timestamp, e.device_timestamp + 1, e.correlation_id, event))
        return false;

    const uint64_t *device = tp_link_map_find(&batch->contexts, e.context_id);
    event->kind = TP_GPU_EVENT;
    event->name = "cudaEventRecord";
    event->device = HAS(tp_cupti_cuda_event, device_id, size) ? e.device_id
                    : device                                  ? (uint32_t)*device
                                                              : 0;
    event->context = e.context_id;
    event->stream = e.stream_id;
    event->event = (tp_cuda_event){e.event_id};
    return true;
}

static bool convert_overhead(tp_cupti_batch *batch, const void *record, size_t size,
                             tp_gpu_event *event)
{
    TP_CUPTI_READ(overhead, o, record, size);
    const uint32_t correlation =
        HAS(tp_cupti_overhead, correlation_id, size) ? o.correlation_id : 0;
    if (!set_common(batch, o.start, o.end, correlation, event))
        return false;
    event->kind = TP_GPU_OVERHEAD;
    event->name = tp_cupti_overhead_word(o.overhead_kind);
    return true;
}

static bool convert_jit(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(jit, j, record, size);
    if (!set_common(batch, j.start, j.end, j.correlation_id, event))
        return false;
    event->kind = TP_GPU_OVERHEAD;
    event->name = tp_cupti_jit_word(j.entry_type, j.operation);
    event->device = j.device_id;
    return true;
}

// Memory that lies on the device; what the host pins is not the device's.
static bool is_device_memory(uint32_t kind)
{
    return kind >= 3 && kind <= 7;
}

// A total that no sequence of records can make overflow.
static void add_bounded(int64_t *total, int64_t bytes)
{
    int64_t sum;
    if (!__builtin_add_overflow(*total, bytes, &sum))
        *total = sum;
}

static bool set_memory(tp_cupti_batch *batch, uint64_t timestamp, uint32_t device,
                       tp_device_memory memory, tp_gpu_event *event)
{
    if (device >= TPROF_DEVICES ||
        !set_common(batch, timestamp, timestamp, event->correlation, event))
        return false;

    const uint64_t *thread = tp_link_map_find(&batch->threads, event->correlation);
    add_bounded(&batch->allocated[device], memory.bytes);
    event->kind = TP_GPU_MEMORY;
    event->device = device;
    event->memory = memory;
    event->memory.tid = thread ? (int64_t)*thread : 0;
    event->memory.allocated = batch->allocated[device];
    event->memory.reserved = batch->reserved[device];
    return true;
}

static bool convert_memory(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
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
                                         .bytes = m.operation == 1 ? bytes : -bytes},
                      event);
}

// What a pool holds from the driver is memory that the device's allocator has reserved.
static bool convert_pool(tp_cupti_batch *batch, const void *record, size_t size,
                         tp_gpu_event *event)
{
    TP_CUPTI_READ(memory_pool, p, record, size);
    if (p.pool_type != 1 || p.device_id >= TPROF_DEVICES || p.size > INT64_MAX)
        return false;

    uint64_t *held = tp_link_map_at(&batch->pools, p.address);
    if (!held) {
        batch->lost++;
        return false;
    }
    const uint64_t now = p.operation == 2 ? 0 : p.size;
    add_bounded(&batch->reserved[p.device_id], (int64_t)now - (int64_t)*held);
    *held = now;

    event->name = tp_cupti_pool_word(p.operation);
    event->correlation = p.correlation_id;
    return set_memory(batch, p.timestamp, p.device_id,
                      (tp_device_memory){.pid = p.process_id, .address = p.address}, event);
}

// Whether the profiler itself made the call: its waits for the device are not the program's.
static bool is_own(const tp_cupti_batch *batch, uint32_t correlation)
{
    return correlation && tp_link_map_find(&batch->own, correlation);
}

bool tp_cupti_convert(tp_cupti_batch *batch, uint32_t kind, const void *record, size_t size,
                      tp_gpu_event *event)
{
    typedef bool (*converter)(tp_cupti_batch *, const void *, size_t, tp_gpu_event *);
    static const converter converters[TP_CUPTI_KINDS] = {
        [TP_CUPTI_CONCURRENT_KERNEL] = convert_kernel,
        [TP_CUPTI_MEMCPY] = convert_memcpy,
        [TP_CUPTI_MEMCPY2] = convert_peer,
        [TP_CUPTI_MEMSET] = convert_memset,
        [TP_CUPTI_SYNCHRONIZATION] = convert_sync,
        [TP_CUPTI_CUDA_EVENT] = convert_cuda_event,
        [TP_CUPTI_OVERHEAD] = convert_overhead,
        [TP_CUPTI_JIT] = convert_jit,
        [TP_CUPTI_MEMORY2] = convert_memory,
        [TP_CUPTI_MEMORY_POOL] = convert_pool,
        [TP_CUPTI_GRAPH_TRACE] = convert_graph,
        [TP_CUPTI_MEM_DECOMPRESS] = convert_decompress,
        [TP_CUPTI_GRAPH_HOST_NODE] = convert_host_node,
    };

    *event = (tp_gpu_event){.device = TP_GPU_NONE, .context = TP_GPU_NONE, .stream = TP_GPU_NONE};
    bool made = false;
    if (kind == TP_CUPTI_RUNTIME || kind == TP_CUPTI_DRIVER)
        made = convert_api(batch, kind == TP_CUPTI_DRIVER, record, size, event);
    else if (kind < TP_CUPTI_KINDS && converters[kind])
        made = converters[kind](batch, record, size, event);
    return made && !is_own(batch, event->correlation);
}
