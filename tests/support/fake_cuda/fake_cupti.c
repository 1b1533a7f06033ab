// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for libcupti.so.13, with CUPTI's own prototypes. What the stand-in of the driver does
// becomes records of the kinds that are enabled, in buffers asked for and given back as CUPTI does.
//
// Environment, read at the first call:
//   FAKE_CUPTI_VERSION   18, 28, 130001 or 130500: what cuptiGetVersion() says, and how long the
//                        records are
//   FAKE_CUPTI_FAIL      "cuptiSubscribe:39,cuptiActivityEnable/38:21": calls, with the kind where
//                        one is given, that fail with that result
//   FAKE_CUPTI_RECORDS   a buffer is full after so many records
//   FAKE_CUPTI_THREAD    1: full buffers are given back by another thread, four together and the
//   newest first FAKE_CUPTI_LATE      1: external correlation comes at the flush, after the records
//   it belongs to FAKE_CUPTI_DROP      so many of the first records get lost FAKE_CUPTI_CLOCK_NS
//   how far CUPTI's clock is ahead of CLOCK_REALTIME
#include "fake_cuda.h"
#include "gpu/cupti_layout.h"

#include <cupti.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { LINKS = 64, BUFFERS = 4096, FULL_TOGETHER = 4 };

// How long the records of a version are.
typedef struct version_sizes {
    uint32_t version;
    uint16_t kernel, memcpy, memcpy_peer, memset, sync, cuda_event, overhead, memory, context;
} version_sizes;

static const version_sizes VERSIONS[] = {
    {18,     200, 88,  96, 88,  40, 24, 40, 120, 16},
    {28,     208, 96,  96, 88,  56, 56, 56, 128, 32},
    {130001, 216, 96,  96, 88,  56, 56, 56, 128, 32},
    {130500, 248, 112, 96, 104, 56, 80, 56, 128, 40},
};

static struct {
    version_sizes sizes;
    const char *fail;
    long records_per_buffer, drop;
    bool thread, late;
    int64_t clock_ns;
} script;

static pthread_once_t script_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool enabled[TP_CUPTI_KINDS];
static CUpti_BuffersCallbackRequestFunc request_buffer;
static CUpti_BuffersCallbackCompleteFunc complete_buffer;
static bool subscribed;

static struct buffer {
    uint8_t *data;
    size_t size, valid;
    long records;
} current, full[BUFFERS];
static size_t full_count;

static uint64_t dropped;
static tp_cupti_external late_links[BUFFERS];
static size_t late_count;

// ---- The script

static long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

static void read_script(void)
{
    const long version = number("FAKE_CUPTI_VERSION");
    script.sizes = VERSIONS[2];
    for (size_t i = 0; i < ARRAY_LEN(VERSIONS); i++)
        if (VERSIONS[i].version == (uint32_t)version)
            script.sizes = VERSIONS[i];
    script.fail = getenv("FAKE_CUPTI_FAIL");
    script.records_per_buffer = number("FAKE_CUPTI_RECORDS");
    script.drop = number("FAKE_CUPTI_DROP");
    script.thread = number("FAKE_CUPTI_THREAD") != 0;
    script.late = number("FAKE_CUPTI_LATE") != 0;
    script.clock_ns = number("FAKE_CUPTI_CLOCK_NS");
}

// The result that the script wants of a call.
static CUptiResult scripted(const char *call, int kind)
{
    char with_kind[96];

    pthread_once(&script_once, read_script);
    if (!script.fail)
        return CUPTI_SUCCESS;
    snprintf(with_kind, sizeof(with_kind), "%s/%d", call, kind);
    for (const char *at = script.fail; *at;) {
        const size_t length = strcspn(at, ":");
        if ((length == strlen(call) && strncmp(at, call, length) == 0) ||
            (length == strlen(with_kind) && strncmp(at, with_kind, length) == 0))
            return (CUptiResult)strtol(at + length + 1, NULL, 10);
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return CUPTI_SUCCESS;
}

#define SCRIPTED(kind)                                                                             \
    do {                                                                                           \
        const CUptiResult scripted_ = scripted(__func__, kind);                                    \
        if (scripted_ != CUPTI_SUCCESS)                                                            \
            return scripted_;                                                                      \
    } while (0)

// ---- Records into buffers

static size_t size_of(uint32_t kind)
{
    pthread_once(&script_once, read_script);
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return script.sizes.kernel;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return script.sizes.memcpy;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return script.sizes.memcpy_peer;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return script.sizes.memset;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
        return script.sizes.sync;
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        return script.sizes.cuda_event;
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return script.sizes.overhead;
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        return script.sizes.memory;
    case CUPTI_ACTIVITY_KIND_CONTEXT:
        return script.sizes.context;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return sizeof(tp_cupti_api);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(tp_cupti_external);
    default:
        return 0;
    }
}

