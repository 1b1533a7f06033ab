// SPDX-License-Identifier: BSD-3-Clause
// The GPU source that asks CUPTI: records of a window -> events of a capture.
#include "gpu/source.h"

#include "clock.h"
#include "gpu/clock_step.h"
#include "gpu/cupti_links.h"
#include "gpu/cupti_lookup.h"
#include "gpu/cupti_names.h"
#include "gpu/cupti_records.h"
#include "gpu/cupti_session.h"
#include "gpu/device.h"
#include "gpu/range_times.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct events {
    tp_gpu_event *items;
    size_t count, capacity;
} events;

// There is one CUPTI in a process, and so one source; the profiler's thread makes the calls.
static struct source {
    tp_session session;
    tp_cupti_lookup lookup;
    tp_cupti_batch batch;
    tp_device_table devices;
    tp_gpu_clock clock;
    tp_clock_step step; // from CLOCK_REALTIME to the trace's clock
    uint64_t lost;
    int64_t told_begin_ns, told_end_ns; // the window that was collected last; nothing joins it now
    events early;  // came in too early: behind the end of the window that was collected
    events memory; // those of memory, until all are there
    bool open;
    bool wants_memory; // to be collected from the next opening on
    bool inherited;    // of the parent of this child: CUPTI is not called any more
} source;

// ---- What the parsing asks for

static const tp_cupti_function *hook_function(void *arg, bool driver, uint32_t id)
{
    struct source *s = arg;
    return tp_lookup_function(&s->lookup, driver, id);
}

static const char *hook_kernel_name(void *arg, const char *mangled)
{
    struct source *s = arg;
    return tp_lookup_kernel(&s->lookup, mangled);
}

static const char *hook_intern(void *arg, const char *text)
{
    (void)arg;
    return tp_name_intern(text, strlen(text));
}

static int64_t hook_to_trace_ns(void *arg, uint64_t timestamp)
{
    const struct source *s = arg;
    return tp_gpu_clock_realtime(&s->clock, timestamp); // place() does the rest
}

static const tp_device_info *hook_device(void *arg, uint32_t id)
{
    const struct source *s = arg;
    return tp_devices_find(&s->devices, id);
}

static const tp_cupti_hooks HOOKS = {
    .arg = &source,
    .function = hook_function,
    .kernel_name = hook_kernel_name,
    .intern = hook_intern,
    .to_trace_ns = hook_to_trace_ns,
    .device = hook_device,
};

// ---- Buffers -> events

static void visit_index(void *arg, uint32_t kind, const void *record, size_t size)
{
    tp_cupti_batch *batch = arg;
    tp_cupti_index(batch, kind, record, size);
}

static void keep(events *list, const tp_gpu_event *event)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        tp_gpu_event *larger = realloc(list->items, capacity * sizeof(*larger));
        if (!larger) {
            source.lost++;
            return;
        }
        list->items = larger;
        list->capacity = capacity;
    }
    list->items[list->count++] = *event;
}

// An event that comes in when its window is handed on already.
static bool is_late(const tp_gpu_event *event)
{
    return event->begin_ns < source.told_end_ns && event->end_ns > source.told_begin_ns;
}

static void place(tp_capture *into, const tp_gpu_event *event)
{
    if (event->begin_ns >= into->begin_ns && event->end_ns <= into->end_ns)
        tp_capture_add_gpu(into, event); // counts the loss itself
    else if (event->begin_ns > into->end_ns)
        keep(&source.early, event);
    else if (event->end_ns > into->begin_ns)
        into->losses[TPROF_LOSS_CUT_GPU_RECORDS]++;
    else if (is_late(event))
        source.lost++;
}

static void visit_convert(void *arg, uint32_t kind, const void *record, size_t size)
{
    tp_gpu_event event;
    if (tp_cupti_convert(&source.batch, kind, record, size, &event)) {
        tp_clock_step_place(&source.step, &event);
        if (event.kind == TP_GPU_MEMORY)
            keep(&source.memory, &event);
        else
            place(arg, &event);
    }
    free(tp_cupti_owned_data(kind, record, size));
}

// What calls tell of the step, in a window in which the system's time was set.
static void visit_learn(void *arg, uint32_t kind, const void *record, size_t size)
{
    tp_gpu_event event;
    if ((kind == TP_CUPTI_RUNTIME || kind == TP_CUPTI_DRIVER) &&
        tp_cupti_convert(&source.batch, kind, record, size, &event))
        tp_clock_step_learn(&source.step, &event, tp_range_times_find(arg, event.op_id));
}

// Records that count for no window still tell of contexts and memory, and of what a window lacks.
static void visit_discard(void *arg, uint32_t kind, const void *record, size_t size)
{
    uint64_t *late = arg;
    tp_gpu_event event;
    if (tp_cupti_convert(&source.batch, kind, record, size, &event)) {
        *late += is_late(&event);
        if (event.kind == TP_GPU_MEMORY)
            keep(&source.memory, &event);
    }
    free(tp_cupti_owned_data(kind, record, size));
}

