// SPDX-License-Identifier: BSD-3-Clause
// What CUPTI's activity records look like in memory, the newest version of each.
//
// CUPTI only ever appends to these records, from CUDA 9 on, so an older library's record is a
// prefix of the struct here: copy what there is over zeros, and the fields it did not have read 0.
// That way one build reads the records of every CUPTI, newer and older than the headers it was
// built with. test_cupti_layout compares each field with the headers that the build found.
#ifndef GPU_CUPTI_LAYOUT_H
#define GPU_CUPTI_LAYOUT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Kinds of records that are read, with CUPTI's numbers. The third word names the struct.
#define TP_CUPTI_KIND_MAP(X)                                                                       \
    X(MEMCPY, 1, memcpy)                                                                           \
    X(MEMSET, 2, memset)                                                                           \
    X(DRIVER, 4, api)                                                                              \
    X(RUNTIME, 5, api)                                                                             \
    X(CONTEXT, 9, context)                                                                         \
    X(CONCURRENT_KERNEL, 10, kernel)                                                               \
    X(OVERHEAD, 17, overhead)                                                                      \
    X(MEMCPY2, 22, memcpy_peer)                                                                    \
    X(CUDA_EVENT, 36, cuda_event)                                                                  \
    X(SYNCHRONIZATION, 38, sync)                                                                   \
    X(EXTERNAL_CORRELATION, 39, external)                                                          \
    X(MEMORY2, 49, memory)                                                                         \
    X(MEMORY_POOL, 50, memory_pool)                                                                \
    X(GRAPH_TRACE, 51, graph_trace)                                                                \
    X(JIT, 52, jit)                                                                                \
    X(MEM_DECOMPRESS, 54, decompress)                                                              \
    X(GRAPH_HOST_NODE, 56, host_node)

typedef enum tp_cupti_kind {
#define X(name, number, record) TP_CUPTI_##name = number,
    TP_CUPTI_KIND_MAP(X)
#undef X
        TP_CUPTI_KINDS = 128 // room for kinds to come
} tp_cupti_kind;

// Makes `name`, the tp_cupti_<type> of a record of `size` bytes; fields behind those bytes read 0.
#define TP_CUPTI_READ(type, name, record, size)                                                    \
    tp_cupti_##type name = {0};                                                                    \
    memcpy(&name, record, (size) < sizeof(name) ? (size) : sizeof(name))

typedef struct tp_cupti_kernel {
    uint32_t kind;
    uint8_t cache_config, shared_memory_config;
    uint16_t registers_per_thread;
    uint32_t cache_requested, cache_executed;
    uint64_t start, end, completed;
    uint32_t device_id, context_id, stream_id;
    int32_t grid[3], block[3];
    int32_t static_shared_memory, dynamic_shared_memory;
    uint32_t local_memory_per_thread, local_memory_total;
    uint32_t correlation_id;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch_type, carveout_is_requested, carveout_requested, pad0;
    uint32_t shared_memory_executed;
    uint64_t graph_node_id;
    uint32_t shared_memory_limit_config;
    uint32_t graph_id;
    void *access_policy_window;
    uint32_t channel_id, channel_type;
    uint32_t cluster[3], cluster_scheduling_policy;
    uint64_t local_memory_total_wide;
    uint32_t max_potential_cluster_size, max_active_clusters;
    uint8_t is_device_launched, pad1[7];
    int32_t priority;
    uint32_t pad2, execution_model, pad3;
    uint32_t source_graph_id, pad4;
    uint64_t source_graph_node_id;
} tp_cupti_kernel;

typedef struct tp_cupti_memcpy {
    uint32_t kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device_id, context_id, stream_id;
    uint32_t correlation_id, runtime_correlation_id, pad0;
    void *reserved;
    uint64_t graph_node_id;
    uint32_t graph_id;
    uint32_t channel_id, channel_type;
    uint8_t is_device_launched, pad1[3];
    uint64_t copy_count;
    uint32_t source_graph_id, pad2;
    uint64_t source_graph_node_id;
} tp_cupti_memcpy;

typedef struct tp_cupti_memcpy_peer {
    uint32_t kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device_id, context_id, stream_id;
    uint32_t source_device_id, source_context_id;
    uint32_t target_device_id, target_context_id;
    uint32_t correlation_id;
    void *reserved;
    uint64_t graph_node_id;
    uint32_t graph_id;
    uint32_t channel_id, channel_type;
} tp_cupti_memcpy_peer;

typedef struct tp_cupti_memset {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device_id, context_id, stream_id, correlation_id;
    uint16_t flags, memory_kind;
    uint32_t pad0;
    void *reserved;
    uint64_t graph_node_id;
    uint32_t graph_id;
    uint32_t channel_id, channel_type;
    uint8_t is_device_launched, pad1[3];
    uint32_t source_graph_id, pad2;
    uint64_t source_graph_node_id;
} tp_cupti_memset;

