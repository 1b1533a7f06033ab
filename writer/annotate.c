// SPDX-License-Identifier: BSD-3-Clause
// Public hot calls: ranges, operators, modules, instants, counters, memory.
#include "annotate.h"

#include "flops.h"
#include "gpu/source.h"
#include "names.h"
#include "op_detail.h"
#include "recorder.h"
#include "stack.h"
#include "tprof/trace_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int tprof_recording_;

// The name of a scope of which more is known: its `begin` is a place on the log's stack.
static const char DETAILED[] = "detailed";

enum { PREFETCH_BYTES = 768 }; // how far ahead of the log's end memory is fetched

static _Atomic int64_t next_sequence = 1;

// Totals of one device.
typedef struct memory_total {
    _Atomic int64_t allocated, reserved;
} memory_total;

static _Atomic int tracking_memory;
static memory_total totals[1 + TPROF_DEVICES]; // the CPU first

void tp_annotate_set_mode(int mode)
{
    if (mode && tp_clock_counter && !(mode & (TP_MODE_LINKS | TP_MODE_STACK)))
        mode |= TPROF_PLAIN_RANGES_;
    __atomic_store_n(&tprof_recording_, mode, __ATOMIC_RELEASE);
}

static int current_mode(void)
{
    return __atomic_load_n(&tprof_recording_, __ATOMIC_RELAXED);
}

static bool is_annotation(uint32_t kind)
{
    return kind == TP_ANNOTATION || kind == TP_STEP;
}

static tp_log *own_log(void)
{
    return tp_log_self ? tp_log_self : tp_log_attach();
}

static void link_launches(tp_log *log, tp_open *open)
{
    open->id = tp_log_next_id(log);
    open->linked = true;
    tp_gpu_push(TP_GPU_LINK_OP, open->id);
    if (is_annotation(open->kind))
        tp_gpu_push(TP_GPU_LINK_ANNOTATION, open->id);
}

static void unlink_launches(const tp_open *open)
{
    if (!open->linked)
        return;
    if (is_annotation(open->kind))
        tp_gpu_pop(TP_GPU_LINK_ANNOTATION);
    tp_gpu_pop(TP_GPU_LINK_OP);
}

static bool more_room(tp_log *log)
{
    const uint32_t capacity = log->open_capacity ? 2 * log->open_capacity : 64;
    tp_open *open = realloc(log->open, capacity * sizeof(*open));
    if (!open)
        return false;
    log->open = open;
    log->open_capacity = capacity;
    return true;
}

// Opens a scope on the log's stack. The clock is read last here and first in close, so that the
// range holds the program's work only.
static tprof_scope open_scope(const tp_open *what)
{
    tprof_scope scope = {NULL, 0};
    tp_log *log = own_log();

    if (!log || (log->open_count == log->open_capacity && !more_room(log))) {
        tp_log_drop(log);
        return scope;
    }
    tp_open *open = &log->open[log->open_count];
    *open = *what;
    scope.name = DETAILED;
    scope.begin = log->open_count++;
    if (open->kind == TP_MODULE || open->kind == TP_FUNCTION) {
        open->id = tp_log_next_id(log);
        open->parent = log->function;
        log->function = open->id;
    } else if (current_mode() & TP_MODE_LINKS) {
        link_launches(log, open);
    }
    open->begin = tp_clock_ticks();
    return scope;
}

// Plain ranges begin in the header, where the processor's counter is the clock.
tprof_scope tprof_scope_open_(const char *name)
{
    tprof_scope scope = {NULL, 0};

    if (!name)
        return scope;
    if (current_mode() & (TP_MODE_LINKS | TP_MODE_STACK))
        return open_scope(&(tp_open){.name = name, .kind = TP_RANGE});
    scope.name = name;
    scope.begin = tp_clock_ticks();
    return scope;
}