static void visit_count(void *arg, uint32_t kind, const void *record, size_t size)
{
    uint64_t *count = arg;
    (*count)++;
    free(tp_cupti_owned_data(kind, record, size));
}

static bool only_reads(tp_cupti_visit visit)
{
    return visit == visit_index || visit == visit_learn;
}

static void walk(tp_buffer *list, tp_cupti_visit visit, void *arg)
{
    for (const tp_buffer *buffer = list; buffer; buffer = buffer->next) {
        const bool counted = buffer->spare;
        if (counted && only_reads(visit))
            continue;
        // A buffer handed out beyond the limit: what is in it is lost, but not unnoticed.
        const size_t unread =
            tp_cupti_walk(&source.session.cupti.sizes, buffer->data, buffer->valid,
                          counted ? visit_count : visit, counted ? (void *)&source.lost : arg);
        if (unread && !only_reads(visit))
            source.lost++;
    }
}

// Gives what is known of memory its totals, and what of it lies in a window to that one.
static void settle_memory(tp_capture *into)
{
    tp_cupti_sum_memory(&source.batch, source.memory.items, source.memory.count);
    // Another profiler may have asked for it.
    for (size_t i = 0; i < source.memory.count && into && into->profile_memory; i++)
        place(into, &source.memory.items[i]);
    source.memory.count = 0;
}

static void discard(void)
{
    uint64_t late = 0;
    tp_buffer *list = tp_session_take(&source.session);
    source.batch.has_stale_marks = source.session.own_mark_stays;
    walk(list, visit_index, &source.batch);
    walk(list, visit_discard, &late);
    settle_memory(NULL);
    tp_buffers_recycle(&source.session.buffers, list);
    tp_cupti_batch_clear(&source.batch);
    // What warm-up lost is no loss of the window.
    tp_session_lost(&source.session);
    tp_buffers_refused(&source.session.buffers);
    source.lost = late;
}

// ---- The interface

tprof_status tp_gpu_open(void)
{
    if (source.inherited) {
        snprintf(source.session.error, sizeof(source.session.error),
                 "this process was forked from one that used CUPTI, whose driver does not work in "
                 "a child");
        return TPROF_ERR_GPU;
    }
    const bool memory = source.wants_memory;
    source.wants_memory = false;
    if (!source.open && !tp_session_open(&source.session))
        return TPROF_ERR_GPU;
    // The source may be in use without; what was given before now is not known then.
    if (memory)
        tp_session_track_memory(&source.session);
    if (source.open)
        return TPROF_OK;
    source.lookup.cupti = &source.session.cupti;
    tp_cupti_batch_init(&source.batch, &HOOKS);
    source.batch.waits = source.session.waits;
    source.open = true;
    return TPROF_OK;
}

void tp_gpu_track_memory(void)
{
    source.wants_memory = true;
}

tprof_status tp_gpu_prepare(void)
{
    return source.open && tp_session_start(&source.session) ? TPROF_OK : TPROF_ERR_GPU;
}

tprof_status tp_gpu_start(void)
{
    // Where collection begins only now, there is nothing to wait for; and within cuInit(), where
    // injection begins it, waiting would call the driver again.
    const bool collected = source.session.collecting;
    const tprof_status status = tp_gpu_prepare();
    if (status != TPROF_OK)
        return status;
    if (collected)
        tp_session_flush(&source.session);
    discard();
    source.clock.begin = tp_session_clock(&source.session);
    source.step = (tp_clock_step){.after_ns = tp_clock_from_realtime(0)};
    return TPROF_OK;
}

void tp_gpu_flush(void)
{
    if (source.session.collecting)
        tp_session_flush(&source.session);
}

void tp_gpu_stop(void)
{
    if (!source.session.collecting)
        return;
    tp_session_flush(&source.session);
    tp_session_stop(&source.session);
    // Other threads may have given the devices work in the meantime; it ends within the window.
    tp_devices_wait();
}

static void add_early(tp_capture *into)
{
    const size_t count = source.early.count;
    source.early.count = 0;
    for (size_t i = 0; i < count; i++) {
        const tp_gpu_event event = source.early.items[i]; // place() may keep it again
        place(into, &event);
    }
}

static void add_number(tp_capture *into, tprof_key key, int64_t number)
{
    char text[32];
    if (number == 0)
        return;
    snprintf(text, sizeof(text), "%lld", (long long)number);
    tp_capture_add_json(into, tprof_key_word(key), text);
}

static void add_description(tp_capture *into)
{
    for (uint32_t i = 0; i < source.devices.count; i++) {
        tp_device_info device = source.devices.devices[i];
        device.name = tp_name_intern(device.name, strlen(device.name));
        tp_capture_add_device(into, &device);
    }
    add_number(into, TPROF_KEY_CUPTI_VERSION, source.session.cupti.version);
    add_number(into, TPROF_KEY_CUDA_RUNTIME_VERSION, tp_runtime_version());
    add_number(into, TPROF_KEY_CUDA_DRIVER_VERSION, source.devices.driver_version);
    if (source.session.error[0])
        tp_capture_add_text(into, tprof_key_word(TPROF_KEY_GPU_STATUS), source.session.error);
}

