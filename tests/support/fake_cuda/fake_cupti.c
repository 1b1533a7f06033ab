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
#include "fake_cupti.h"

#include <time.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static bool subscribed;

#define SCRIPTED(kind)                                                                             \
    do {                                                                                           \
        const CUptiResult scripted_ = fake_scripted(__func__, kind);                               \
        if (scripted_ != CUPTI_SUCCESS)                                                            \
            return scripted_;                                                                      \
    } while (0)

FAKE_API CUptiResult cuptiGetVersion(uint32_t *version)
{
    SCRIPTED(0);
    *version = fake_script_read()->sizes.version;
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
    clock_gettime(CLOCK_MONOTONIC, &now);
    *timestamp = fake_stamp((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
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
    fake_register(request, complete);
    return CUPTI_SUCCESS;
}

static CUptiResult set_enabled(CUpti_ActivityKind kind, bool on)
{
    if (fake_size_of(kind) == 0)
        return CUPTI_ERROR_INVALID_KIND;
    fake_set_enabled(kind, on);
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    SCRIPTED((int)kind);
    return set_enabled(kind, true);
}

FAKE_API CUptiResult cuptiActivityEnableAndDump(CUpti_ActivityKind kind)
{
    SCRIPTED((int)kind);
    const CUptiResult result = set_enabled(kind, true);
    if (result == CUPTI_SUCCESS && kind == CUPTI_ACTIVITY_KIND_CONTEXT) {
        for (uint32_t device = 0; device < 2; device++) {
            const tp_cupti_context record = {
                .kind = kind, .context_id = device + 1, .device_id = device};
            fake_emit(kind, &record);
        }
    }
    return result;
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
    fake_event_timestamps(on != 0);
    return CUPTI_SUCCESS;
}

FAKE_API void (*fake_cupti_after_flush)(void);

FAKE_API CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    void (*const after)(void) = fake_cupti_after_flush;
    (void)flag;
    SCRIPTED(0);
    fake_flush();
    fake_cupti_after_flush = NULL;
    if (after)
        after();
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
        at = (const uint8_t *)*record + fake_size_of(kind);
    }
    if (at + sizeof(kind) > buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    memcpy(&kind, at, sizeof(kind));
    if (fake_size_of(kind) == 0)
        return CUPTI_ERROR_INVALID_KIND;
    if (at + fake_size_of(kind) > buffer + valid)
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
    *count = fake_take_dropped();
    return CUPTI_SUCCESS;
}

FAKE_API CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                            uint64_t id)
{
    SCRIPTED(0);
    return fake_push(kind, id);
}

FAKE_API CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                           uint64_t *id)
{
    SCRIPTED(0);
    return fake_pop(kind, id);
}
