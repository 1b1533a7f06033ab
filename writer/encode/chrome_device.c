// SPDX-License-Identifier: BSD-3-Clause
// Device events of a Chrome trace, the calls that made them, arrows between the two, and the rows
// of devices and streams.
#include "encode/chrome_out.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SYNC_ROW = 1000000
}; // what a stream's synchronisation is moved by, so as to nest with nothing

static tprof_category category_of(tp_gpu_kind kind)
{
    static const tprof_category categories[] = {
        [TP_GPU_KERNEL] = TPROF_CATEGORY_KERNEL,
        [TP_GPU_MEMCPY] = TPROF_CATEGORY_GPU_MEMCPY,
        [TP_GPU_MEMSET] = TPROF_CATEGORY_GPU_MEMSET,
        [TP_GPU_RUNTIME] = TPROF_CATEGORY_CUDA_RUNTIME,
        [TP_GPU_DRIVER] = TPROF_CATEGORY_CUDA_DRIVER,
        [TP_GPU_SYNC] = TPROF_CATEGORY_CUDA_SYNC,
        [TP_GPU_EVENT] = TPROF_CATEGORY_CUDA_EVENT,
        [TP_GPU_OVERHEAD] = TPROF_CATEGORY_OVERHEAD,
        [TP_GPU_MEMORY] = TPROF_CATEGORY_CPU_INSTANT_EVENT,
        [TP_GPU_ANNOTATION] = TPROF_CATEGORY_GPU_USER_ANNOTATION,
    };
    return categories[kind];
}

static bool is_call(const tp_gpu_event *event)
{
    return event->kind == TP_GPU_RUNTIME || event->kind == TP_GPU_DRIVER;
}

// An id as files have it: -1 for none.
static int64_t id_or_none(uint32_t id)
{
    return id == TP_GPU_NONE ? -1 : (int64_t)id;
}

// The row of the viewer that an event stands in.
static void place_of(const tp_gpu_event *event, int64_t *pid, int64_t *tid)
{
    *pid = id_or_none(event->device);
    *tid = event->stream == TP_GPU_NONE ? 1 : (int64_t)event->stream;
    if (is_call(event)) {
        *pid = event->call.pid;
        *tid = event->call.tid;
    } else if (event->kind == TP_GPU_MEMORY) {
        *pid = event->memory.pid;
        *tid = event->memory.tid;
    } else if (event->kind == TP_GPU_OVERHEAD) {
        *pid = -1;
        *tid = 0;
    } else if (event->kind == TP_GPU_SYNC && event->stream != TP_GPU_NONE) {
        *tid += SYNC_ROW;
    }
}

// The key of an arg, with the comma after the one before.
static void put_key(chrome_out *out, tprof_arg arg)
{
    const char *word = tprof_arg_word(arg);

    if (out->any_arg)
        CHROME_PUT(out, ", ");
    out->any_arg = true;
    CHROME_PUT(out, "\"");
    tp_chrome_text(out, word, strlen(word));
    CHROME_PUT(out, "\": ");
}

static void put_int(chrome_out *out, tprof_arg arg, int64_t value)
{
    put_key(out, arg);
    chrome_int(out, value);
}

static void put_double(chrome_out *out, tprof_arg arg, double value)
{
    put_key(out, arg);
    chrome_double(out, value);
}

static void put_triple(chrome_out *out, tprof_arg arg, const int32_t numbers[3])
{
    put_key(out, arg);
    for (int i = 0; i < 3; i++) {
        chrome_put(out, i ? ", " : "[", i ? 2 : 1);
        chrome_int(out, numbers[i]);
    }
    CHROME_PUT(out, "]");
}

static void put_place(chrome_out *out, const tp_gpu_event *event)
{
    put_int(out, TPROF_ARG_DEVICE, id_or_none(event->device));
    put_int(out, TPROF_ARG_CONTEXT, id_or_none(event->context));
    put_int(out, TPROF_ARG_STREAM, id_or_none(event->stream));
    put_int(out, TPROF_ARG_CORRELATION, event->correlation);
}