// With the lock held. Moves the current buffer to the full ones.
static void finish_buffer(void)
{
    if (current.data && full_count < BUFFERS)
        full[full_count++] = current;
    current = (struct buffer){0};
}

static void *give_back(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    const size_t count = full_count;
    full_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &full[script.thread ? count - 1 - i : i];
        complete_buffer(NULL, 0, buffer->data, buffer->size, buffer->valid);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void give_back_buffers(void)
{
    pthread_t thread;
    if (script.thread && pthread_create(&thread, NULL, give_back, NULL) == 0)
        pthread_join(thread, NULL);
    else
        give_back(NULL);
}

// The first `size` bytes of the newest struct are the record of an older version.
static void emit(uint32_t kind, const void *record)
{
    const size_t size = size_of(kind);

    pthread_mutex_lock(&lock);
    if (!enabled[kind] || !request_buffer || size == 0) {
        pthread_mutex_unlock(&lock);
        return;
    }
    if (script.drop > 0 && kind != CUPTI_ACTIVITY_KIND_CONTEXT) {
        script.drop--;
        dropped++;
        pthread_mutex_unlock(&lock);
        return;
    }
    const bool is_full =
        current.data &&
        (current.size - current.valid < size ||
         (script.records_per_buffer > 0 && current.records >= script.records_per_buffer));
    if (is_full)
        finish_buffer();
    if (!current.data) {
        size_t most = 0;
        request_buffer(&current.data, &current.size, &most);
        current.valid = 0;
        current.records = 0;
    }
    if (current.data && current.size >= size) {
        memcpy(current.data + current.valid, record, size);
        current.valid += size;
        current.records++;
    } else {
        dropped++;
    }
    const bool many = full_count >= (script.thread ? FULL_TOGETHER : 1);
    pthread_mutex_unlock(&lock);
    if (many)
        give_back_buffers();
}

static void flush(void)
{
    for (size_t i = 0; i < late_count; i++)
        emit(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, &late_links[i]);
    late_count = 0;
    pthread_mutex_lock(&lock);
    finish_buffer();
    pthread_mutex_unlock(&lock);
    if (complete_buffer)
        give_back_buffers();
}

// ---- What the driver tells

static _Thread_local uint64_t links[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE][LINKS];
static _Thread_local uint32_t link_depth[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE];

static uint64_t stamp(uint64_t realtime_ns)
{
    return realtime_ns + (uint64_t)script.clock_ns;
}

static void emit_links(uint32_t correlation)
{
    for (uint32_t kind = 1; kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; kind++) {
        if (link_depth[kind] == 0)
            continue;
        const tp_cupti_external record = {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, kind,
                                          links[kind][link_depth[kind] - 1], correlation, 0};
        if (script.late && late_count < BUFFERS)
            late_links[late_count++] = record;
        else
            emit(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, &record);
    }
}

static void tell_call(const fake_call *call)
{
    const tp_cupti_api record = {
        .kind = call->kind,
        .callback_id = call->callback_id,
        .start = stamp(call->start_ns),
        .end = stamp(call->end_ns),
        .process_id = (uint32_t)getpid(),
        .thread_id = call->thread,
        .correlation_id = call->correlation,
    };
    if (!enabled[call->kind])
        return;
    emit_links(call->correlation);
    emit(call->kind, &record);
}

static void tell_kernel(const fake_work *work)
{
    tp_cupti_kernel record = {
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        .registers_per_thread = work->kernel->registers,
        .start = stamp(work->start_ns),
        .end = stamp(work->end_ns),
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
    emit(record.kind, &record);
}

static void tell_copy(const fake_work *work)
{
    const tp_cupti_memcpy record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMCPY,
        .copy_kind = work->copy_kind,
        .source_kind = work->from,
        .target_kind = work->to,
        .bytes = work->bytes,
        .start = stamp(work->start_ns),
        .end = stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .correlation_id = work->correlation,
    };
    emit(record.kind, &record);
}

static void tell_peer_copy(const fake_work *work)
{
    const tp_cupti_memcpy_peer record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
        .copy_kind = work->copy_kind,
        .source_kind = work->from,
        .target_kind = work->to,
        .bytes = work->bytes,
        .start = stamp(work->start_ns),
        .end = stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .source_device_id = work->device,
        .source_context_id = work->context,
        .target_device_id = work->target_device,
        .target_context_id = work->target_device + 1,
        .correlation_id = work->correlation,
    };
    emit(record.kind, &record);
}

