// SPDX-License-Identifier: BSD-3-Clause
// The process's one session with CUPTI: which kinds are collected, and the buffers that come in.
#include "gpu/cupti_session.h"

#include "gpu/cupti_links.h"
#include "gpu/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

enum {
    BUFFER_BYTES = 4 << 20,
    BUFFERS_MB = 128, // in all; TPROF_GPU_BUFFER_MB states another sum
    FLUSH_PERIOD_MS = 1000,
    CLOCK_TRIES = 5,
    // From this version on a request for a buffer may be answered with none.
    TAKES_NO_BUFFER = 27,
};

// Kinds collected in windows, the one that must work first. Libraries do not know all of them.
static const tp_cupti_kind KINDS[] = {
    TP_CUPTI_CONCURRENT_KERNEL,
    TP_CUPTI_EXTERNAL_CORRELATION,
    TP_CUPTI_CONTEXT,
    TP_CUPTI_RUNTIME,
    TP_CUPTI_DRIVER,
    TP_CUPTI_MEMCPY,
    TP_CUPTI_MEMCPY2,
    TP_CUPTI_MEMSET,
    TP_CUPTI_SYNCHRONIZATION,
    TP_CUPTI_CUDA_EVENT,
    TP_CUPTI_OVERHEAD,
    TP_CUPTI_JIT,
    TP_CUPTI_MEM_DECOMPRESS,
    TP_CUPTI_GRAPH_HOST_NODE,
};

static const tp_cupti_kind MEMORY_KINDS[] = {TP_CUPTI_MEMORY2, TP_CUPTI_MEMORY_POOL};

static const char *kind_word(tp_cupti_kind kind)
{
    switch (kind) {
#define X(name, number, record)                                                                    \
    case number:                                                                                   \
        return #name;
        TP_CUPTI_KIND_MAP(X)
#undef X
    default:
        return "";
    }
}

// ---- What went wrong

static const char *advice(CUptiResult result)
{
    switch (result) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        return "; another tool (Nsight, torch.profiler, compute-sanitizer) uses CUPTI in this "
               "process";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return "; the driver allows profiling to the administrator only";
    case CUPTI_ERROR_HARDWARE_BUSY:
        return "; another tool, such as DCGM, profiles the device";
    case CUPTI_ERROR_UNKNOWN:
    case CUPTI_ERROR_NOT_INITIALIZED:
        return "; is there an NVIDIA driver that fits this CUPTI?";
    default:
        return "";
    }
}

bool tp_session_check(tp_session *session, const char *call, const char *argument,
                      CUptiResult result)
{
    char text[TP_SESSION_ERROR_BYTES];
    char what[128];

    if (result == CUPTI_SUCCESS)
        return true;
    snprintf(what, sizeof(what), "%s(%s): ", call, argument);
    if (strstr(session->error, what))
        return false;
    const size_t length = strlen(session->error);
    const int added = snprintf(text, sizeof(text), "%s%s%s (%d)%s", length ? "; " : "", what,
                               tp_cupti_result_text(&session->cupti, result), (int)result,
                               strstr(session->error, advice(result)) ? "" : advice(result));
    // The first few say what is wrong; half a sentence would not.
    if (length == 0 || length + (size_t)added < sizeof(session->error))
        snprintf(session->error + length, sizeof(session->error) - length, "%s", text);
    return false;
}

// ---- Buffers

static tp_session *active; // whose callbacks are registered

static void CUPTIAPI buffer_requested(uint8_t **data, size_t *size, size_t *max_records)
{
    tp_buffer *buffer =
        tp_buffers_request(&active->buffers, active->cupti.version < TAKES_NO_BUFFER);
    *data = buffer ? buffer->data : NULL;
    *size = buffer ? buffer->size : 0;
    *max_records = 0; // as many as fit
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *data,
                                      size_t size, size_t valid)
{
    (void)context;
    (void)stream;
    (void)size;
    tp_buffers_complete(&active->buffers, data, valid);
}

static void no_callback(void *arg, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const void *data)
{
    (void)arg;
    (void)domain;
    (void)id;
    (void)data;
}

static size_t buffer_limit(void)
{
    enum { LEAST_MB = 8, MOST_MB = 65536 };
    const char *text = getenv("TPROF_GPU_BUFFER_MB");
    long megabytes = text ? strtol(text, NULL, 10) : BUFFERS_MB;
    if (megabytes < LEAST_MB || megabytes > MOST_MB)
        megabytes = megabytes < LEAST_MB ? LEAST_MB : MOST_MB;
    return (size_t)megabytes << 20;
}

