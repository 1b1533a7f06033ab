// SPDX-License-Identifier: BSD-3-Clause
// Pure: one of CUPTI's records -> an event. Calls and overhead are made here.
#include "gpu/cupti_convert.h"

#include "gpu/cupti_names.h"

// Times beyond this are no times: 146 years of ns.
#define TIME_LIMIT (UINT64_MAX / 4)

static void set_owner(const tp_link_map *owners, uint32_t correlation, tp_gpu_event *event)
{
    const uint64_t *owner = tp_link_map_find(owners, correlation);
    if (!owner)
        return;
    if (*owner >> 32)
        event->op_id = (uint32_t)(*owner >> 32);
    if ((uint32_t)*owner)
        event->annotation_id = (uint32_t)*owner;
}

bool tp_convert_common(tp_cupti_batch *batch, uint64_t start, uint64_t end, uint32_t correlation,
                       tp_gpu_event *event)
{
    if (start == 0 || end < start || end > TIME_LIMIT) {
        batch->unfinished++;
        return false;
    }
    event->begin_ns = batch->hooks.to_trace_ns(batch->hooks.arg, start);
    event->end_ns = event->begin_ns + (int64_t)(end - start);
    event->correlation = correlation;

    set_owner(&batch->owners_before, correlation, event);
    set_owner(&batch->owners, correlation, event);
    return true;
}

static bool convert_api(tp_cupti_batch *batch, bool driver, const void *record, size_t size,
                        tp_gpu_event *event)
{
    TP_CUPTI_READ(api, a, record, size);
    const tp_cupti_function *function =
        batch->hooks.function(batch->hooks.arg, driver, a.callback_id);
    if (!function->kept || !tp_convert_common(batch, a.start, a.end, a.correlation_id, event))
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
    if (!tp_convert_common(batch, n.start, n.end, n.correlation_id, event))
        return false;

    event->kind = TP_GPU_RUNTIME;
    event->name = "CUDA Graph host node";
    event->device = n.device_id;
    event->context = n.context_id;
    event->call = (tp_call){.pid = n.process_id, .tid = n.thread_id};
    return true;
}

static bool convert_overhead(tp_cupti_batch *batch, const void *record, size_t size,
                             tp_gpu_event *event)
{
    TP_CUPTI_READ(overhead, o, record, size);
    const uint32_t correlation =
        TP_CUPTI_HAS(tp_cupti_overhead, correlation_id, size) ? o.correlation_id : 0;
    if (!tp_convert_common(batch, o.start, o.end, correlation, event))
        return false;
    event->kind = TP_GPU_OVERHEAD;
    event->name = tp_cupti_overhead_word(o.overhead_kind);
    return true;
}

static bool convert_jit(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    TP_CUPTI_READ(jit, j, record, size);
    if (!tp_convert_common(batch, j.start, j.end, j.correlation_id, event))
        return false;
    event->kind = TP_GPU_OVERHEAD;
    event->name = tp_cupti_jit_word(j.entry_type, j.operation);
    event->device = j.device_id;
    return true;
}

// Whether the profiler itself made the call: its waits for the device are not the program's.
static bool is_own(const tp_cupti_batch *batch, uint32_t correlation)
{
    return correlation && (tp_link_map_find(&batch->own, correlation) ||
                           tp_link_map_find(&batch->own_before, correlation));
}

bool tp_cupti_convert(tp_cupti_batch *batch, uint32_t kind, const void *record, size_t size,
                      tp_gpu_event *event)
{
    static const tp_converter converters[TP_CUPTI_KINDS] = {
        [TP_CUPTI_CONCURRENT_KERNEL] = tp_convert_kernel,
        [TP_CUPTI_MEMCPY] = tp_convert_memcpy,
        [TP_CUPTI_MEMCPY2] = tp_convert_peer,
        [TP_CUPTI_MEMSET] = tp_convert_memset,
        [TP_CUPTI_SYNCHRONIZATION] = tp_convert_sync,
        [TP_CUPTI_CUDA_EVENT] = tp_convert_cuda_event,
        [TP_CUPTI_OVERHEAD] = convert_overhead,
        [TP_CUPTI_JIT] = convert_jit,
        [TP_CUPTI_MEMORY2] = tp_convert_memory,
        [TP_CUPTI_MEMORY_POOL] = tp_convert_pool,
        [TP_CUPTI_GRAPH_TRACE] = tp_convert_graph,
        [TP_CUPTI_MEM_DECOMPRESS] = tp_convert_decompress,
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