static void tell_memset(const fake_work *work)
{
    const tp_cupti_memset record = {
        .kind = CUPTI_ACTIVITY_KIND_MEMSET,
        .bytes = work->bytes,
        .start = stamp(work->start_ns),
        .end = stamp(work->end_ns),
        .device_id = work->device,
        .context_id = work->context,
        .stream_id = work->stream,
        .correlation_id = work->correlation,
        .memory_kind = 3,
    };
    emit(record.kind, &record);
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
        .start = stamp(wait->start_ns),
        .end = stamp(wait->end_ns),
        .correlation_id = wait->correlation,
        .context_id = wait->context,
        .stream_id = wait->stream,
        .event_id = wait->event,
        .event_sync_id = wait->recording,
    };
    emit(record.kind, &record);
}

static bool event_timestamps;

static void tell_event(const fake_event *event)
{
    const tp_cupti_cuda_event record = {
        .kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
        .correlation_id = event->correlation,
        .context_id = event->context,
        .stream_id = event->stream,
        .event_id = event->event,
        .device_id = event->device,
        .device_timestamp = event_timestamps ? stamp(event->at_ns) : 0,
        .event_sync_id = event->recording,
    };
    emit(record.kind, &record);
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
        .timestamp = stamp(memory->at_ns),
        .process_id = (uint32_t)getpid(),
        .device_id = memory->device,
        .context_id = memory->context,
    };
    emit(record.kind, &record);
}

FAKE_API const fake_sink fake_cupti_sink;
const fake_sink fake_cupti_sink = {tell_call, tell_work, tell_wait, tell_event, tell_memory};

// ---- CUPTI's own functions