static void put_graph(chrome_out *out, uint32_t graph, uint64_t node)
{
    if (!graph)
        return;
    put_int(out, TPROF_ARG_GRAPH_ID, graph);
    put_int(out, TPROF_ARG_GRAPH_NODE_ID, (int64_t)node);
}

static void put_kernel(chrome_out *out, const tp_gpu_event *event)
{
    const tp_kernel *kernel = &event->kernel;

    put_int(out, TPROF_ARG_QUEUED, kernel->queued_ns);
    put_place(out, event);
    put_int(out, TPROF_ARG_REGISTERS_PER_THREAD, kernel->registers_per_thread);
    put_int(out, TPROF_ARG_SHARED_MEMORY,
            (int64_t)kernel->static_shared_memory + kernel->dynamic_shared_memory);
    if (kernel->blocks_per_sm >= 0)
        put_double(out, TPROF_ARG_BLOCKS_PER_SM, kernel->blocks_per_sm);
    if (kernel->warps_per_sm >= 0)
        put_double(out, TPROF_ARG_WARPS_PER_SM, kernel->warps_per_sm);
    put_triple(out, TPROF_ARG_GRID, kernel->grid);
    put_triple(out, TPROF_ARG_BLOCK, kernel->block);
    if (kernel->occupancy_percent != INT32_MIN)
        put_int(out, TPROF_ARG_OCCUPANCY_PERCENT, kernel->occupancy_percent);
    if (kernel->occupancy_ratio >= 0)
        put_double(out, TPROF_ARG_CORRECTED_OCCUPANCY, kernel->occupancy_ratio);
    put_graph(out, kernel->graph_id, kernel->graph_node_id);
    if (kernel->priority != INT32_MIN)
        put_int(out, TPROF_ARG_PRIORITY, kernel->priority);
    if (kernel->channel != INT32_MIN)
        put_int(out, TPROF_ARG_CHANNEL, kernel->channel);
    if (kernel->channel_type != INT32_MIN)
        put_int(out, TPROF_ARG_CHANNEL_TYPE, kernel->channel_type);
}

static void put_copy(chrome_out *out, const tp_gpu_event *event)
{
    const tp_copy *copy = &event->copy;
    const int64_t duration_ns = event->end_ns - event->begin_ns;

    put_place(out, event);
    if (copy->peer) {
        put_int(out, TPROF_ARG_FROM_DEVICE, id_or_none(copy->from_device));
        put_int(out, TPROF_ARG_IN_DEVICE, id_or_none(copy->in_device));
        put_int(out, TPROF_ARG_TO_DEVICE, id_or_none(copy->to_device));
        put_int(out, TPROF_ARG_FROM_CONTEXT, id_or_none(copy->from_context));
        put_int(out, TPROF_ARG_IN_CONTEXT, id_or_none(copy->in_context));
        put_int(out, TPROF_ARG_TO_CONTEXT, id_or_none(copy->to_context));
    }
    put_int(out, TPROF_ARG_BYTES, (int64_t)copy->bytes);
    if (duration_ns > 0)
        put_double(out, TPROF_ARG_BANDWIDTH, (double)copy->bytes / (double)duration_ns);
    put_graph(out, copy->graph_id, copy->graph_node_id);
}

