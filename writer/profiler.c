// SPDX-License-Identifier: BSD-3-Clause
// Public life cycle: create, start, step, stop, destroy; the only file that knows every part.
#include "profiler_state.h"

#include "annotate.h"
#include "gpu/source.h"
#include "handler.h"
#include "process_facts.h"
#include "schedule.h"
#include "stack.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static const size_t DEFAULT_MEMORY_BYTES = (size_t)256 << 20;
static const size_t SPILL_FACTOR = 16;

// The one that records, the one that did last, and how many there are.
static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;
static tprof_profiler *current, *latest;
static unsigned profiler_count, gpu_users;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;

// A program that ends without tprof_stop() still gets its files: those of our own handler, since
// other handlers may rely on what the program has taken down already.
static void at_exit(void)
{
    pthread_mutex_lock(&global_lock);
    tprof_profiler *profiler = current;
    pthread_mutex_unlock(&global_lock);
    if (!profiler || tp_profiler_is_child(profiler) ||
        !tp_board_of(&profiler->config.on_trace_ready))
        return;
    tprof_stop(profiler);
    tp_board_flush(tp_board_of(&profiler->config.on_trace_ready));
}

// All locks that a child may come to take, in the order in which they are taken elsewhere.
static void before_fork(void)
{
    pthread_mutex_lock(&global_lock);
    tp_recorder_before_fork();
    tp_stack_before_fork();
    tp_gpu_before_fork();
}

static void in_parent(void)
{
    tp_gpu_in_parent();
    tp_stack_after_fork();
    tp_recorder_in_parent();
    pthread_mutex_unlock(&global_lock);
}

// Nothing is recorded until the child has a profiler of its own; the parent's no longer count.
static void in_child(void)
{
    tp_annotate_set_mode(0);
    tp_annotate_track_memory(false);
    current = latest = NULL;
    profiler_count = gpu_users = 0;
    tp_gpu_in_child();
    tp_stack_after_fork();
    tp_recorder_in_child();
    pthread_mutex_unlock(&global_lock);
}

static void watch_process(void)
{
    atexit(at_exit);
    pthread_atfork(before_fork, in_parent, in_child);
}

// Opens the GPU source where it is wanted. Without one the CPU is recorded, unless the GPU alone
// was asked for.
static tprof_status open_gpu(tprof_profiler *profiler)
{
    const unsigned wanted = profiler->config.activities;

    if (wanted && !(wanted & TPROF_CUDA))
        return TPROF_OK;
    if (profiler->config.profile_memory)
        tp_gpu_track_memory();
    const tprof_status status = tp_gpu_open();
    if (status == TPROF_OK) {
        pthread_mutex_lock(&global_lock);
        profiler->gpu = true;
        gpu_users++;
        pthread_mutex_unlock(&global_lock);
        return TPROF_OK;
    }
    tp_profiler_fail(profiler, status, "no GPU activity: %s", tp_gpu_error());
    tp_capture_add_text(profiler->facts, tprof_key_word(TPROF_KEY_GPU_STATUS), tp_gpu_error());
    return wanted == TPROF_CUDA ? status : TPROF_OK;
}

static tprof_status open_parts(tprof_profiler *profiler)
{
    profiler->facts = tp_capture_create();
    if (!profiler->facts || !tp_facts_add_process(profiler->facts))
        return TPROF_ERR_MEMORY;
    profiler->has_distributed = tp_facts_find_distributed(&profiler->distributed);
    tp_clock_init();
    const tprof_status status = open_gpu(profiler);
    if (profiler->config.with_stack)
        tp_stack_init();
    if (profiler->config.profile_memory)
        tp_annotate_track_memory(true);
    profiler->created = tp_clock_anchor_now();
    return status;
}

static void release_handler(const tprof_handler *handler)
{
    if (handler->release)
        handler->release(handler->arg);
}

