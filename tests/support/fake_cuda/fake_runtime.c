// SPDX-License-Identifier: BSD-3-Clause
// The stand-in's CUDA runtime: the calls that programs make, with the runtime's own prototypes.
#include "fake_timeline.h"

#include <cuda_runtime_api.h>
#include <cupti.h>

#include <stdlib.h>

#define RUNTIME CUPTI_ACTIVITY_KIND_RUNTIME

typedef struct fake_cuda_event {
    fake_stream *stream;
    uint32_t id;
    uint64_t done_at_ns, recording;
} fake_cuda_event;

typedef struct fake_graph {
    uint32_t id;
    uint32_t count;
    fake_work nodes[8];
    uint64_t durations[8];
} fake_graph;

static uint32_t last_event, last_graph;
static uint64_t last_recording, last_node;

FAKE_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaSetDevice(int device)
{
    *fake_current_device() = device;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaGetDevice(int *device)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020);
    *device = *fake_current_device();
    fake_call_end(&call);
    return cudaSuccess;
}

static cudaError_t tell_memory(uint32_t operation, void *address, size_t bytes, fake_call *call)
{
    const fake_sink *sink = fake_sink_now();
    const uint32_t device = (uint32_t)*fake_current_device();
    if (sink)
        sink->memory(&(fake_memory){.operation = operation,
                                    .address = (uintptr_t)address,
                                    .bytes = bytes,
                                    .at_ns = fake_now_ns(),
                                    .correlation = call->correlation,
                                    .device = device,
                                    .context = FAKE_CONTEXT + device});
    fake_call_end(call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020);
    size_t *block = malloc(bytes + 16);
    if (!block)
        return cudaErrorMemoryAllocation;
    *block = bytes;
    *pointer = block + 2;
    return tell_memory(1, *pointer, bytes, &call);
}

FAKE_API cudaError_t cudaFree(void *pointer)
{
    if (!pointer)
        return cudaSuccess;
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020);
    size_t *block = (size_t *)pointer - 2;
    const size_t bytes = *block;
    free(block);
    return tell_memory(2, pointer, bytes, &call);
}

FAKE_API cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = (cudaStream_t)fake_stream_make();
    return *stream ? cudaSuccess : cudaErrorMemoryAllocation;
}

static void fill_kernel(fake_work *work, const fake_kernel *kernel, dim3 grid, dim3 block,
                        size_t shared)
{
    *work = (fake_work){
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .kernel = kernel,
        .grid = {(int32_t)grid.x,  (int32_t)grid.y,  (int32_t)grid.z },
        .block = {(int32_t)block.x, (int32_t)block.y, (int32_t)block.z},
        .dynamic_shared_memory = (int32_t)shared,
    };
}

FAKE_API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream)
{
    const fake_kernel *kernel = function;
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
    fake_work work;

    (void)arguments;
    fill_kernel(&work, kernel, grid, block, shared);
    fake_enqueue(fake_stream_of(stream), &work, kernel->duration_ns, call.correlation);
    fake_call_end(&call);
    return cudaSuccess;
}

static void fill_copy(fake_work *work, size_t bytes, enum cudaMemcpyKind kind)
{
    static const struct {
        uint8_t copy, from, to;
    } kinds[] = {
        [cudaMemcpyHostToHost] = {9, 1, 1},
          [cudaMemcpyHostToDevice] = {1, 2, 3},
        [cudaMemcpyDeviceToHost] = {2, 3, 1},
          [cudaMemcpyDeviceToDevice] = {8, 3, 3},
        [cudaMemcpyDefault] = {0, 0, 0},
    };
    *work = (fake_work){.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                        .copy_kind = kinds[kind].copy,
                        .from = kinds[kind].from,
                        .to = kinds[kind].to,
                        .bytes = bytes};
}

FAKE_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020);
    fake_work work;

    (void)to;
    (void)from;
    fill_copy(&work, bytes, kind);
    fake_enqueue(fake_stream_of(stream), &work, fake_next_copy_duration(), call.correlation);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                         size_t bytes, cudaStream_t stream)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyPeerAsync_v4000);
    fake_work work = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
                      .copy_kind = 10,
                      .from = 3,
                      .to = 3,
                      .bytes = bytes,
                      .target_device = (uint32_t)to_device};

    (void)to;
    (void)from;
    (void)from_device;
    fake_enqueue(fake_stream_of(stream), &work, fake_next_copy_duration(), call.correlation);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
    fake_work work = {.kind = CUPTI_ACTIVITY_KIND_MEMSET, .bytes = bytes};

    (void)to;
    (void)value;
    fake_enqueue(fake_stream_of(stream), &work, fake_next_copy_duration(), call.correlation);
    fake_call_end(&call);
    return cudaSuccess;
}

