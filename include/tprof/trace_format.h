// SPDX-License-Identifier: BSD-3-Clause
// The words that stand in trace files, one list each. The recorder writes them, the analyzer reads
// them; C11 and C++.
#ifndef TPROF_TRACE_FORMAT_H
#define TPROF_TRACE_FORMAT_H

// "ph" of an event.
#define TPROF_PHASE_COMPLETE   'X'
#define TPROF_PHASE_BEGIN      'B'
#define TPROF_PHASE_END        'E'
#define TPROF_PHASE_INSTANT    'i'
#define TPROF_PHASE_METADATA   'M'
#define TPROF_PHASE_COUNTER    'C'
#define TPROF_PHASE_FLOW_START 's'
#define TPROF_PHASE_FLOW_STEP  't'
#define TPROF_PHASE_FLOW_END   'f'

// "cat" of an event, as written today.
#define TPROF_CATEGORY_MAP(X)                                                                      \
    X(CPU_OP, "cpu_op")                                                                            \
    X(USER_ANNOTATION, "user_annotation")                                                          \
    X(GPU_USER_ANNOTATION, "gpu_user_annotation")                                                  \
    X(PYTHON_FUNCTION, "python_function")                                                          \
    X(CPU_INSTANT_EVENT, "cpu_instant_event")                                                      \
    X(COUNTER, "counter")                                                                          \
    X(KERNEL, "kernel")                                                                            \
    X(GPU_MEMCPY, "gpu_memcpy")                                                                    \
    X(GPU_MEMSET, "gpu_memset")                                                                    \
    X(CUDA_RUNTIME, "cuda_runtime")                                                                \
    X(CUDA_DRIVER, "cuda_driver")                                                                  \
    X(CUDA_SYNC, "cuda_sync")                                                                      \
    X(CUDA_EVENT, "cuda_event")                                                                    \
    X(OVERHEAD, "overhead")                                                                        \
    X(AC2G, "ac2g")                                                                                \
    X(FWDBWD, "fwdbwd")                                                                            \
    X(TRACE, "Trace")

// Keys inside "args".
#define TPROF_ARG_MAP(X)                                                                           \
    X(EXTERNAL_ID, "External id")                                                                  \
    X(RECORD_FUNCTION_ID, "Record function id")                                                    \
    X(SEQUENCE_NUMBER, "Sequence number")                                                          \
    X(FWD_THREAD_ID, "Fwd thread id")                                                              \
    X(CONCRETE_INPUTS, "Concrete Inputs")                                                          \
    X(INPUT_TYPE, "Input type")                                                                    \
    X(INPUT_STRIDES, "Input Strides")                                                              \
    X(INPUT_DIMS, "Input Dims")                                                                    \
    X(CALL_STACK, "Call stack")                                                                    \
    X(EV_IDX, "Ev Idx")                                                                            \
    X(FLOPS, "flops")                                                                              \
    X(PYTHON_ID, "Python id")                                                                      \
    X(PYTHON_PARENT_ID, "Python parent id")                                                        \
    X(PYTHON_MODULE_ID, "Python module id")                                                        \
    X(DEVICE_TYPE, "Device Type")                                                                  \
    X(DEVICE_ID, "Device Id")                                                                      \
    X(ADDR, "Addr")                                                                                \
    X(BYTES_SIGNED, "Bytes")                                                                       \
    X(TOTAL_ALLOCATED, "Total Allocated")                                                          \
    X(TOTAL_RESERVED, "Total Reserved")                                                            \
    X(QUEUED, "queued")                                                                            \
    X(DEVICE, "device")                                                                            \
    X(CONTEXT, "context")                                                                          \
    X(STREAM, "stream")                                                                            \
    X(CORRELATION, "correlation")                                                                  \
    X(CBID, "cbid")                                                                                \
    X(REGISTERS_PER_THREAD, "registers per thread")                                                \
    X(SHARED_MEMORY, "shared memory")                                                              \
    X(BLOCKS_PER_SM, "blocks per SM")                                                              \
    X(WARPS_PER_SM, "warps per SM")                                                                \
    X(GRID, "grid")                                                                                \
    X(BLOCK, "block")                                                                              \
    X(OCCUPANCY_PERCENT, "est. achieved occupancy %")                                              \
    X(CORRECTED_OCCUPANCY, "tprof occupancy") /* 0..1, counting opt-in shared memory */            \
    X(GRAPH_ID, "graph id")                                                                        \
    X(GRAPH_NODE_ID, "graph node id")                                                              \
    X(PRIORITY, "priority")                                                                        \
    X(CHANNEL, "channel")                                                                          \
    X(CHANNEL_TYPE, "channel_type")                                                                \
    X(BYTES, "bytes")                                                                              \
    X(BANDWIDTH, "memory bandwidth (GB/s)")                                                        \
    X(FROM_DEVICE, "fromDevice")                                                                   \
    X(IN_DEVICE, "inDevice")                                                                       \
    X(TO_DEVICE, "toDevice")                                                                       \
    X(FROM_CONTEXT, "fromContext")                                                                 \
    X(IN_CONTEXT, "inContext")                                                                     \
    X(TO_CONTEXT, "toContext")                                                                     \
    X(CUDA_SYNC_KIND, "cuda_sync_kind")                                                            \
    X(WAIT_ON_STREAM, "wait_on_stream")                                                            \
    X(WAIT_ON_CUDA_EVENT_ID, "wait_on_cuda_event_id")                                              \
    X(WAIT_ON_RECORD_CORRELATION, "wait_on_cuda_event_record_corr_id")                             \
    X(EVENT_ID, "event_id")                                                                        \
    X(OP_COUNT, "Op count")                                                                        \
    X(NVTX_DOMAIN, "domain")                                                                       \
    X(NVTX_CATEGORY, "category")                                                                   \
    X(NVTX_PAYLOAD, "payload")