static void put_sync(chrome_out *out, const tp_gpu_event *event)
{
    const tp_sync *sync = &event->sync;

    put_key(out, TPROF_ARG_CUDA_SYNC_KIND);
    tp_chrome_string(out, sync->kind);
    if (sync->has_event) {
        put_int(out, TPROF_ARG_WAIT_ON_STREAM, sync->wait_on_stream);
        put_int(out, TPROF_ARG_WAIT_ON_CUDA_EVENT_ID, sync->wait_on_event);
        put_int(out, TPROF_ARG_WAIT_ON_RECORD_CORRELATION, sync->wait_on_record_correlation);
    }
    put_int(out, TPROF_ARG_STREAM, id_or_none(event->stream));
    put_int(out, TPROF_ARG_CORRELATION, event->correlation);
    put_int(out, TPROF_ARG_DEVICE, id_or_none(event->device));
    put_int(out, TPROF_ARG_CONTEXT, id_or_none(event->context));
}

static void put_memory(chrome_out *out, const tp_gpu_event *event)
{
    put_int(out, TPROF_ARG_TOTAL_RESERVED, event->memory.reserved);
    put_int(out, TPROF_ARG_TOTAL_ALLOCATED, event->memory.allocated);
    put_int(out, TPROF_ARG_BYTES_SIGNED, event->memory.bytes);
    put_int(out, TPROF_ARG_DEVICE_ID, id_or_none(event->device));
    put_int(out, TPROF_ARG_DEVICE_TYPE, TPROF_DEVICE_CUDA);
    put_int(out, TPROF_ARG_ADDR, (int64_t)event->memory.address);
}

static void put_args(chrome_out *out, const tp_gpu_event *event)
{
    switch (event->kind) {
    case TP_GPU_KERNEL:
        put_kernel(out, event);
        break;
    case TP_GPU_MEMCPY:
    case TP_GPU_MEMSET:
        put_copy(out, event);
        break;
    case TP_GPU_RUNTIME:
    case TP_GPU_DRIVER:
        put_int(out, TPROF_ARG_CBID, event->call.cbid);
        put_int(out, TPROF_ARG_CORRELATION, event->correlation);
        break;
    case TP_GPU_SYNC:
        put_sync(out, event);
        break;
    case TP_GPU_EVENT:
        put_int(out, TPROF_ARG_EVENT_ID, event->event.event_id);
        put_place(out, event);
        break;
    case TP_GPU_MEMORY:
        put_memory(out, event);
        break;
    case TP_GPU_OVERHEAD:
    case TP_GPU_ANNOTATION:
        break;
    }
}

static void put_event(chrome_out *out, const tp_gpu_event *event)
{
    chrome_head head = {.phase = TPROF_PHASE_COMPLETE,
                        .category = category_of(event->kind),
                        .name = event->name,
                        .begin_ns = event->begin_ns};

    place_of(event, &head.pid, &head.tid);
    if (event->kind == TP_GPU_MEMORY) {
        head.phase = TPROF_PHASE_INSTANT;
        head.scope = 't';
    }
    tp_chrome_begin(out, &head);
    if (head.phase == TPROF_PHASE_COMPLETE) {
        CHROME_PUT(out, ",\n    \"dur\": ");
        chrome_duration(out, event->begin_ns, event->end_ns);
    }
    if (event->kind == TP_GPU_OVERHEAD) {
        chrome_end(out);
        return;
    }
    chrome_args(out);
    out->any_arg = false;
    if (event->op_id)
        put_int(out, TPROF_ARG_EXTERNAL_ID, event->op_id);
    put_args(out, event);
    chrome_args_end(out);
}

// Where Kineto draws arrows: from calls that start device work, to that work; and, to calls that
// start none, an end without a beginning.
static void put_arrow(chrome_out *out, const tp_gpu_event *event)
{
    chrome_flow flow = {.phase = TPROF_PHASE_FLOW_END,
                        .category = TPROF_CATEGORY_AC2G,
                        .id = event->correlation,
                        .ns = event->begin_ns};

    if (!event->correlation || event->kind >= TP_GPU_OVERHEAD)
        return;
    place_of(event, &flow.pid, &flow.tid);
    if (is_call(event) && event->call.starts_flow)
        flow.phase = TPROF_PHASE_FLOW_START;
    tp_chrome_put_flow(out, &flow);
}