// The last profiler gives memory back, and the last with a GPU closes its source.
static void close_parts(tprof_profiler *profiler)
{
    tp_capture_release(profiler->last);
    tp_capture_release(profiler->facts);
    free(profiler->backend);
    pthread_mutex_lock(&global_lock);
    if (latest == profiler)
        latest = NULL;
    if (profiler->gpu && --gpu_users == 0)
        tp_gpu_close();
    if (--profiler_count == 0) {
        tp_annotate_track_memory(false);
        tp_recorder_close();
    }
    pthread_mutex_unlock(&global_lock);
    pthread_mutex_destroy(&profiler->lock);
    free(profiler);
}

tprof_status tprof_create(const tprof_config *config, tprof_profiler **out)
{
    static const tprof_config defaults;
    tprof_profiler *profiler = NULL;

    *out = NULL;
    config = config ? config : &defaults;
    tprof_status status = config->on_trace_ready.status;
    if (status == TPROF_OK &&
        (!tp_schedule_valid(&config->schedule) || config->activities & ~(TPROF_CPU | TPROF_CUDA)))
        status = TPROF_ERR_ARGUMENT;
    if (status == TPROF_OK) {
        profiler = calloc(1, sizeof(*profiler));
        status = profiler ? TPROF_OK : TPROF_ERR_MEMORY;
    }
    if (!profiler) {
        release_handler(&config->on_trace_ready);
        return status;
    }

    pthread_once(&process_once, watch_process);
    profiler->config = *config;
    if (!profiler->config.memory_bytes)
        profiler->config.memory_bytes = DEFAULT_MEMORY_BYTES;
    if (profiler->config.memory_bytes > TP_POOL_LIMIT)
        profiler->config.memory_bytes = TP_POOL_LIMIT;
    if (!profiler->config.spill_bytes)
        profiler->config.spill_bytes = SPILL_FACTOR * profiler->config.memory_bytes;
    profiler->pid = getpid();
    pthread_mutex_init(&profiler->lock, NULL);
    pthread_mutex_lock(&global_lock);
    profiler_count++;
    pthread_mutex_unlock(&global_lock);
    status = open_parts(profiler);
    if (status != TPROF_OK) {
        release_handler(&config->on_trace_ready);
        close_parts(profiler);
        return status;
    }
    *out = profiler;
    return TPROF_OK;
}

static void transit(tprof_profiler *profiler, const tprof_action *to)
{
    const unsigned what = tp_schedule_transition(profiler->action, to);

    if (profiler->silent)
        return;
    if (what & TP_WINDOW_STOP && profiler->in_window)
        tp_profiler_end_window(profiler, what & TP_WINDOW_READY);
    if (what & TP_WINDOW_PREPARE && profiler->gpu && tp_gpu_prepare() != TPROF_OK)
        tp_profiler_fail(profiler, TPROF_ERR_GPU, "no GPU activity: %s", tp_gpu_error());
    if (what & TP_WINDOW_START)
        tp_profiler_begin_window(profiler);
    if (what & TP_WINDOW_CANCEL && profiler->gpu)
        tp_gpu_stop();
}

static void open_mark(tprof_profiler *profiler)
{
    if (profiler->in_window && tp_schedule_given(&profiler->config.schedule))
        tp_annotate_step_begin(&profiler->mark, profiler->step);
}

static bool claim(tprof_profiler *profiler)
{
    pthread_mutex_lock(&global_lock);
    const bool free_now = !current || tp_profiler_is_child(current);
    if (free_now) {
        if (latest)
            tp_profiler_settle(latest);
        current = latest = profiler;
        pthread_mutex_lock(&profiler->lock);
        profiler->cut_before = tp_recorder_cut();
        pthread_mutex_unlock(&profiler->lock);
    }
    pthread_mutex_unlock(&global_lock);
    return free_now;
}

bool tp_profiler_is_latest(const tprof_profiler *profiler)
{
    pthread_mutex_lock(&global_lock);
    const bool is_latest = latest == profiler;
    pthread_mutex_unlock(&global_lock);
    return is_latest;
}

static void unclaim(const tprof_profiler *profiler)
{
    pthread_mutex_lock(&global_lock);
    if (current == profiler)
        current = NULL;
    pthread_mutex_unlock(&global_lock);
}

