// SPDX-License-Identifier: BSD-3-Clause
// libtprof_inject.so: records a program that knows nothing of it. The CUDA driver loads it within
// cuInit() (CUDA_INJECTION64_PATH), NVTX at a program's first range (NVTX_INJECTION64_PATH);
// whichever comes first begins. Recording ends with the program.
//
// It says nothing on the program's outputs. What became of the recording stands in the trace, and
// in <TPROF_REPORT>/<process id>, from which tprof-record tells it.
#include "clock.h"
#include "inject/inject_settings.h"
#include "inject/nvtx_intake.h"
#include "profiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096 };

static struct injection {
    pthread_mutex_t lock; // held by whoever calls the profiler
    pthread_cond_t ending;
    tp_inject_settings settings;
    tprof_profiler *profiler; // NULL: could not be made, or it is over
    pid_t pid;                // of the process that began
    bool started, over;
    pthread_t timer;
    bool has_timer;
    pthread_t step_thread; // the one whose ranges are the steps
    bool has_step_thread, in_step;
    uint64_t step_ended; // ticks
    char trouble[TEXT_BYTES];
} injection = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The first trouble is the one that is told.
static void note(const char *text)
{
    if (!injection.trouble[0])
        snprintf(injection.trouble, sizeof(injection.trouble), "%s", text);
}

static void note_error(tprof_status status)
{
    char text[TEXT_BYTES] = "";
    if (injection.profiler)
        tprof_error(injection.profiler, text, sizeof(text));
    note(text[0] ? text : tprof_status_text(status));
}

// A child of fork() has nothing of its own, and the lock may be held by a thread that it lacks.
static bool is_forked_child(void)
{
    return getpid() != injection.pid;
}

// ---- What became of it

static void write_report(const tprof_stats *stats, const char *last_file)
{
    char path[TEXT_BYTES];
    const char *folder = injection.settings.report;

    if (!folder ||
        snprintf(path, sizeof(path), "%s/%ld", folder, (long)getpid()) >= (int)sizeof(path))
        return;
    FILE *file = fopen(path, "we");
    if (!file)
        return;
    fprintf(file, "files %llu\nevents %llu\ngpu_events %llu\ndropped %llu\ndropped_gpu %llu\n",
            (unsigned long long)stats->files, (unsigned long long)stats->events,
            (unsigned long long)stats->gpu_events, (unsigned long long)stats->dropped_events,
            (unsigned long long)stats->dropped_gpu);
    fprintf(file, "file %s\n", last_file);
    if (injection.trouble[0])
        fprintf(file, "trouble %s\n", injection.trouble);
    fclose(file);
}

// ---- Beginning and end

static void end_recording(void)
{
    if (!injection.started)
        return;
    // The last step ended with its range; what the program did since is no part of it.
    if (injection.has_step_thread && !injection.in_step)
        tp_profiler_end_mark(injection.profiler, injection.step_ended);
    const tprof_status status = tprof_stop(injection.profiler);
    if (status != TPROF_OK)
        note_error(status);
    injection.started = false;
}

static void stop_timer(void)
{
    if (!injection.has_timer)
        return;
    pthread_mutex_lock(&injection.lock);
    injection.over = true;
    pthread_cond_signal(&injection.ending);
    pthread_mutex_unlock(&injection.lock);
    pthread_join(injection.timer, NULL);
    injection.has_timer = false;
}

// At exit, before the program's other ends: those that began later end earlier.
static void finish(void)
{
    char file[TEXT_BYTES] = "";
    tprof_stats stats = {0};

    if (is_forked_child())
        return;
    stop_timer();
    pthread_mutex_lock(&injection.lock);
    injection.over = true;
    tprof_profiler *profiler = injection.profiler;
    if (profiler) {
        end_recording();
        const tprof_status status = tprof_flush(profiler);
        if (status != TPROF_OK)
            note_error(status);
        char text[TEXT_BYTES] = "";
        if (tprof_error(profiler, text, sizeof(text)) > 0)
            note(text);
        tprof_get_stats(profiler, &stats);
        tprof_last_file(profiler, file, sizeof(file));
        injection.profiler = NULL;
        tprof_destroy(profiler);
    }
    write_report(&stats, file);
    pthread_mutex_unlock(&injection.lock);
}

