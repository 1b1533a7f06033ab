// SPDX-License-Identifier: BSD-3-Clause
// A window's beginning and end: from what the parts have recorded to a capture.
#include "profiler_state.h"

#include "annotate.h"
#include "gpu/source.h"
#include "process_facts.h"

static int mode_of(const tprof_profiler *profiler)
{
    const tprof_config *config = &profiler->config;
    int mode = TP_MODE_RECORD;

    mode |= profiler->gpu ? TP_MODE_LINKS : 0;
    mode |= config->with_stack ? TP_MODE_STACK : 0;
    mode |= config->record_shapes || config->with_flops ? TP_MODE_SHAPES : 0;
    mode |= config->with_flops ? TP_MODE_FLOPS : 0;
    mode |= config->with_modules ? TP_MODE_MODULES : 0;
    mode |= config->profile_memory ? TP_MODE_MEMORY : 0;
    return mode;
}

void tp_profiler_settle(tprof_profiler *profiler)
{
    const uint64_t cut = tp_recorder_cut();

    pthread_mutex_lock(&profiler->lock);
    profiler->late_cut += cut - profiler->cut_before;
    profiler->cut_before = cut;
    pthread_mutex_unlock(&profiler->lock);
}

// The same for what ended in the window that runs, which the capture tells.
static uint64_t cut_in_window(tprof_profiler *profiler)
{
    const uint64_t cut = tp_recorder_cut();

    pthread_mutex_lock(&profiler->lock);
    const uint64_t before = profiler->cut_before;
    profiler->cut_before = cut;
    pthread_mutex_unlock(&profiler->lock);
    return cut - before;
}

// Without some calls there is less GPU activity, and nothing else fails.
static void tell_gpu_refusals(tprof_profiler *profiler)
{
    if (profiler->gpu && tp_gpu_error()[0])
        tp_profiler_fail(profiler, TPROF_ERR_GPU, "less GPU activity: %s", tp_gpu_error());
}

void tp_profiler_begin_window(tprof_profiler *profiler)
{
    // Only the latest window is readable, and its memory is needed now.
    pthread_mutex_lock(&profiler->lock);
    tp_capture *last = profiler->last;
    profiler->last = NULL;
    pthread_mutex_unlock(&profiler->lock);
    tp_capture_release(last);

    tp_recorder_discard();
    tp_profiler_settle(profiler);
    profiler->dropped_before = tp_recorder_dropped();
    profiler->window_begin = tp_clock_anchor_now();
    tp_clock_window_begins(profiler->window_begin);
    if (profiler->gpu && tp_gpu_start() != TPROF_OK)
        tp_profiler_fail(profiler, TPROF_ERR_GPU, "no GPU activity: %s", tp_gpu_error());
    else
        tell_gpu_refusals(profiler);
    profiler->first_tick = profiler->capture_begin = tp_clock_ticks();
    profiler->in_window = true;
    tp_annotate_set_mode(mode_of(profiler));
}

static bool copy_facts(const tprof_profiler *profiler, tp_capture *capture)
{
    const tp_capture *facts = profiler->facts;

    for (uint32_t i = 0; i < facts->metadata_count; i++)
        if (!tp_capture_add_json(capture, facts->metadata[i].key, facts->metadata[i].json))
            return false;
    if (profiler->has_distributed && profiler->distributed.world_size > 0 &&
        !tp_facts_add_distributed(capture, &profiler->distributed))
        return false;
    return tp_facts_add_trace_id(capture);
}

static void set_options(const tprof_profiler *profiler, tp_capture *capture)
{
    const tprof_config *config = &profiler->config;

    capture->record_shapes = config->record_shapes || config->with_flops;
    capture->profile_memory = config->profile_memory;
    capture->with_stack = config->with_stack;
    capture->with_flops = config->with_flops;
    capture->with_modules = config->with_modules;
    capture->pid = profiler->pid;
    capture->process_name = tp_facts_process_name();
    capture->batch_size = profiler->batch_size;
}

// Makes a capture of what was recorded since the last one. The events of one that cannot be made
// are lost, and counted.
static tp_capture *make_capture(tprof_profiler *profiler, tp_clock_anchor end)
{
    const tp_clock_map map = tp_clock_map_between(profiler->created, profiler->window_begin, end);
    tp_taken taken = {
        .map = map, .filter_ticks = profiler->first_tick, .totals = &profiler->totals};
    taken.parts = tp_recorder_take(&taken.slots);
    tp_capture *capture = tp_capture_create();
    if (!capture || !copy_facts(profiler, capture)) {
        tp_parts_release(taken.parts);
        tp_capture_release(capture);
        pthread_mutex_lock(&profiler->lock);
        profiler->stats.dropped_events += taken.slots;
        pthread_mutex_unlock(&profiler->lock);
        tp_profiler_fail(profiler, TPROF_ERR_MEMORY, "no memory for a window");
        return NULL;
    }

    set_options(profiler, capture);
    tp_capture_fill(capture, &taken);
    capture->begin_ns = tp_clock_ns(&map, profiler->capture_begin);
    capture->end_ns = tp_clock_ns(&map, end.ticks);
    capture->base_ns = capture->begin_ns / 1000000000 / TPROF_BASE_TIME_SECONDS *
                       TPROF_BASE_TIME_SECONDS * 1000000000;
    const uint64_t dropped = tp_recorder_dropped();
    capture->losses[TPROF_LOSS_DROPPED_EVENTS] = dropped - profiler->dropped_before;
    profiler->dropped_before = dropped;
    capture->losses[TPROF_LOSS_CUT_EVENTS] = cut_in_window(profiler);
    profiler->capture_begin = end.ticks;
    if (profiler->gpu)
        tp_gpu_collect(capture);
    tell_gpu_refusals(profiler);
    return capture;
}

// Hands a capture on; it is the last one from now on.
static void deliver(tprof_profiler *profiler, tp_capture *capture)
{
    pthread_mutex_lock(&profiler->lock);
    tp_capture *before = profiler->last;
    profiler->last = capture;
    profiler->stats.dropped_events += capture->losses[TPROF_LOSS_DROPPED_EVENTS];
    profiler->stats.gpu_events += capture->gpu_count;
    profiler->stats.dropped_gpu += capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS];
    pthread_mutex_unlock(&profiler->lock);
    tp_capture_release(before);
    if (profiler->config.on_trace_ready.call)
        profiler->config.on_trace_ready.call(profiler, profiler->config.on_trace_ready.arg);
}

void tp_profiler_end_window(tprof_profiler *profiler, bool ready)
{
    // Device work of the window is waited for, so it belongs to it.
    if (profiler->gpu)
        tp_gpu_stop();
    const tp_clock_anchor end = tp_clock_anchor_now();
    tp_annotate_set_mode(0);
    const uint64_t open = tp_recorder_open_ranges();
    profiler->in_window = false;
    if (!ready) {
        tp_recorder_discard();
        return;
    }

    tp_capture *capture = make_capture(profiler, end);
    if (!capture)
        return;
    capture->window_complete = true;
    capture->losses[TPROF_LOSS_CUT_EVENTS] += open;
    deliver(profiler, capture);
}

// The window goes on; what it has so far is handed on.
void tp_profiler_cut_window(tprof_profiler *profiler)
{
    if (profiler->gpu)
        tp_gpu_flush();
    tp_capture *capture = make_capture(profiler, tp_clock_anchor_now());
    if (capture)
        deliver(profiler, capture);
}