// Top-level keys beside "traceEvents".
#define TPROF_KEY_MAP(X)                                                                           \
    X(SCHEMA_VERSION, "schemaVersion")                                                             \
    X(DEVICE_PROPERTIES, "deviceProperties")                                                       \
    X(RECORD_SHAPES, "record_shapes")                                                              \
    X(PROFILE_MEMORY, "profile_memory")                                                            \
    X(WITH_STACK, "with_stack")                                                                    \
    X(WITH_FLOPS, "with_flops")                                                                    \
    X(WITH_MODULES, "with_modules")                                                                \
    X(DISTRIBUTED_INFO, "distributedInfo")                                                         \
    X(TRACE_ID, "trace_id")                                                                        \
    X(HOST_NAME, "host_name")                                                                      \
    X(CUPTI_VERSION, "cupti_version")                                                              \
    X(CUDA_RUNTIME_VERSION, "cuda_runtime_version")                                                \
    X(CUDA_DRIVER_VERSION, "cuda_driver_version")                                                  \
    X(ENVIRONMENT, "environment")     /* what the program says of itself, an object */             \
    X(RECORDER, "recorder")           /* "libtprof 0.1.0" */                                       \
    X(LOSSES, "tprof_losses")         /* object of counts, only where something was lost */        \
    X(GPU_STATUS, "tprof_gpu_status") /* why there is no or less GPU activity, text */             \
    X(DISPLAY_TIME_UNIT, "displayTimeUnit")                                                        \
    X(BASE_TIME, "baseTimeNanoseconds")                                                            \
    X(TRACE_EVENTS, "traceEvents")                                                                 \
    X(TRACE_NAME, "traceName")

// Keys of the object "environment". "versions" is an object of name and version.
#define TPROF_ENVIRONMENT_MAP(X)                                                                   \
    X(MODEL, "model")                                                                              \
    X(INPUT_SHAPES, "input_shapes")                                                                \
    X(DTYPE, "dtype")                                                                              \
    X(DEVICE, "device")                                                                            \
    X(BATCH_SIZE, "batch_size")                                                                    \
    X(THREADS, "threads")                                                                          \
    X(VERSIONS, "versions")