// ---- Waits

static void tell_wait(uint32_t type, const fake_call *call, uint32_t stream, uint32_t device,
                      const fake_cuda_event *event)
{
    const fake_sink *sink = fake_sink_now();
    if (!sink)
        return;
    sink->wait(&(fake_wait){.type = type,
                            .start_ns = call->start_ns,
                            .end_ns = fake_now_ns(),
                            .correlation = call->correlation,
                            .context = FAKE_CONTEXT + device,
                            .stream = stream,
                            .event = event ? event->id : 0,
                            .recording = event ? event->recording : 0});
}

FAKE_API cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020);
    const fake_stream *stream = fake_stream_of(handle);
    fake_sleep_until(stream->free_at_ns);
    tell_wait(3, &call, stream->id, stream->device, NULL);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaDeviceSynchronize(void)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
    const uint32_t device = (uint32_t)*fake_current_device();
    fake_sleep_until(fake_idle_at(device));
    tell_wait(4, &call, UINT32_MAX, device, NULL);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    fake_cuda_event *made = calloc(1, sizeof(*made));
    if (!made)
        return cudaErrorMemoryAllocation;
    made->id = __atomic_add_fetch(&last_event, 1, __ATOMIC_RELAXED);
    *event = (cudaEvent_t)made;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020);
    fake_cuda_event *event = (fake_cuda_event *)handle;

    event->stream = fake_stream_of(stream);
    event->recording = __atomic_add_fetch(&last_recording, 1, __ATOMIC_RELAXED);
    fake_event record = {.correlation = call.correlation,
                         .context = FAKE_CONTEXT + event->stream->device,
                         .device = event->stream->device,
                         .stream = event->stream->id,
                         .event = event->id,
                         .recording = event->recording};
    fake_record(event->stream, &event->done_at_ns, &record);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020);
    const fake_cuda_event *event = (const fake_cuda_event *)handle;
    fake_sleep_until(event->done_at_ns);
    tell_wait(1, &call, UINT32_MAX, event->stream->device, event);
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle,
                                         unsigned flags)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020);
    const fake_cuda_event *event = (const fake_cuda_event *)event_handle;
    fake_stream *stream = fake_stream_of(handle);

    (void)flags;
    fake_wait_until(stream, event->done_at_ns);
    tell_wait(2, &call, stream->id, stream->device, event);
    fake_call_end(&call);
    return cudaSuccess;
}

// ---- Graphs: kernels in a row

FAKE_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    fake_graph *made = calloc(1, sizeof(*made));
    (void)flags;
    if (!made)
        return cudaErrorMemoryAllocation;
    made->id = __atomic_add_fetch(&last_graph, 1, __ATOMIC_RELAXED);
    *graph = (cudaGraph_t)made;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t count,
                                            const struct cudaKernelNodeParams *parameters)
{
    fake_graph *g = (fake_graph *)graph;
    const fake_kernel *kernel = parameters->func;

    (void)dependencies;
    (void)count;
    if (g->count == sizeof(g->nodes) / sizeof(g->nodes[0]))
        return cudaErrorInvalidValue;
    fake_work *work = &g->nodes[g->count];
    fill_kernel(work, kernel, parameters->gridDim, parameters->blockDim,
                parameters->sharedMemBytes);
    work->graph = g->id;
    work->graph_node = __atomic_add_fetch(&last_node, 1, __ATOMIC_RELAXED);
    g->durations[g->count++] = kernel->duration_ns;
    *node = (cudaGraphNode_t)work;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    *executable = (cudaGraphExec_t)graph;
    return cudaSuccess;
}

FAKE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    fake_call call = fake_call_begin(RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000);
    const fake_graph *g = (const fake_graph *)executable;

    for (uint32_t i = 0; i < g->count; i++) {
        fake_work work = g->nodes[i];
        fake_enqueue(fake_stream_of(stream), &work, g->durations[i], call.correlation);
    }
    fake_call_end(&call);
    return cudaSuccess;
}

FAKE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    free(graph);
    return cudaSuccess;
}
