// SPDX-License-Identifier: BSD-3-Clause
// Public hot calls for what has no duration, instants, counters, memory; and marks of others.
#include "annotate.h"
#include "recorder.h"
#include "tprof/trace_format.h"

#include <math.h>
#include <string.h>

// Totals of one device.
typedef struct memory_total {
    _Atomic int64_t allocated, reserved;
} memory_total;

static _Atomic int tracking_memory;
static memory_total totals[1 + TPROF_DEVICES]; // the CPU first

void tp_annotate_mark(tp_kind kind, const char *name, const uint64_t times[2], uint32_t id,
                      const tp_mark_detail *mark)
{
    const tp_event event = {.begin = times[0],
                            .end = times[1],
                            .name = name,
                            .id = id,
                            .kind = (uint8_t)kind,
                            .detail = mark ? TP_DETAIL_MARK : TP_DETAIL_NONE};
    if (!tprof_recording())
        return;
    if (mark)
        tp_log_append_detail(&event, mark);
    else
        tp_log_append(&event);
}

// Slots that name another row lie before and behind the event, so that the log goes on as before.
void tp_annotate_mark_in_lane(tp_kind kind, const char *name, const uint64_t times[2], uint32_t id,
                              const tp_mark_detail *mark, int lane)
{
    static const tp_mark_detail none = {.payload_kind = TP_PAYLOAD_NONE};
    enum { SLOTS = 4 };

    if (lane == 0) {
        tp_annotate_mark(kind, name, times, id, mark);
        return;
    }
    tp_log *log = tp_log_own();
    if (!tprof_recording() || !log)
        return;
    tp_event *at = tp_log_reserve(log, SLOTS);
    if (!at)
        return;
    at[0] = (tp_event){
        .begin = (uint64_t)TP_LANE_TID + (uint64_t)lane, .name = TP_LANE_NAME, .kind = TP_THREAD};
    at[1] = (tp_event){.begin = times[0],
                       .end = times[1],
                       .name = name,
                       .id = id,
                       .slots = 1,
                       .kind = (uint8_t)kind,
                       .detail = TP_DETAIL_MARK};
    memcpy(at + 2, mark ? mark : &none, sizeof(*at));
    at[3] = (tp_event){.begin = (uint64_t)log->tid, .name = log->thread_name, .kind = TP_THREAD};
    tp_log_publish(log, SLOTS);
}

void tprof_instant(const char *name)
{
    if (!tprof_recording() || !name)
        return;
    tp_log_append(&(tp_event){.begin = tp_clock_ticks(), .name = name, .kind = TP_INSTANT});
}

void tprof_counter(const char *name, double value)
{
    tp_event event = {.begin = tp_clock_ticks(), .name = name, .kind = TP_COUNTER};

    if (!tprof_recording() || !name || !isfinite(value))
        return;
    memcpy(&event.end, &value, sizeof(value));
    tp_log_append(&event);
}

void tp_annotate_track_memory(bool on)
{
    if (on && !atomic_load(&tracking_memory))
        for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
            atomic_store(&totals[i].allocated, 0);
            atomic_store(&totals[i].reserved, 0);
        }
    atomic_store(&tracking_memory, on);
}

// NULL for a device that has no totals, or while none are kept.
static memory_total *total_of(tprof_device device)
{
    if (!atomic_load_explicit(&tracking_memory, memory_order_relaxed))
        return NULL;
    if (device.type == TPROF_DEVICE_CPU)
        return &totals[0];
    if (device.type != TPROF_DEVICE_CUDA || device.index < 0 || device.index >= TPROF_DEVICES)
        return NULL;
    return &totals[1 + device.index];
}

static void change_memory(tprof_device device, const void *address, int64_t bytes)
{
    memory_total *total = total_of(device);
    if (!total)
        return;
    const int64_t allocated =
        atomic_fetch_add_explicit(&total->allocated, bytes, memory_order_relaxed) + bytes;
    if (!(tp_annotate_mode() & TP_MODE_MEMORY))
        return;

    const bool cpu = device.type == TPROF_DEVICE_CPU;
    const tp_memory_detail detail = {
        .address = (uint64_t)(uintptr_t)address,
        .allocated = allocated,
        .reserved = atomic_load_explicit(&total->reserved, memory_order_relaxed),
        .device_type = (int32_t)device.type,
        .device_index = cpu ? -1 : device.index,
    };
    tp_log_append_detail(&(tp_event){.begin = tp_clock_ticks(),
                                     .end = (uint64_t)bytes,
                                     .name = TPROF_NAME_MEMORY,
                                     .kind = TP_MEMORY,
                                     .detail = TP_DETAIL_MEMORY},
                         &detail);
}

void tprof_memory_allocate(tprof_device device, const void *address, size_t bytes)
{
    if (bytes <= INT64_MAX)
        change_memory(device, address, (int64_t)bytes);
}

void tprof_memory_free(tprof_device device, const void *address, size_t bytes)
{
    if (bytes <= INT64_MAX)
        change_memory(device, address, -(int64_t)bytes);
}

void tprof_memory_reserved(tprof_device device, size_t bytes)
{
    memory_total *total = total_of(device);
    if (total && bytes <= INT64_MAX)
        atomic_store_explicit(&total->reserved, (int64_t)bytes, memory_order_relaxed);
}