// Calls of the life cycle do not run side by side: neither from inside a handler nor while the
// program ends on another thread.
static tprof_status enter(tprof_profiler *profiler)
{
    if (!profiler)
        return TPROF_ERR_ARGUMENT;
    if (tp_profiler_is_child(profiler) || atomic_exchange(&profiler->busy, true))
        return TPROF_ERR_STATE;
    return TPROF_OK;
}

static tprof_status leave(tprof_profiler *profiler, tprof_status status)
{
    atomic_store(&profiler->busy, false);
    return status;
}

tprof_status tprof_start(tprof_profiler *profiler)
{
    tprof_status status = enter(profiler);
    if (status != TPROF_OK)
        return status;
    if (profiler->started)
        return leave(profiler, TPROF_ERR_STATE);
    if (!claim(profiler)) {
        tp_profiler_fail(profiler, TPROF_ERR_STATE, "another profiler records");
        return leave(profiler, TPROF_ERR_STATE);
    }
    // Here and not in tprof_create(): limits are those of the profiler that records.
    const tprof_config *config = &profiler->config;
    status = tp_recorder_open(config->memory_bytes, config->memory_only ? 0 : config->spill_bytes);
    if (status != TPROF_OK) {
        unclaim(profiler);
        tp_profiler_fail(profiler, status, "no memory can be set aside for events");
        return leave(profiler, status);
    }

    tp_board *board = tp_board_of(&profiler->config.on_trace_ready);
    profiler->silent = board && !tp_board_set_rank(board, profiler->distributed.rank);
    profiler->started = true;
    profiler->step = 0;
    const tprof_action first = tprof_schedule_action(&config->schedule, 0);
    profiler->action = TPROF_ACTION_NONE;
    transit(profiler, &first);
    profiler->action = first;
    open_mark(profiler);
    return leave(profiler, TPROF_OK);
}

tprof_status tprof_step(tprof_profiler *profiler)
{
    const tprof_status status = enter(profiler);
    if (status != TPROF_OK)
        return status;
    if (!profiler->started)
        return leave(profiler, TPROF_ERR_STATE);

    tp_annotate_step_end(&profiler->mark, 0);
    const tprof_action next = tprof_schedule_action(&profiler->config.schedule, ++profiler->step);
    if (profiler->config.on_trace_ready.each_step && profiler->in_window &&
        profiler->action == TPROF_ACTION_RECORD && next >= TPROF_ACTION_RECORD &&
        tp_schedule_given(&profiler->config.schedule))
        tp_profiler_cut_window(profiler);
    transit(profiler, &next);
    profiler->action = next;
    open_mark(profiler);
    return leave(profiler, TPROF_OK);
}

void tp_profiler_end_mark(tprof_profiler *profiler, uint64_t end)
{
    tp_annotate_step_end(&profiler->mark, end);
}

tprof_status tprof_stop(tprof_profiler *profiler)
{
    const tprof_status status = enter(profiler);
    if (status != TPROF_OK)
        return status;
    if (!profiler->started)
        return leave(profiler, TPROF_ERR_STATE);

    tp_annotate_step_end(&profiler->mark, 0);
    transit(profiler, NULL);
    profiler->action = TPROF_ACTION_NONE;
    profiler->started = false;
    unclaim(profiler);
    return leave(profiler, TPROF_OK);
}

tprof_status tprof_flush(tprof_profiler *profiler)
{
    if (!profiler)
        return TPROF_ERR_ARGUMENT;
    if (tp_profiler_is_child(profiler))
        return TPROF_ERR_STATE;
    tp_board *board = tp_board_of(&profiler->config.on_trace_ready);
    return board ? tp_board_flush(board) : TPROF_OK;
}

void tprof_destroy(tprof_profiler *profiler)
{
    if (!profiler)
        return;
    // What threads of the parent held when it forked is out of reach here, so it is left.
    if (tp_profiler_is_child(profiler))
        return;
    if (profiler->started)
        tprof_stop(profiler);
    release_handler(&profiler->config.on_trace_ready);
    close_parts(profiler);
}
