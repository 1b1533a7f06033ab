// SPDX-License-Identifier: BSD-3-Clause
// Our structs against those of the CUPTI headers that the build found: each field in its place, and
// each older version a prefix of the newest. Most of it is checked by the compiler.
#include "gpu/cupti_layout.h"

#include "support/cmocka_all.h"

#include <cupti.h>

// A field at the same place and of the same size in both. Versions that the headers do not have are
// left out by the build, which defines HAVE_<struct> for those they have.
#define SAME(ours, field, theirs, name)                                                            \
    static_assert(offsetof(tp_cupti_##ours, field) == offsetof(CUpti_Activity##theirs, name) &&    \
                      sizeof(((tp_cupti_##ours *)0)->field) ==                                     \
                          sizeof(((CUpti_Activity##theirs *)0)->name),                             \
                  #ours "." #field " is not where " #theirs "." #name " is")

#define KERNEL_4(v)                                                                                \
    SAME(kernel, registers_per_thread, v, registersPerThread);                                     \
    SAME(kernel, start, v, start);                                                                 \
    SAME(kernel, end, v, end);                                                                     \
    SAME(kernel, device_id, v, deviceId);                                                          \
    SAME(kernel, context_id, v, contextId);                                                        \
    SAME(kernel, stream_id, v, streamId);                                                          \
    SAME(kernel, grid[0], v, gridX);                                                               \
    SAME(kernel, grid[2], v, gridZ);                                                               \
    SAME(kernel, block[0], v, blockX);                                                             \
    SAME(kernel, block[2], v, blockZ);                                                             \
    SAME(kernel, static_shared_memory, v, staticSharedMemory);                                     \
    SAME(kernel, dynamic_shared_memory, v, dynamicSharedMemory);                                   \
    SAME(kernel, correlation_id, v, correlationId);                                                \
    SAME(kernel, grid_id, v, gridId);                                                              \
    SAME(kernel, name, v, name);                                                                   \
    SAME(kernel, queued, v, queued);                                                               \
    SAME(kernel, submitted, v, submitted);                                                         \
    SAME(kernel, shared_memory_executed, v, sharedMemoryExecuted)
#define KERNEL_5(v)                                                                                \
    KERNEL_4(v);                                                                                   \
    SAME(kernel, graph_node_id, v, graphNodeId)
#define KERNEL_7(v)                                                                                \
    KERNEL_5(v);                                                                                   \
    SAME(kernel, graph_id, v, graphId)
#define KERNEL_8(v)                                                                                \
    KERNEL_7(v);                                                                                   \
    SAME(kernel, channel_id, v, channelID);                                                        \
    SAME(kernel, channel_type, v, channelType);                                                    \
    SAME(kernel, cluster[0], v, clusterX)
#define KERNEL_9(v)                                                                                \
    KERNEL_8(v);                                                                                   \
    SAME(kernel, max_active_clusters, v, maxActiveClusters)
#define KERNEL_11(v)                                                                               \
    KERNEL_9(v);                                                                                   \
    SAME(kernel, priority, v, priority)
#define KERNEL_13(v)                                                                               \
    KERNEL_11(v);                                                                                  \
    SAME(kernel, source_graph_node_id, v, sourceGraphNodeId)

#define COPY(ours, v)                                                                              \
    SAME(ours, bytes, v, bytes);                                                                   \
    SAME(ours, start, v, start);                                                                   \
    SAME(ours, end, v, end);                                                                       \
    SAME(ours, device_id, v, deviceId);                                                            \
    SAME(ours, context_id, v, contextId);                                                          \
    SAME(ours, stream_id, v, streamId);                                                            \
    SAME(ours, correlation_id, v, correlationId)
#define MEMCPY_1(v)                                                                                \
    COPY(memcpy, v);                                                                               \
    SAME(memcpy, copy_kind, v, copyKind);                                                          \
    SAME(memcpy, source_kind, v, srcKind);                                                         \
    SAME(memcpy, target_kind, v, dstKind)
#define PEER_1(v)                                                                                  \
    COPY(memcpy_peer, v);                                                                          \
    SAME(memcpy_peer, copy_kind, v, copyKind);                                                     \
    SAME(memcpy_peer, source_device_id, v, srcDeviceId);                                           \
    SAME(memcpy_peer, target_context_id, v, dstContextId)

KERNEL_4(Kernel4);
KERNEL_5(Kernel5);
KERNEL_5(Kernel6);
KERNEL_7(Kernel7);
KERNEL_8(Kernel8);
MEMCPY_1(Memcpy);
MEMCPY_1(Memcpy3);
MEMCPY_1(Memcpy4);
MEMCPY_1(Memcpy5);
SAME(memcpy, graph_node_id, Memcpy3, graphNodeId);
SAME(memcpy, graph_id, Memcpy4, graphId);
SAME(memcpy, channel_type, Memcpy5, channelType);
PEER_1(MemcpyPtoP);
PEER_1(MemcpyPtoP2);
PEER_1(MemcpyPtoP3);
PEER_1(MemcpyPtoP4);
SAME(memcpy_peer, graph_node_id, MemcpyPtoP2, graphNodeId);
SAME(memcpy_peer, graph_id, MemcpyPtoP3, graphId);
COPY(memset, Memset);
COPY(memset, Memset2);
COPY(memset, Memset3);
COPY(memset, Memset4);
SAME(memset, graph_node_id, Memset2, graphNodeId);
SAME(memset, graph_id, Memset3, graphId);
SAME(api, callback_id, API, cbid);
SAME(api, start, API, start);
SAME(api, end, API, end);
SAME(api, process_id, API, processId);
SAME(api, thread_id, API, threadId);
SAME(api, correlation_id, API, correlationId);
SAME(api, return_value, API, returnValue);
SAME(external, external_kind, ExternalCorrelation, externalKind);
SAME(external, external_id, ExternalCorrelation, externalId);
SAME(external, correlation_id, ExternalCorrelation, correlationId);
SAME(context, context_id, Context, contextId);
SAME(context, device_id, Context, deviceId);
SAME(sync, type, Synchronization, type);
SAME(sync, start, Synchronization, start);
SAME(sync, end, Synchronization, end);
SAME(sync, correlation_id, Synchronization, correlationId);
SAME(sync, context_id, Synchronization, contextId);
SAME(sync, stream_id, Synchronization, streamId);
SAME(sync, event_id, Synchronization, cudaEventId);
SAME(cuda_event, correlation_id, CudaEvent, correlationId);
SAME(cuda_event, context_id, CudaEvent, contextId);
SAME(cuda_event, stream_id, CudaEvent, streamId);
SAME(cuda_event, event_id, CudaEvent, eventId);
SAME(overhead, overhead_kind, Overhead, overheadKind);
SAME(overhead, start, Overhead, start);
SAME(overhead, end, Overhead, end);
SAME(memory, operation, Memory2, memoryOperationType);
SAME(memory, memory_kind, Memory2, memoryKind);
SAME(memory, correlation_id, Memory2, correlationId);
SAME(memory, address, Memory2, address);
SAME(memory, bytes, Memory2, bytes);
SAME(memory, timestamp, Memory2, timestamp);
SAME(memory, process_id, Memory2, processId);
SAME(memory, device_id, Memory2, deviceId);
SAME(memory, stream_id, Memory2, streamId);
SAME(memory_pool, operation, MemoryPool, memoryPoolOperationType);
SAME(memory_pool, pool_type, MemoryPool, memoryPoolType);
SAME(memory_pool, correlation_id, MemoryPool, correlationId);
SAME(memory_pool, process_id, MemoryPool, processId);
SAME(memory_pool, device_id, MemoryPool, deviceId);
SAME(memory_pool, address, MemoryPool, address);
SAME(memory_pool, size, MemoryPool, size);
SAME(memory_pool, timestamp, MemoryPool, timestamp);
SAME(memory_pool, utilized, MemoryPool2, utilizedSize);
SAME(graph_trace, correlation_id, GraphTrace, correlationId);
SAME(graph_trace, start, GraphTrace, start);
SAME(graph_trace, graph_id, GraphTrace, graphId);
SAME(graph_trace, stream_id, GraphTrace, streamId);
SAME(jit, entry_type, Jit, jitEntryType);
SAME(jit, operation, Jit, jitOperationType);
SAME(jit, start, Jit, start);
SAME(jit, end, Jit, end);
SAME(jit, correlation_id, Jit, correlationId);
SAME(jit, cache_path, Jit, cachePath);

#ifdef HAVE_Kernel9
KERNEL_9(Kernel9);
#endif
#ifdef HAVE_Kernel10
KERNEL_9(Kernel10);
#endif
#ifdef HAVE_Kernel11
KERNEL_11(Kernel11);
#endif
#ifdef HAVE_Kernel12
KERNEL_11(Kernel12);
SAME(kernel, execution_model, Kernel12, executionModel);
#endif
#ifdef HAVE_Kernel13
KERNEL_13(Kernel13);
static_assert(sizeof(tp_cupti_kernel) == sizeof(CUpti_ActivityKernel13), "kernel");
#endif
#ifdef HAVE_Memcpy6
MEMCPY_1(Memcpy6);
SAME(memcpy, copy_count, Memcpy6, copyCount);
#endif
#ifdef HAVE_Memcpy7
MEMCPY_1(Memcpy7);
SAME(memcpy, source_graph_node_id, Memcpy7, sourceGraphNodeId);
#endif
#ifdef HAVE_Memset5
COPY(memset, Memset5);
SAME(memset, source_graph_node_id, Memset5, sourceGraphNodeId);
#endif
#ifdef HAVE_Context3
SAME(context, cig_mode, Context3, cigMode);
#endif
#ifdef HAVE_Context4
SAME(context, process_id, Context4, processId);
#endif
#ifdef HAVE_Synchronization2
SAME(sync, event_id, Synchronization2, cudaEventId);
SAME(sync, event_sync_id, Synchronization2, cudaEventSyncId);
SAME(sync, return_value, Synchronization2, returnValue);
#endif
#ifdef HAVE_CudaEvent2
SAME(cuda_event, device_id, CudaEvent2, deviceId);
SAME(cuda_event, device_timestamp, CudaEvent2, deviceTimestamp);
SAME(cuda_event, event_sync_id, CudaEvent2, cudaEventSyncId);
#endif
#ifdef HAVE_CudaEvent3
SAME(cuda_event, source_graph_node_id, CudaEvent3, sourceGraphNodeId);
#endif
#ifdef HAVE_Overhead3
SAME(overhead, start, Overhead3, start);
SAME(overhead, correlation_id, Overhead3, correlationId);
SAME(overhead, data, Overhead3, overheadData);
#endif
#ifdef HAVE_Memory4
SAME(memory, pool_utilized, Memory4, memoryPoolConfig.utilizedSize);
SAME(memory, source, Memory4, source);
#endif
#ifdef HAVE_MemoryPool3
SAME(memory_pool, is_managed, MemoryPool3, isManagedPool);
#endif
#ifdef HAVE_GraphTrace2
SAME(graph_trace, end_context_id, GraphTrace2, endContextId);
#endif
#ifdef HAVE_Jit2
SAME(jit, thread_id, Jit2, threadId);
#endif
#ifdef HAVE_MemDecompress
SAME(decompress, correlation_id, MemDecompress, correlationId);
SAME(decompress, source_bytes, MemDecompress, sourceBytes);
SAME(decompress, end, MemDecompress, end);
#endif
#ifdef HAVE_GraphHostNode
SAME(host_node, graph_node_id, GraphHostNode, graphNodeId);
SAME(host_node, thread_id, GraphHostNode, threadId);
SAME(host_node, end, GraphHostNode, end);
#endif

static void kinds_have_the_numbers_of_the_headers(void **state)
{
    (void)state;
    assert_int_equal(TP_CUPTI_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
    assert_int_equal(TP_CUPTI_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
    assert_int_equal(TP_CUPTI_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER);
    assert_int_equal(TP_CUPTI_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME);
    assert_int_equal(TP_CUPTI_CONTEXT, CUPTI_ACTIVITY_KIND_CONTEXT);
    assert_int_equal(TP_CUPTI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    assert_int_equal(TP_CUPTI_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD);
    assert_int_equal(TP_CUPTI_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMCPY2);
    assert_int_equal(TP_CUPTI_CUDA_EVENT, CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    assert_int_equal(TP_CUPTI_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    assert_int_equal(TP_CUPTI_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    assert_int_equal(TP_CUPTI_MEMORY2, CUPTI_ACTIVITY_KIND_MEMORY2);
    assert_int_equal(TP_CUPTI_MEMORY_POOL, CUPTI_ACTIVITY_KIND_MEMORY_POOL);
    assert_int_equal(TP_CUPTI_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
    assert_int_equal(TP_CUPTI_JIT, CUPTI_ACTIVITY_KIND_JIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_the_numbers_of_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
