// SPDX-License-Identifier: BSD-3-Clause
// The profiler's calls beside its life cycle: metadata, status, the last window.
#include "profiler_state.h"

#include "encode/encoder.h"
#include "handler.h"
#include "process_facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool tp_profiler_is_child(const tprof_profiler *profiler)
{
    return profiler->pid != getpid();
}

// Files that the handler could not write, so far.
static uint64_t failed_files(const tprof_profiler *profiler)
{
    tp_board *board = tp_board_of(&profiler->config.on_trace_ready);
    tprof_stats stats = {0};

    if (board)
        tp_board_add_stats(board, &stats);
    return stats.failed_files;
}

tprof_status tp_profiler_fail(tprof_profiler *profiler, tprof_status status, const char *format,
                              ...)
{
    const uint64_t failed = failed_files(profiler);
    va_list args;

    pthread_mutex_lock(&profiler->lock);
    profiler->failed_files = failed;
    va_start(args, format);
    vsnprintf(profiler->error, sizeof(profiler->error), format, args);
    va_end(args);
    pthread_mutex_unlock(&profiler->lock);
    return status;
}

// Keys that the format gives a meaning.
static bool is_reserved(const char *key)
{
    for (int i = 0; i < TPROF_KEY_COUNT; i++)
        if (strcmp(key, tprof_key_word((tprof_key)i)) == 0)
            return true;
    return false;
}

tprof_status tprof_add_metadata(tprof_profiler *profiler, const char *key, const char *value)
{
    if (!profiler || !key || !value || is_reserved(key))
        return TPROF_ERR_ARGUMENT;
    return tp_capture_add_text(profiler->facts, key, value) ? TPROF_OK : TPROF_ERR_MEMORY;
}

tprof_status tprof_add_metadata_json(tprof_profiler *profiler, const char *key, const char *json)
{
    if (!profiler || !key || !json || is_reserved(key) || !tp_json_valid(json, strlen(json)))
        return TPROF_ERR_ARGUMENT;
    return tp_capture_add_json(profiler->facts, key, json) ? TPROF_OK : TPROF_ERR_MEMORY;
}

tprof_status tprof_set_distributed(tprof_profiler *profiler, const tprof_distributed *distributed)
{
    char *backend = NULL;

    if (!profiler)
        return TPROF_ERR_ARGUMENT;
    if (distributed && (distributed->rank < 0 || distributed->world_size < 0 ||
                        (distributed->world_size && distributed->rank >= distributed->world_size)))
        return TPROF_ERR_ARGUMENT;
    if (distributed && distributed->backend) {
        backend = strdup(distributed->backend);
        if (!backend)
            return TPROF_ERR_MEMORY;
    }
    free(profiler->backend);
    profiler->backend = backend;
    profiler->has_distributed = distributed != NULL;
    if (distributed)
        profiler->distributed = *distributed;
    else
        memset(&profiler->distributed, 0, sizeof(profiler->distributed));
    profiler->distributed.backend = backend;
    return TPROF_OK;
}

tprof_status tprof_set_environment(tprof_profiler *profiler, const tprof_environment *environment)
{
    if (!profiler || !environment || environment->batch_size < 0 || environment->threads < 0)
        return TPROF_ERR_ARGUMENT;
    if (!tp_facts_add_environment(profiler->facts, environment))
        return TPROF_ERR_MEMORY;
    profiler->batch_size = environment->batch_size;
    return TPROF_OK;
}

int64_t tprof_step_number(const tprof_profiler *profiler)
{
    return profiler ? profiler->step : 0;
}

// The lock is not part of what callers may not change.
static pthread_mutex_t *lock_of(const tprof_profiler *profiler)
{
    return &((tprof_profiler *)(uintptr_t)profiler)->lock;
}

static size_t no_text(char *text, size_t size)
{
    if (size)
        *text = '\0';
    return 0;
}

size_t tprof_error(const tprof_profiler *profiler, char *text, size_t size)
{
    if (!profiler)
        return no_text(text, size);
    const uint64_t failed = failed_files(profiler);

    pthread_mutex_lock(lock_of(profiler));
    const bool file_is_last = failed > profiler->failed_files;
    const int length = snprintf(text, size, "%s", profiler->error);
    pthread_mutex_unlock(lock_of(profiler));
    if (file_is_last)
        return tp_board_error(tp_board_of(&profiler->config.on_trace_ready), text, size);
    return (size_t)length;
}

size_t tprof_last_file(const tprof_profiler *profiler, char *path, size_t size)
{
    tp_board *board = profiler ? tp_board_of(&profiler->config.on_trace_ready) : NULL;

    return board ? tp_board_last_file(board, path, size) : no_text(path, size);
}

void tprof_get_stats(const tprof_profiler *profiler, tprof_stats *stats)
{
    if (!profiler) {
        *stats = (tprof_stats){0};
        return;
    }
    tp_board *board = tp_board_of(&profiler->config.on_trace_ready);
    tprof_profiler *readable = (tprof_profiler *)(uintptr_t)profiler;

    tp_capture_release(tp_profiler_last_prepared(readable));
    const bool is_latest = tp_profiler_is_latest(profiler);
    pthread_mutex_lock(lock_of(profiler));
    *stats = profiler->stats;
    stats->cut_events =
        profiler->late_cut + (is_latest ? tp_recorder_cut() - profiler->cut_before : 0);
    pthread_mutex_unlock(lock_of(profiler));
    stats->events = atomic_load_explicit(&profiler->totals.events, memory_order_relaxed);
    stats->cut_events += atomic_load_explicit(&profiler->totals.cut, memory_order_relaxed);
    tp_pool_usage(&stats->memory_bytes, &stats->peak_memory_bytes);
    if (board)
        tp_board_add_stats(board, stats);
}

tp_capture *tp_profiler_last(tprof_profiler *profiler)
{
    pthread_mutex_lock(&profiler->lock);
    tp_capture *last = profiler->last ? tp_capture_retain(profiler->last) : NULL;
    pthread_mutex_unlock(&profiler->lock);
    return last;
}

tp_capture *tp_profiler_last_prepared(tprof_profiler *profiler)
{
    tp_capture *last = tp_profiler_last(profiler);
    if (last)
        tp_capture_prepare(last);
    return last;
}

tprof_status tprof_export_chrome_trace(tprof_profiler *profiler, const char *path)
{
    if (!profiler || !path || !*path)
        return TPROF_ERR_ARGUMENT;
    if (tp_profiler_is_child(profiler))
        return TPROF_ERR_STATE;
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    if (!capture)
        return tp_profiler_fail(profiler, TPROF_ERR_STATE, "no window is complete");

    int error = 0;
    const tprof_status status = tp_encode_file(&tp_encoder_chrome, capture, path, path, &error);
    tp_capture_release(capture);
    if (status == TPROF_OK)
        return status;
    return tp_profiler_fail(profiler, status, "%s: %s", path,
                            error ? strerror(error) : tprof_status_text(status));
}