FAKE_API CUptiResult cuptiGetVersion(uint32_t *version)
{
    SCRIPTED(0);
    *version = script.sizes.version;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
    static const struct {
        CUptiResult result;
        const char *text;
    } texts[] = {
        {CUPTI_SUCCESS,                                  "CUPTI_SUCCESS"                      },
        {CUPTI_ERROR_INVALID_KIND,                       "CUPTI_ERROR_INVALID_KIND"           },
        {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,            "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
        {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
         "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"                                     },
        {CUPTI_ERROR_UNKNOWN,                            "CUPTI_ERROR_UNKNOWN"                },
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (texts[i].result == result) {
            *text = texts[i].text;
            return CUPTI_SUCCESS;
        }
    return CUPTI_ERROR_INVALID_PARAMETER;
}

FAKE_API CUptiResult cuptiGetTimestamp(uint64_t *timestamp)
{
    struct timespec now;
    SCRIPTED(0);
    clock_gettime(CLOCK_REALTIME, &now);
    *timestamp = stamp((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id,
                                          const char **name)
{
#define RUNTIME(function)                                                                          \
    {                                                                                              \
        CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_##function, #function                \
    }
#define DRIVER(function)                                                                           \
    {                                                                                              \
        CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_##function, #function                  \
    }
    static const struct {
        CUpti_CallbackDomain domain;
        uint32_t id;
        const char *name;
    } names[] = {
        RUNTIME(cudaGetDevice_v3020),
        RUNTIME(cudaMalloc_v3020),
        RUNTIME(cudaFree_v3020),
        RUNTIME(cudaLaunchKernel_v7000),
        RUNTIME(cudaMemcpyAsync_v3020),
        RUNTIME(cudaMemcpyPeerAsync_v4000),
        RUNTIME(cudaMemsetAsync_v3020),
        RUNTIME(cudaStreamSynchronize_v3020),
        RUNTIME(cudaDeviceSynchronize_v3020),
        RUNTIME(cudaEventRecord_v3020),
        RUNTIME(cudaEventSynchronize_v3020),
        RUNTIME(cudaStreamWaitEvent_v3020),
        RUNTIME(cudaGraphLaunch_v10000),
        DRIVER(cuCtxSynchronize),
        DRIVER(cuLaunchKernel),
    };
    SCRIPTED(0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].domain == domain && names[i].id == id) {
            *name = names[i].name;
            return CUPTI_SUCCESS;
        }
    return CUPTI_ERROR_INVALID_PARAMETER;
}

FAKE_API CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
                                    void *arg)
{
    (void)callback;
    (void)arg;
    SCRIPTED(0);
    if (subscribed)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    subscribed = true;
    *subscriber = (CUpti_SubscriberHandle)(uintptr_t)1;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    (void)subscriber;
    SCRIPTED(0);
    subscribed = false;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    (void)type;
    SCRIPTED(0);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete)
{
    SCRIPTED(0);
    pthread_mutex_lock(&lock);
    request_buffer = request;
    complete_buffer = complete;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

static CUptiResult set_enabled(CUpti_ActivityKind kind, bool on)
{
    if (size_of(kind) == 0)
        return CUPTI_ERROR_INVALID_KIND;
    pthread_mutex_lock(&lock);
    enabled[kind] = on;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    SCRIPTED((int)kind);
    if (kind == CUPTI_ACTIVITY_KIND_CONTEXT && !enabled[kind]) {
        set_enabled(kind, true);
        for (uint32_t device = 0; device < 2; device++) {
            const tp_cupti_context record = {
                .kind = kind, .context_id = device + 1, .device_id = device};
            emit(kind, &record);
        }
    }
    return set_enabled(kind, true);
}

FAKE_API CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    SCRIPTED((int)kind);
    return set_enabled(kind, false);
}

// Headers before 12.x do not have these.
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t on);
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t on);
CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t on);

FAKE_API CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t on)
{
    (void)id;
    (void)on;
    SCRIPTED(0);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t on)
{
    (void)id;
    (void)on;
    SCRIPTED(0);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t on)
{
    SCRIPTED(0);
    event_timestamps = on != 0;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    SCRIPTED(0);
    flush();
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityFlushPeriod(uint32_t milliseconds)
{
    (void)milliseconds;
    SCRIPTED(0);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                                CUpti_Activity **record)
{
    uint32_t kind;
    SCRIPTED(0);
    const uint8_t *at = buffer;
    if (*record) {
        memcpy(&kind, *record, sizeof(kind));
        at = (const uint8_t *)*record + size_of(kind);
    }
    if (at + sizeof(kind) > buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    memcpy(&kind, at, sizeof(kind));
    if (size_of(kind) == 0)
        return CUPTI_ERROR_INVALID_KIND;
    if (at + size_of(kind) > buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(uintptr_t)at;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream,
                                                       size_t *count)
{
    (void)context;
    (void)stream;
    SCRIPTED(0);
    *count = dropped;
    dropped = 0;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                            uint64_t id)
{
    SCRIPTED(0);
    if (link_depth[kind] == LINKS)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    links[kind][link_depth[kind]++] = id;
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                           uint64_t *id)
{
    SCRIPTED(0);
    if (link_depth[kind] == 0)
        return CUPTI_ERROR_QUEUE_EMPTY;
    *id = links[kind][--link_depth[kind]];
    return CUPTI_SUCCESS;
}