typedef struct tp_cupti_api {
    uint32_t kind, callback_id;
    uint64_t start, end;
    uint32_t process_id, thread_id, correlation_id, return_value;
} tp_cupti_api;

typedef struct tp_cupti_external {
    uint32_t kind, external_kind;
    uint64_t external_id;
    uint32_t correlation_id, reserved;
} tp_cupti_external;

typedef struct tp_cupti_context {
    uint32_t kind, context_id, device_id;
    uint16_t compute_api, null_stream_id;
    uint32_t parent_context_id;
    uint8_t is_green, pad0;
    uint16_t multiprocessors;
    uint32_t cig_mode, pad1;
    uint64_t process_id;
} tp_cupti_context;

typedef struct tp_cupti_sync {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation_id, context_id, stream_id, event_id;
    uint64_t event_sync_id;
    uint32_t return_value, pad0;
} tp_cupti_sync;

typedef struct tp_cupti_cuda_event {
    uint32_t kind, correlation_id, context_id, stream_id, event_id, pad0;
    uint32_t device_id, pad1;
    void *reserved;
    uint64_t device_timestamp, event_sync_id;
    uint64_t graph_node_id;
    uint32_t graph_id, source_graph_id;
    uint64_t source_graph_node_id;
} tp_cupti_cuda_event;

// Which of the two it is, the object kind says.
typedef union tp_cupti_object {
    struct {
        uint32_t process_id, thread_id;
    } host;
    struct {
        uint32_t device_id, context_id, stream_id;
    } device;
} tp_cupti_object;

typedef struct tp_cupti_overhead {
    uint32_t kind, overhead_kind, object_kind;
    tp_cupti_object object;
    uint64_t start, end;
    uint32_t correlation_id, reserved;
    void *data; // from malloc; the receiver of the record frees it
} tp_cupti_overhead;

typedef struct tp_cupti_memory {
    uint32_t kind, operation, memory_kind, correlation_id;
    uint64_t address, bytes, timestamp, program_counter;
    uint32_t process_id, device_id, context_id, stream_id;
    const char *name;
    uint32_t is_async, pad0;
    uint32_t pool_type, pad1;
    uint64_t pool_address, pool_release_threshold, pool_size_or_process, pool_utilized;
    const char *source;
} tp_cupti_memory;

typedef struct tp_cupti_memory_pool {
    uint32_t kind, operation, pool_type, correlation_id, process_id, device_id;
    uint64_t min_bytes_to_keep, address, size, release_threshold, timestamp, utilized;
    uint8_t is_managed, pad0[7];
} tp_cupti_memory_pool;

typedef struct tp_cupti_graph_trace {
    uint32_t kind, correlation_id;
    uint64_t start, end;
    uint32_t device_id, graph_id, context_id, stream_id;
    void *reserved;
    uint32_t end_device_id, end_context_id;
} tp_cupti_graph_trace;

typedef struct tp_cupti_jit {
    uint32_t kind, entry_type, operation, device_id;
    uint64_t start, end;
    uint32_t correlation_id, pad0;
    uint64_t operation_correlation_id, cache_size;
    const char *cache_path;
    uint32_t process_id, thread_id;
} tp_cupti_jit;

typedef struct tp_cupti_decompress {
    uint32_t kind, device_id, context_id, stream_id, channel_id, channel_type;
    uint32_t correlation_id, operations;
    uint64_t source_bytes;
    void *reserved;
    uint64_t start, end;
} tp_cupti_decompress;

typedef struct tp_cupti_host_node {
    uint32_t kind, stream_id, context_id, device_id, correlation_id, graph_id;
    uint64_t graph_node_id;
    uint32_t process_id, thread_id;
    uint64_t start, end;
} tp_cupti_host_node;

static_assert(sizeof(tp_cupti_kernel) == 248 && sizeof(tp_cupti_memcpy) == 112 &&
                  sizeof(tp_cupti_memcpy_peer) == 96 && sizeof(tp_cupti_memset) == 104 &&
                  sizeof(tp_cupti_api) == 40 && sizeof(tp_cupti_external) == 24 &&
                  sizeof(tp_cupti_context) == 40 && sizeof(tp_cupti_sync) == 56 &&
                  sizeof(tp_cupti_cuda_event) == 80 && sizeof(tp_cupti_overhead) == 56 &&
                  sizeof(tp_cupti_memory) == 128 && sizeof(tp_cupti_memory_pool) == 80 &&
                  sizeof(tp_cupti_graph_trace) == 56 && sizeof(tp_cupti_jit) == 72 &&
                  sizeof(tp_cupti_decompress) == 64 && sizeof(tp_cupti_host_node) == 56,
              "CUPTI's layouts hold on 64-bit machines only");

#endif