// ---- Kinds

static CUptiResult enable(tp_session *session, tp_cupti_kind kind)
{
    // Programs make contexts before they are profiled; waits name the context and not the device.
    if (kind == TP_CUPTI_CONTEXT && session->cupti.enable_and_dump &&
        session->cupti.enable_and_dump((CUpti_ActivityKind)kind) == CUPTI_SUCCESS)
        return CUPTI_SUCCESS;
    return session->cupti.cuptiActivityEnable((CUpti_ActivityKind)kind);
}

static void disable_all(tp_session *session, const tp_cupti_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (session->cupti.sizes.bytes[kinds[i]])
            tp_session_check(session, "cuptiActivityDisable", kind_word(kinds[i]),
                             session->cupti.cuptiActivityDisable((CUpti_ActivityKind)kinds[i]));
}

// The first kind must work; without one of the others the trace only has less.
static bool enable_all(tp_session *session, const tp_cupti_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (session->cupti.sizes.bytes[kinds[i]] == 0)
            continue;
        if (!tp_session_check(session, "cuptiActivityEnable", kind_word(kinds[i]),
                              enable(session, kinds[i])) &&
            i == 0)
            return false;
    }
    return true;
}

// Calls that programs make all the time and that no trace shows need not be recorded at all.
static void leave_out_noise(tp_session *session)
{
    static const CUpti_CallbackId runtime[] = {CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
                                               CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020};
    static const CUpti_CallbackId driver[] = {CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent,
                                              CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState};

    for (size_t i = 0; i < ARRAY_LEN(runtime) && session->cupti.enable_runtime_api; i++)
        tp_session_check(session, "cuptiActivityEnableRuntimeApi", "",
                         session->cupti.enable_runtime_api(runtime[i], 0));
    for (size_t i = 0; i < ARRAY_LEN(driver) && session->cupti.enable_driver_api; i++)
        tp_session_check(session, "cuptiActivityEnableDriverApi", "",
                         session->cupti.enable_driver_api(driver[i], 0));
}

// ---- Life

static bool subscribe(tp_session *session)
{
    const CUptiResult result =
        session->cupti.cuptiSubscribe(&session->subscriber, no_callback, NULL);
    if (result == CUPTI_SUCCESS)
        return true;
    session->subscriber = NULL;
    tp_session_check(session, "cuptiSubscribe", "", result);
    // Two clients take each other's buffers. After any other failure, kinds may work.
    return result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

bool tp_session_open(tp_session *session)
{
    session->error[0] = '\0';
    session->lasting = 0;
    // A library that was loaded once stays: it has threads and hooks in the driver.
    if (!session->cupti.handle) {
        if (!tp_cupti_load(&session->cupti, session->error, sizeof(session->error))) {
            session->cupti.handle = NULL;
            return false;
        }
        tp_buffers_init(&session->buffers, BUFFER_BYTES, buffer_limit());
    }
    if (!subscribe(session))
        return false;

    active = session;
    tp_session_check(session, "cuptiSetThreadIdType", "",
                     session->cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM));
    if (!tp_session_check(
            session, "cuptiActivityRegisterCallbacks", "",
            session->cupti.cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed)) ||
        !tp_session_check(session, "cuptiActivityEnable", kind_word(KINDS[0]),
                          enable(session, KINDS[0]))) {
        tp_session_close(session);
        return false;
    }
    disable_all(session, KINDS, 1);
    if (session->cupti.enable_event_timestamps)
        tp_session_check(session, "cuptiActivityEnableCudaEventDeviceTimestamps", "",
                         session->cupti.enable_event_timestamps(1));
    session->lasting = strlen(session->error);
    return true;
}

void tp_session_track_memory(tp_session *session)
{
    if (session->tracks_memory)
        return;
    session->tracks_memory = true;
    session->error[session->lasting] = '\0';
    enable_all(session, MEMORY_KINDS, ARRAY_LEN(MEMORY_KINDS));
    session->lasting = strlen(session->error);
}

void tp_session_close(tp_session *session)
{
    if (!session->cupti.handle)
        return;
    tp_session_stop(session);
    if (session->tracks_memory)
        disable_all(session, MEMORY_KINDS, ARRAY_LEN(MEMORY_KINDS));
    session->tracks_memory = false;
    if (session->subscriber)
        session->cupti.cuptiUnsubscribe(session->subscriber);
    session->subscriber = NULL;
    tp_buffers_free(&session->buffers);
}

