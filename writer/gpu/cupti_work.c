// SPDX-License-Identifier: BSD-3-Clause
// Pure: records of what devices do -> events.
#include "gpu/cupti_convert.h"
#include "gpu/cupti_names.h"
#include "gpu/occupancy.h"

enum { NAME_BYTES = 96 };

static const char *interned(const tp_cupti_batch *batch, const char *text)
{
    return batch->hooks.intern(batch->hooks.arg, text);
}

bool tp_convert_kernel(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(kernel, k, record, size);
    if (!tp_convert_common(batch, k.start, k.end, k.correlation_id, event))
        return false;

    event->kind = TP_GPU_KERNEL;
    event->name = batch->hooks.kernel_name(batch->hooks.arg, k.name);
    event->device = k.device_id;
    event->context = k.context_id;
    event->stream = k.stream_id;

    const bool has_channel = TP_CUPTI_HAS(tp_cupti_kernel, channel_type, size);
    tp_kernel *kernel = &event->kernel;
    *kernel = (tp_kernel){
        .queued_ns = (int64_t)k.queued,
        .registers_per_thread = k.registers_per_thread,
        .static_shared_memory = k.static_shared_memory,
        .dynamic_shared_memory = k.dynamic_shared_memory,
        .graph_id = k.graph_id,
        .graph_node_id = k.graph_node_id,
        .priority = TP_CUPTI_HAS(tp_cupti_kernel, priority, size) ? k.priority : INT32_MIN,
        .channel = has_channel ? (int32_t)k.channel_id : INT32_MIN,
        .channel_type = has_channel ? (int32_t)k.channel_type : INT32_MIN,
    };
    memcpy(kernel->grid, k.grid, sizeof(k.grid));
    memcpy(kernel->block, k.block, sizeof(k.block));
    tp_occupancy_fill(kernel, batch->hooks.device(batch->hooks.arg, k.device_id));
    return true;
}

bool tp_convert_memcpy(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(memcpy, m, record, size);
    if (!tp_convert_common(batch, m.start, m.end, m.correlation_id, event))
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

bool tp_convert_peer(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(memcpy_peer, m, record, size);
    if (!tp_convert_common(batch, m.start, m.end, m.correlation_id, event))
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

bool tp_convert_memset(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(memset, m, record, size);
    if (!tp_convert_common(batch, m.start, m.end, m.correlation_id, event))
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

bool tp_convert_decompress(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event)
{
    TP_CUPTI_READ(decompress, d, record, size);
    if (!tp_convert_common(batch, d.start, d.end, d.correlation_id, event))
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
bool tp_convert_graph(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(graph_trace, g, record, size);
    if (!tp_convert_common(batch, g.start, g.end, g.correlation_id, event))
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
