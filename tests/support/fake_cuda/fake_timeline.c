// SPDX-License-Identifier: BSD-3-Clause
// The stand-in's devices: streams that do one thing after another, by the clock.
#include "fake_timeline.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LAUNCH_LATENCY_NS = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fake_stream streams[FAKE_STREAMS];
static uint32_t stream_count;
static uint32_t last_correlation;
static _Thread_local int current_device;
static _Thread_local uint64_t copy_duration_ns = 1000;

uint64_t fake_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void fake_sleep_until(uint64_t at_ns)
{
    for (;;) {
        const uint64_t now = fake_now_ns();
        if (now >= at_ns)
            return;
        const struct timespec rest = {(time_t)((at_ns - now) / 1000000000),
                                      (long)((at_ns - now) % 1000000000)};
        nanosleep(&rest, NULL);
    }
}

int *fake_current_device(void)
{
    return &current_device;
}

static void make_default_streams(void)
{
    for (; stream_count < FAKE_DEVICES; stream_count++)
        streams[stream_count] = (fake_stream){stream_count, FAKE_FIRST_STREAM, 0};
}

fake_stream *fake_stream_of(void *handle)
{
    pthread_mutex_lock(&lock);
    make_default_streams();
    pthread_mutex_unlock(&lock);
    return handle ? handle : &streams[current_device];
}

fake_stream *fake_stream_make(void)
{
    fake_stream *stream = NULL;
    pthread_mutex_lock(&lock);
    make_default_streams();
    if (stream_count < FAKE_STREAMS) {
        stream = &streams[stream_count++];
        *stream = (fake_stream){(uint32_t)current_device, 2 * stream_count + 7, 0};
    }
    pthread_mutex_unlock(&lock);
    return stream;
}

const fake_sink *fake_sink_now(void)
{
    static const fake_sink *sink; // once CUPTI is there, it stays
    const fake_sink *found = __atomic_load_n(&sink, __ATOMIC_ACQUIRE);
    if (found)
        return found;

    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    if (!cupti) {
        dlerror();
        return NULL;
    }
    found = dlsym(cupti, "fake_cupti_sink");
    __atomic_store_n(&sink, found, __ATOMIC_RELEASE);
    return found;
}

fake_call fake_call_begin(uint32_t kind, uint32_t callback_id)
{
    return (fake_call){
        .kind = kind,
        .callback_id = callback_id,
        .correlation = __atomic_add_fetch(&last_correlation, 1, __ATOMIC_RELAXED),
        .thread = (uint32_t)syscall(SYS_gettid),
        .start_ns = fake_now_ns(),
    };
}

void fake_call_end(fake_call *call)
{
    const fake_sink *sink = fake_sink_now();
    call->end_ns = fake_now_ns();
    if (sink)
        sink->call(call);
}

// ---- While devices only take work, times count from 0

enum { PENDING = 128 };

static bool holding;
static fake_work pending_work[PENDING];
static fake_event pending_events[PENDING];
static uint64_t *pending_times[PENDING];
static size_t work_count, event_count;

static uint64_t earliest(void)
{
    return holding ? 0 : fake_now_ns() + LAUNCH_LATENCY_NS;
}

FAKE_API void fake_hold(void)
{
    pthread_mutex_lock(&lock);
    make_default_streams();
    holding = true;
    for (uint32_t i = 0; i < stream_count; i++)
        streams[i].free_at_ns = 0;
    pthread_mutex_unlock(&lock);
}

FAKE_API void fake_release(void)
{
    const fake_sink *sink = fake_sink_now();

    pthread_mutex_lock(&lock);
    holding = false;
    const uint64_t base = earliest();
    for (uint32_t i = 0; i < stream_count; i++)
        streams[i].free_at_ns += base;
    for (size_t i = 0; i < work_count; i++) {
        pending_work[i].start_ns += base;
        pending_work[i].end_ns += base;
        if (sink)
            sink->work(&pending_work[i]);
    }
    for (size_t i = 0; i < event_count; i++) {
        *pending_times[i] += base;
        pending_events[i].at_ns += base;
        if (sink)
            sink->event(&pending_events[i]);
    }
    work_count = event_count = 0;
    pthread_mutex_unlock(&lock);
}

void fake_enqueue(fake_stream *stream, fake_work *work, uint64_t duration_ns, uint32_t correlation)
{
    const fake_sink *sink = fake_sink_now();

    pthread_mutex_lock(&lock);
    const uint64_t first = earliest();
    work->start_ns = stream->free_at_ns > first ? stream->free_at_ns : first;
    work->end_ns = work->start_ns + duration_ns;
    stream->free_at_ns = work->end_ns;
    work->device = stream->device;
    work->context = FAKE_CONTEXT + stream->device;
    work->stream = stream->id;
    work->correlation = correlation;
    if (holding && work_count < PENDING)
        pending_work[work_count++] = *work;
    else if (sink)
        sink->work(work);
    pthread_mutex_unlock(&lock);
}

void fake_record(fake_stream *stream, uint64_t *done_at_ns, fake_event *event)
{
    const fake_sink *sink = fake_sink_now();

    pthread_mutex_lock(&lock);
    const uint64_t first = earliest();
    *done_at_ns = event->at_ns = stream->free_at_ns > first ? stream->free_at_ns : first;
    if (holding && event_count < PENDING) {
        pending_times[event_count] = done_at_ns;
        pending_events[event_count++] = *event;
    } else if (sink) {
        sink->event(event);
    }
    pthread_mutex_unlock(&lock);
}

void fake_wait_until(fake_stream *stream, uint64_t at_ns)
{
    pthread_mutex_lock(&lock);
    if (at_ns > stream->free_at_ns)
        stream->free_at_ns = at_ns;
    pthread_mutex_unlock(&lock);
}

uint64_t fake_idle_at(uint32_t device)
{
    uint64_t at = 0;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < stream_count; i++)
        if (streams[i].device == device && streams[i].free_at_ns > at)
            at = streams[i].free_at_ns;
    pthread_mutex_unlock(&lock);
    return at;
}

FAKE_API void fake_copy_duration(uint64_t duration_ns)
{
    copy_duration_ns = duration_ns;
}

uint64_t fake_next_copy_duration(void)
{
    return copy_duration_ns;
}