// Compares the clocks at the window's end with what they were at its beginning.
static void end_clock(const tp_capture *into)
{
    const int64_t before_ns = source.step.after_ns;
    source.clock.end = tp_session_clock(&source.session);
    source.step = (tp_clock_step){.begin_ns = into->begin_ns,
                                  .end_ns = into->end_ns,
                                  .before_ns = before_ns,
                                  .after_ns = tp_clock_from_realtime(0)};
    if (tp_gpu_clock_is_steady(&source.clock, before_ns - source.step.after_ns)) {
        source.clock.end.offset_ns = source.clock.begin.offset_ns;
        source.step.after_ns = before_ns;
    }
}

static void learn_step(tp_buffer *list, const tp_capture *into)
{
    tp_range_times ranges;
    if (!tp_clock_step_is_one(&source.step))
        return;
    tp_range_times_make(&ranges, into);
    const uint64_t unfinished = source.batch.unfinished; // to be counted once
    walk(list, visit_learn, &ranges);
    source.batch.unfinished = unfinished;
    tp_range_times_free(&ranges);
}

// Where the clocks do not agree, the trace says by how much times were moved, and of how many
// events the side of a step is not known.
static void add_clock(tp_capture *into)
{
    char json[192];
    const int64_t at = source.clock.end.cupti_ns;
    const int64_t moved = at - tp_gpu_clock_realtime(&source.clock, (uint64_t)at);
    const bool stepped = tp_clock_step_is_one(&source.step);
    if (moved == 0 && !stepped)
        return;
    int length = snprintf(json, sizeof(json), "{\"offset_ns\": %lld, \"drift_ns\": %lld",
                          (long long)moved, (long long)tp_gpu_clock_drift(&source.clock));
    if (stepped)
        length += snprintf(json + length, sizeof(json) - (size_t)length,
                           ", \"step_ns\": %lld, \"unsure\": %llu",
                           (long long)(source.step.before_ns - source.step.after_ns),
                           (unsigned long long)source.step.unsure);
    snprintf(json + length, sizeof(json) - (size_t)length, "}");
    tp_capture_add_json(into, "tprof_gpu_clock", json);
}

// CUPTI counts what it had no buffer for; should it not, at least the refusals are told.
static void count_losses(tp_capture *into)
{
    const uint64_t refused = tp_buffers_refused(&source.session.buffers);
    const uint64_t lost = source.lost + tp_session_lost(&source.session);

    into->losses[TPROF_LOSS_DROPPED_GPU_RECORDS] +=
        (lost ? lost : refused) + source.batch.unfinished;
    source.lost = 0;
}

void tp_gpu_collect(tp_capture *into)
{
    if (!source.open)
        return;

    // What other threads did between the last flush and the window's end.
    tp_session_fetch(&source.session);
    tp_buffer *list = tp_session_take(&source.session);
    tp_devices_query(&source.devices);
    end_clock(into);
    source.batch.has_stale_marks = source.session.own_mark_stays;
    source.batch.has_stale_owners = tp_links_stale();
    add_early(into);
    walk(list, visit_index, &source.batch);
    learn_step(list, into);
    walk(list, visit_convert, into);
    settle_memory(into);
    tp_buffers_recycle(&source.session.buffers, list);

    count_losses(into);
    tp_session_check(&source.session, "cuptiGetCallbackName", "", source.lookup.refused);
    add_description(into);
    add_clock(into);
    tp_cupti_batch_clear(&source.batch);
    tp_lookup_forget_kernels(&source.lookup);
    source.clock.begin = source.clock.end;
    source.told_begin_ns = into->begin_ns;
    source.told_end_ns = into->end_ns;
}

void tp_gpu_close(void)
{
    if (source.inherited)
        return;
    // What nobody reads any more may hold memory of its own.
    tp_session_stop(&source.session);
    if (source.open)
        discard();
    tp_session_close(&source.session);
    if (!source.open)
        return;
    source.open = false;
    tp_cupti_batch_free(&source.batch);
    tp_lookup_free(&source.lookup);
    free(source.early.items);
    free(source.memory.items);
    source.early = source.memory = (events){0};
}

// CUPTI may give buffers back at any time, in a child as it ends, too.
void tp_gpu_before_fork(void)
{
    pthread_mutex_lock(&source.session.buffers.lock);
}

void tp_gpu_in_parent(void)
{
    pthread_mutex_unlock(&source.session.buffers.lock);
}

void tp_gpu_in_child(void)
{
    tp_gpu_in_parent();
    source.open = false;
    source.inherited = source.session.cupti.handle != NULL;
    source.session.collecting = false;
    tp_links_in_child();
}

const char *tp_gpu_error(void)
{
    return source.session.error;
}

const char *tp_gpu_source_name(void)
{
    return "cupti";
}

void tp_gpu_push(tp_gpu_link link, uint32_t id)
{
    tp_session_link(&source.session, link, id);
}

void tp_gpu_pop(tp_gpu_link link, uint32_t id)
{
    tp_session_unlink(&source.session, link, id);
}