// Writes one event with a detail of one slot.
static void append_detail(const tp_event *event, const void *detail)
{
    tp_event *at = tp_log_reserve(tp_log_self, 2);
    if (!at)
        return;
    at[0] = *event;
    at[0].slots = 1;
    memcpy(at + 1, detail, sizeof(*at));
    tp_log_publish(tp_log_self, 2);
}

static void append(const tp_event *event)
{
    tp_event *at = tp_log_reserve(tp_log_self, 1);
    if (!at)
        return;
    *at = *event;
    tp_log_publish(tp_log_self, 1);
}

static const tp_stack *stack_of(const tprof_op *op, int mode, const void *caller)
{
    if (op && op->stack)
        return tp_stack_of_text(op->stack);
    return mode & TP_MODE_STACK ? tp_stack_here(caller) : NULL;
}

static void append_with_op(const tp_open *open, tp_event *event, int mode, const void *caller)
{
    const tprof_op *op = open->op;
    tp_op_detail detail = {.stack = stack_of(op, mode, caller)};

    if (op) {
        detail.sequence = op->sequence > 0 ? op->sequence : 0;
        detail.backward = op->backward;
        if (op->backward)
            detail.forward_thread = op->forward_thread ? op->forward_thread : tprof_thread_id();
        detail.flops = op->flops;
        if (!op->flops && mode & TP_MODE_FLOPS)
            detail.flops = tp_flops(op);
    }
    event->detail = TP_DETAIL_OP;
    tp_op_append(event, &detail, mode & TP_MODE_SHAPES ? op : NULL);
}

static void append_scope(const tp_open *open, uint64_t end, int mode, const void *caller)
{
    tp_event event = {
        .begin = open->begin,
        .end = end,
        .name = open->name,
        .id = open->id,
        .kind = open->kind,
    };

    if (open->kind == TP_MODULE || open->kind == TP_FUNCTION || open->kind == TP_STEP) {
        event.detail = TP_DETAIL_FUNCTION;
        append_detail(&event,
                      &(tp_function_detail){.parent = open->parent, .module = open->module});
    } else if (open->op || mode & TP_MODE_STACK) {
        append_with_op(open, &event, mode, caller);
    } else {
        append(&event);
    }
}

// Takes the scope off the stack, with inner ones that were left open.
static void close_detailed(uint64_t place, uint64_t end, const void *caller)
{
    tp_log *log = tp_log_self;
    const int mode = current_mode();

    if (!log || place >= log->open_count)
        return;
    while (log->open_count > place) {
        const tp_open *open = &log->open[--log->open_count];
        if (open->kind == TP_MODULE || open->kind == TP_FUNCTION)
            log->function = open->parent;
        unlink_launches(open);
    }
    if (mode)
        append_scope(&log->open[place], end, mode, caller);
}

static void close_at(const char *name, uint64_t begin, uint64_t end, const void *caller)
{
    if (name == DETAILED)
        close_detailed(begin, end, caller);
    else if (current_mode())
        append(&(tp_event){.begin = begin, .end = end, .name = name, .kind = TP_RANGE});
}

// A scope that is not plain, one for which there is no room at hand, or one that outlives its
// window.
static __attribute__((noinline)) void close_slowly(const char *name, uint64_t begin,
                                                   const void *caller)
{
    close_at(name, begin, tp_clock_ticks(), caller);
}

// The hot path: nothing in it needs a stack frame, so what is rare is in functions of its own.
void tprof_scope_close_(const char *name, uint64_t begin)
{
    const uint64_t end = tp_ticks_read();
    tp_log *log = tp_log_self;

    if (__builtin_expect(!(current_mode() & TPROF_PLAIN_RANGES_) || name == DETAILED || !log ||
                             log->used == TP_CHUNK_SLOTS,
                         0)) {
        close_slowly(name, begin, __builtin_return_address(0));
        return;
    }
    tp_event *event = &log->tail->slots[log->used];
    __builtin_prefetch((const char *)event + PREFETCH_BYTES, 1);
    *event = (tp_event){.begin = begin, .end = end, .name = name, .kind = TP_RANGE};
    tp_log_publish(log, 1);
}