// Keys of the object "tprof_losses": events for which there was no room; ranges that were begun
// in an earlier window, open at the window's end as far as is known then, or ended by the range
// around them (cut_events in profiling.h says more); device records that the driver or the buffers
// lost; device records partly outside the window; operators whose details were cut.
#define TPROF_LOSS_MAP(X)                                                                          \
    X(DROPPED_EVENTS, "dropped_events")                                                            \
    X(CUT_EVENTS, "cut_events")                                                                    \
    X(DROPPED_GPU_RECORDS, "dropped_gpu_records")                                                  \
    X(CUT_GPU_RECORDS, "cut_gpu_records")                                                          \
    X(CUT_DETAILS, "cut_details")

// TPROF_CATEGORY_CPU_OP, TPROF_ARG_STREAM, TPROF_KEY_TRACE_ID, ... number the lists.
typedef enum tprof_category {
#define X(name, word) TPROF_CATEGORY_##name,
    TPROF_CATEGORY_MAP(X)
#undef X
        TPROF_CATEGORY_COUNT
} tprof_category;

typedef enum tprof_arg {
#define X(name, word) TPROF_ARG_##name,
    TPROF_ARG_MAP(X)
#undef X
        TPROF_ARG_COUNT
} tprof_arg;

typedef enum tprof_key {
#define X(name, word) TPROF_KEY_##name,
    TPROF_KEY_MAP(X)
#undef X
        TPROF_KEY_COUNT
} tprof_key;

typedef enum tprof_loss {
#define X(name, word) TPROF_LOSS_##name,
    TPROF_LOSS_MAP(X)
#undef X
        TPROF_LOSS_COUNT
} tprof_loss;

typedef enum tprof_environment_key {
#define X(name, word) TPROF_ENVIRONMENT_##name,
    TPROF_ENVIRONMENT_MAP(X)
#undef X
        TPROF_ENVIRONMENT_COUNT
} tprof_environment_key;

// The word behind a number of each list.
static inline const char *tprof_category_word(tprof_category category)
{
#define X(name, word) word,
    static const char *const words[] = {TPROF_CATEGORY_MAP(X)};
#undef X
    return words[category];
}

static inline const char *tprof_arg_word(tprof_arg arg)
{
#define X(name, word) word,
    static const char *const words[] = {TPROF_ARG_MAP(X)};
#undef X
    return words[arg];
}

static inline const char *tprof_key_word(tprof_key key)
{
#define X(name, word) word,
    static const char *const words[] = {TPROF_KEY_MAP(X)};
#undef X
    return words[key];
}

static inline const char *tprof_loss_word(tprof_loss loss)
{
#define X(name, word) word,
    static const char *const words[] = {TPROF_LOSS_MAP(X)};
#undef X
    return words[loss];
}

static inline const char *tprof_environment_word(tprof_environment_key key)
{
#define X(name, word) word,
    static const char *const words[] = {TPROF_ENVIRONMENT_MAP(X)};
#undef X
    return words[key];
}

// Names with a meaning of their own.
#define TPROF_NAME_STEP_PREFIX   "ProfilerStep#"
#define TPROF_NAME_LOADER_PREFIX "enumerate(DataLoader)#"
#define TPROF_NAME_LOADER_SUFFIX ".__next__"
#define TPROF_NAME_MODULE_PREFIX "nn.Module: "
#define TPROF_NAME_MEMORY        "[memory]"
#define TPROF_NAME_SPAN          "PyTorch Profiler (0)"
#define TPROF_NAME_WINDOW_BEGIN  "Iteration Start: PyTorch Profiler"
#define TPROF_NAME_WINDOW_END    "Record Window End"

// Relative times count from the last multiple of this many seconds since the epoch, a quarter of a
// year, so that all ranks share one base and a time still fits a double exactly.
#define TPROF_BASE_TIME_SECONDS 7889238

// Sort rows of processes in viewers.
#define TPROF_SORT_SPANS    536870912
#define TPROF_SORT_GPU      5000000
#define TPROF_SORT_OVERHEAD 16777226

#define TPROF_TRACE_SUFFIX    ".pt.trace.json"
#define TPROF_TRACE_SUFFIX_GZ ".pt.trace.json.gz"

#endif