// A row of the viewer: of a stream, of its synchronisation, or of a thread that only called CUDA.
typedef struct row {
    int64_t pid, tid;
    tp_gpu_kind kind;
    uint32_t stream;
} row;

static int by_place(const void *a, const void *b)
{
    const row *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return (x->tid > y->tid) - (x->tid < y->tid);
}

static bool has_row(const tp_capture *capture, const row *place)
{
    for (uint32_t i = 0; place->pid == capture->pid && i < capture->thread_count; i++)
        if (capture->threads[i].tid == place->tid)
            return true;
    return false;
}

static void put_device_rows(chrome_out *out, int64_t device)
{
    char label[32];

    snprintf(label, sizeof(label), "GPU %lld", (long long)device);
    tp_chrome_put_row(
        out, &(chrome_row){"process_name", "name", device, 0, out->capture->process_name, 0});
    tp_chrome_put_row(out, &(chrome_row){"process_labels", "labels", device, 0, label, 0});
    tp_chrome_put_row(out, &(chrome_row){"process_sort_index", "sort_index", device, 0, NULL,
                                         device + TPROF_SORT_GPU});
}

static void put_overhead_rows(chrome_out *out)
{
    tp_chrome_put_row(out, &(chrome_row){"process_name", "name", -1, 0, "CUPTI Overhead", 0});
    tp_chrome_put_row(
        out, &(chrome_row){"process_sort_index", "sort_index", -1, 0, NULL, TPROF_SORT_OVERHEAD});
}

static void put_thread_rows(chrome_out *out, const row *place)
{
    char name[64];

    if (place->kind == TP_GPU_RUNTIME || place->kind == TP_GPU_DRIVER ||
        place->kind == TP_GPU_MEMORY)
        snprintf(name, sizeof(name), "thread %lld", (long long)place->tid);
    else if (place->stream == TP_GPU_NONE)
        snprintf(name, sizeof(name), "Device %lld", (long long)place->pid);
    else
        snprintf(name, sizeof(name), "stream %u %s", place->stream,
                 place->tid >= SYNC_ROW ? "(sync)" : "");
    tp_chrome_put_row(out, &(chrome_row){"thread_name", "name", place->pid, place->tid, name, 0});
    tp_chrome_put_row(out, &(chrome_row){"thread_sort_index", "sort_index", place->pid, place->tid,
                                         NULL, place->tid});
}

// Each row once; those of a process under those that name it.
static void put_rows(chrome_out *out)
{
    const tp_capture *capture = out->capture;
    row *rows = malloc(capture->gpu_count * sizeof(*rows));

    if (!rows)
        return; // viewers show the numbers instead
    for (size_t i = 0; i < capture->gpu_count; i++) {
        rows[i].kind = capture->gpu[i].kind;
        rows[i].stream = capture->gpu[i].stream;
        place_of(&capture->gpu[i], &rows[i].pid, &rows[i].tid);
    }
    qsort(rows, capture->gpu_count, sizeof(*rows), by_place);
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const bool new_process = i == 0 || rows[i - 1].pid != rows[i].pid;
        if (!new_process && rows[i - 1].tid == rows[i].tid)
            continue;
        if (new_process && rows[i].kind == TP_GPU_OVERHEAD)
            put_overhead_rows(out);
        else if (new_process && rows[i].pid != capture->pid)
            put_device_rows(out, rows[i].pid);
        if (rows[i].kind != TP_GPU_OVERHEAD && !has_row(capture, &rows[i]))
            put_thread_rows(out, &rows[i]);
    }
    free(rows);
}

void tp_chrome_device(chrome_out *out)
{
    const tp_capture *capture = out->capture;

    for (size_t i = 0; i < capture->gpu_count; i++) {
        put_event(out, &capture->gpu[i]);
        put_arrow(out, &capture->gpu[i]);
    }
    if (capture->gpu_count)
        put_rows(out);
}