static void begin_recording(void)
{
    const tprof_status status = tprof_start(injection.profiler);
    injection.started = status == TPROF_OK;
    if (!injection.started)
        note_error(status);
}

// ---- By time

static struct timespec seconds_from_now(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

// With the lock held. False where the program ends before.
static bool wait_seconds(double seconds)
{
    const struct timespec at = seconds_from_now(seconds);
    while (!injection.over && pthread_cond_timedwait(&injection.ending, &injection.lock, &at) == 0)
        ;
    return !injection.over;
}

static void *run_timer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&injection.lock);
    if (injection.settings.delay_s > 0 && wait_seconds(injection.settings.delay_s))
        begin_recording();
    if (injection.started && injection.settings.duration_s > 0 &&
        wait_seconds(injection.settings.duration_s))
        end_recording();
    pthread_mutex_unlock(&injection.lock);
    return NULL;
}

static void begin_timer(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&injection.ending, &attributes);
    pthread_condattr_destroy(&attributes);
    if (injection.settings.delay_s <= 0)
        begin_recording();
    injection.has_timer = pthread_create(&injection.timer, NULL, run_timer, NULL) == 0;
    if (!injection.has_timer)
        note("no thread for the recording's times");
}

// ---- By steps

// Whether the calling thread is the one that steps: the first that has a range of that name. With
// the lock held.
static bool is_step_thread(void)
{
    if (!injection.has_step_thread) {
        injection.step_thread = pthread_self();
        injection.has_step_thread = true;
    }
    return pthread_equal(injection.step_thread, pthread_self());
}

static void step_begins(void)
{
    if (is_forked_child())
        return;
    pthread_mutex_lock(&injection.lock);
    if (injection.profiler && is_step_thread()) {
        if (!injection.started)
            begin_recording();
        else if (!injection.in_step)
            tprof_step(injection.profiler);
        injection.in_step = true;
    }
    pthread_mutex_unlock(&injection.lock);
}

static void step_ended(void)
{
    if (is_forked_child())
        return;
    pthread_mutex_lock(&injection.lock);
    if (injection.profiler && is_step_thread()) {
        injection.in_step = false;
        injection.step_ended = tp_clock_ticks();
    }
    pthread_mutex_unlock(&injection.lock);
}

// ---- Making it

static const char *environment(const char *name)
{
    return getenv(name);
}

static void make_profiler(const tp_inject_settings *settings)
{
    const tprof_tensorboard_options options = {.files = settings->files, .plain = settings->plain};
    const tprof_config config = {
        .activities = settings->activities,
        .schedule = settings->schedule,
        .on_trace_ready =
            tprof_tensorboard_trace_handler(settings->dir, settings->worker, &options),
        .profile_memory = settings->profile_memory,
    };
    const tprof_status status = tprof_create(&config, &injection.profiler);
    if (status != TPROF_OK)
        note_error(status);
}

static void begin(void)
{
    tp_inject_settings *settings = &injection.settings;
    char why[TEXT_BYTES] = "";

    injection.pid = getpid();
    const bool understood = tp_inject_settings_read(environment, settings, why, sizeof(why));
    if (understood)
        make_profiler(settings);
    else
        note(why);
    atexit(finish); // behind the profiler's own, so that it comes before that
    if (!injection.profiler)
        return;
    tp_nvtx_set_watch(&(tp_nvtx_watch){settings->step, step_begins, step_ended});
    if (settings->step)
        return;
    if (settings->delay_s > 0 || settings->duration_s > 0)
        begin_timer();
    else
        begin_recording();
}

// Not pthread_once(): CUPTI, called in begin(), may itself initialise the driver, which calls
// InitializeInjection() on the same thread.
static void begin_once(void)
{
    static int begun;
    if (__atomic_exchange_n(&begun, 1, __ATOMIC_ACQ_REL) == 0)
        begin();
}

// Called by the CUDA driver. 1: it worked.
TPROF_API int InitializeInjection(void);
int InitializeInjection(void)
{
    begin_once();
    return 1;
}

// Called by each copy of NVTX in the process. 1: its tables are filled in.
TPROF_API int InitializeInjectionNvtx2(nvtx_get_export get_export);
int InitializeInjectionNvtx2(nvtx_get_export get_export)
{
    begin_once();
    return tp_nvtx_attach(get_export);
}