bool tp_session_start(tp_session *session)
{
    if (session->collecting)
        return true;
    session->error[session->lasting] = '\0';
    if (!enable_all(session, KINDS, ARRAY_LEN(KINDS))) {
        disable_all(session, KINDS, ARRAY_LEN(KINDS));
        return false;
    }
    leave_out_noise(session); // enabling the kinds would bring them back
    tp_session_check(session, "cuptiActivityFlushPeriod", "",
                     session->cupti.cuptiActivityFlushPeriod(FLUSH_PERIOD_MS));
    __atomic_store_n(&session->collecting, true, __ATOMIC_RELAXED);
    return true;
}

void tp_session_stop(tp_session *session)
{
    if (!session->collecting)
        return;
    __atomic_store_n(&session->collecting, false, __ATOMIC_RELAXED);
    tp_session_check(session, "cuptiActivityFlushPeriod", "",
                     session->cupti.cuptiActivityFlushPeriod(0));
    disable_all(session, KINDS, ARRAY_LEN(KINDS));
}

// Links are made on the program's threads, which leave it to this one to tell.
static void tell_refused_links(tp_session *session)
{
    CUptiResult result;
    const char *call = tp_links_refused(&result);
    if (call)
        tp_session_check(session, call, "", result);
}

// Waits, and notes when and where.
static void wait_for_devices(tp_session *session)
{
    tp_cupti_own_wait wait = {.thread = (uint32_t)syscall(SYS_gettid),
                              .pthread = (uint32_t)(uintptr_t)pthread_self()};

    const bool begun = session->cupti.cuptiGetTimestamp(&wait.begin) == CUPTI_SUCCESS;
    tp_devices_wait();
    if (begun && session->cupti.cuptiGetTimestamp(&wait.end) == CUPTI_SUCCESS)
        session->waits[session->wait_count++ % TP_CUPTI_OWN_WAITS] = wait;
}

void tp_session_flush(tp_session *session)
{
    const CUpti_ExternalCorrelationKind own = (CUpti_ExternalCorrelationKind)TP_CUPTI_EXTERNAL_OWN;
    uint64_t id;

    const bool marked =
        tp_session_check(session, "cuptiActivityPushExternalCorrelationId", "",
                         session->cupti.cuptiActivityPushExternalCorrelationId(own, 1));
    wait_for_devices(session);
    // A mark that stays would make all that follows look like ours.
    if (marked && !tp_session_check(session, "cuptiActivityPopExternalCorrelationId", "",
                                    session->cupti.cuptiActivityPopExternalCorrelationId(own, &id)))
        session->own_mark_stays = true;
    tp_session_check(session, "cuptiActivityFlushAll", "",
                     session->cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    tell_refused_links(session);
}

void tp_session_fetch(tp_session *session)
{
    // While collection goes on, a forced flush would cut records of work that still runs.
    tp_session_check(session, "cuptiActivityFlushAll", "",
                     session->cupti.cuptiActivityFlushAll(
                         session->collecting ? 0 : CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
}

tp_buffer *tp_session_take(tp_session *session)
{
    return tp_buffers_take(&session->buffers);
}

uint64_t tp_session_lost(tp_session *session)
{
    size_t lost = 0;
    const bool told =
        tp_session_check(session, "cuptiActivityGetNumDroppedRecords", "",
                         session->cupti.cuptiActivityGetNumDroppedRecords(NULL, 0, &lost));
    return told ? lost : 0;
}

static int64_t realtime_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

tp_gpu_clock_sample tp_session_clock(tp_session *session)
{
    tp_gpu_clock_sample best = {.uncertainty_ns = INT64_MAX};
    for (int i = 0; i < CLOCK_TRIES; i++) {
        uint64_t cupti_ns = 0;
        const int64_t before = realtime_ns();
        if (!tp_session_check(session, "cuptiGetTimestamp", "",
                              session->cupti.cuptiGetTimestamp(&cupti_ns)))
            return (tp_gpu_clock_sample){0};
        const tp_gpu_clock_sample sample = tp_gpu_clock_sample_of(before, cupti_ns, realtime_ns());
        if (sample.uncertainty_ns < best.uncertainty_ns)
            best = sample;
    }
    return best;
}

// ---- Links

void tp_session_link(tp_session *session, tp_gpu_link link, uint32_t id)
{
    if (__atomic_load_n(&session->collecting, __ATOMIC_RELAXED))
        tp_links_push(&session->cupti, link, id);
}

void tp_session_unlink(tp_session *session, tp_gpu_link link, uint32_t id)
{
    tp_links_pop(&session->cupti, link, id);
}