void tp_annotate_close_at(tprof_scope *scope, uint64_t end)
{
    if (scope->name)
        close_at(scope->name, scope->begin, end, __builtin_return_address(0));
    scope->name = NULL;
}

static tprof_scope begin_interned(tp_kind kind, const char *prefix, const char *name,
                                  const char *suffix)
{
    const tprof_scope none = {NULL, 0};
    if (!tprof_recording() || !name)
        return none;
    return open_scope(
        &(tp_open){.name = tp_name_join(prefix, name, suffix), .kind = (uint8_t)kind});
}

tprof_scope tprof_begin_copy(const char *name)
{
    const tprof_scope none = {NULL, 0};
    return tprof_recording() && name ? tprof_scope_open_(tp_name_join("", name, "")) : none;
}

tprof_scope tprof_annotation_begin(const char *label)
{
    return begin_interned(TP_ANNOTATION, "", label, "");
}

tprof_scope tprof_dataloader_begin(const char *loader)
{
    return begin_interned(TP_LOADER, TPROF_NAME_LOADER_PREFIX, loader, TPROF_NAME_LOADER_SUFFIX);
}

static tprof_scope begin_function(tp_kind kind, const char *prefix, const char *name,
                                  int64_t module)
{
    const tprof_scope none = {NULL, 0};
    if (!(current_mode() & TP_MODE_MODULES) || !name)
        return none;
    return open_scope(&(tp_open){
        .name = tp_name_join(prefix, name, ""), .kind = (uint8_t)kind, .module = module});
}

tprof_scope tprof_module_begin(const char *name, int64_t id)
{
    return begin_function(TP_MODULE, TPROF_NAME_MODULE_PREFIX, name, id);
}

tprof_scope tprof_function_begin(const char *name)
{
    return begin_function(TP_FUNCTION, "", name, -1);
}

// The number stands in the event; the capture makes the name, which no one else needs.
tprof_scope tp_annotate_step_begin(int64_t step)
{
    const tprof_scope none = {NULL, 0};
    if (!tprof_recording())
        return none;
    return open_scope(&(tp_open){.name = TPROF_NAME_STEP_PREFIX, .kind = TP_STEP, .module = step});
}

tprof_scope tprof_op_begin(const tprof_op *op)
{
    const tprof_scope none = {NULL, 0};
    if (!tprof_recording() || !op || !op->name)
        return none;
    return open_scope(
        &(tp_open){.name = tp_name_join("", op->name, ""), .kind = TP_OPERATOR, .op = op});
}

int64_t tprof_sequence_next(void)
{
    return atomic_fetch_add_explicit(&next_sequence, 1, memory_order_relaxed);
}

uint64_t tprof_thread_id(void)
{
    return tp_log_self ? (uint64_t)tp_log_self->tid : (uint64_t)syscall(SYS_gettid);
}

void tprof_thread_name(const char *name)
{
    if (name)
        tp_log_thread_name(tp_name_join("", name, ""));
}

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
        append_detail(&event, mark);
    else
        append(&event);
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
    tp_log *log = own_log();
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
    append(&(tp_event){.begin = tp_clock_ticks(), .name = name, .kind = TP_INSTANT});
}

void tprof_counter(const char *name, double value)
{
    tp_event event = {.begin = tp_clock_ticks(), .name = name, .kind = TP_COUNTER};

    if (!tprof_recording() || !name || !isfinite(value))
        return;
    memcpy(&event.end, &value, sizeof(value));
    append(&event);
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
    if (!(current_mode() & TP_MODE_MEMORY))
        return;

    const bool cpu = device.type == TPROF_DEVICE_CPU;
    const tp_memory_detail detail = {
        .address = (uint64_t)(uintptr_t)address,
        .allocated = allocated,
        .reserved = atomic_load_explicit(&total->reserved, memory_order_relaxed),
        .device_type = (int32_t)device.type,
        .device_index = cpu ? -1 : device.index,
    };
    append_detail(&(tp_event){.begin = tp_clock_ticks(),
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
