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
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int tprof_recording_;

enum { LINKED = 1 << 8 }; // beside the kind of a scope: its id was pushed

static _Atomic int64_t next_sequence = 1;

// Totals of one device.
typedef struct memory_total {
    _Atomic int64_t allocated, reserved;
} memory_total;

static _Atomic int tracking_memory;
static memory_total totals[1 + TPROF_DEVICES]; // the CPU first

void tp_annotate_set_mode(int mode)
{
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

static void link_launches(tprof_scope *scope)
{
    tp_log *log = tp_log_self ? tp_log_self : tp_log_attach();
    if (!log)
        return;
    scope->id = tp_log_next_id(log);
    tp_gpu_push(TP_GPU_LINK_OP, scope->id);
    if (is_annotation(scope->kind))
        tp_gpu_push(TP_GPU_LINK_ANNOTATION, scope->id);
    scope->kind |= LINKED;
}

static void unlink_launches(uint32_t kind)
{
    if (is_annotation(kind))
        tp_gpu_pop(TP_GPU_LINK_ANNOTATION);
    tp_gpu_pop(TP_GPU_LINK_OP);
}

// The clock is read last here and first in close, so that the range holds the program's work only.
static void open_scope(tprof_scope *scope, tp_kind kind, const char *name)
{
    scope->name = name;
    scope->kind = kind;
    scope->id = 0;
    scope->of.op = NULL;
    if (__builtin_expect(current_mode() & TP_MODE_LINKS, 0))
        link_launches(scope);
    scope->begin = tp_clock_ticks();
}

void tprof_scope_open_(tprof_scope *scope, const char *name)
{
    open_scope(scope, TP_RANGE, name);
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

static void close_function(const tprof_scope *scope, tp_event *event)
{
    const tp_function_detail detail = {.parent = scope->parent, .module = scope->of.module};

    event->detail = TP_DETAIL_FUNCTION;
    if (event->kind != TP_STEP && tp_log_self)
        tp_log_self->function = scope->parent;
    append_detail(event, &detail);
}

static const tp_stack *stack_of(const tprof_op *op, int mode, const void *caller)
{
    if (op && op->stack)
        return tp_stack_of_text(op->stack);
    return mode & TP_MODE_STACK ? tp_stack_here(caller) : NULL;
}

static void close_with_detail(const tprof_scope *scope, tp_event *event, int mode,
                              const void *caller)
{
    const tprof_op *op = event->kind == TP_OPERATOR ? scope->of.op : NULL;
    tp_op_detail detail = {.stack = stack_of(op, mode, caller)};

    if (op) {
        detail.sequence = op->sequence > 0 ? op->sequence : 0;
        detail.backward = op->backward;
        detail.forward_thread =
            op->backward && !op->forward_thread ? tprof_thread_id() : op->forward_thread;
        detail.flops = op->flops;
        if (!op->flops && mode & TP_MODE_FLOPS)
            detail.flops = tp_flops(op);
    }
    event->detail = TP_DETAIL_OP;
    tp_op_append(event, &detail, mode & TP_MODE_SHAPES ? op : NULL);
}

static void close_slowly(const tprof_scope *scope, tp_event *event, int mode, const void *caller)
{
    if (event->kind == TP_MODULE || event->kind == TP_FUNCTION || event->kind == TP_STEP)
        close_function(scope, event);
    else if (event->kind == TP_OPERATOR || mode & TP_MODE_STACK)
        close_with_detail(scope, event, mode, caller);
    else
        append(event);
    if (scope->kind & LINKED)
        unlink_launches(event->kind);
}

// Recording ended before the range did.
static void abandon(const tprof_scope *scope)
{
    const uint32_t kind = scope->kind & ~(uint32_t)LINKED;
    if ((kind == TP_MODULE || kind == TP_FUNCTION) && tp_log_self)
        tp_log_self->function = scope->parent;
    if (scope->kind & LINKED)
        unlink_launches(kind);
}

static inline void close_scope(tprof_scope *scope, uint64_t end, const void *caller)
{
    const int mode = current_mode();
    tp_event event = {
        .begin = scope->begin,
        .end = end,
        .name = scope->name,
        .id = scope->id,
        .kind = (uint8_t)scope->kind,
    };

    scope->name = NULL;
    if (__builtin_expect(scope->kind == TP_RANGE && mode && !(mode & TP_MODE_STACK), 1))
        append(&event);
    else if (mode)
        close_slowly(scope, &event, mode, caller);
    else
        abandon(scope);
}

void tprof_scope_close_(tprof_scope *scope)
{
    close_scope(scope, tp_clock_ticks(), __builtin_return_address(0));
}

void tp_annotate_close_at(tprof_scope *scope, uint64_t end)
{
    if (scope->name)
        close_scope(scope, end, __builtin_return_address(0));
}

static tprof_scope begin_interned(tp_kind kind, const char *prefix, const char *name,
                                  const char *suffix)
{
    tprof_scope scope;
    scope.name = NULL;
    if (tprof_recording() && name)
        open_scope(&scope, kind, tp_name_join(prefix, name, suffix));
    return scope;
}

tprof_scope tprof_begin_copy(const char *name)
{
    return begin_interned(TP_RANGE, "", name, "");
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
    tprof_scope scope;
    scope.name = NULL;
    if (!(current_mode() & TP_MODE_MODULES) || !name)
        return scope;
    tp_log *log = tp_log_self ? tp_log_self : tp_log_attach();
    if (!log)
        return scope;

    scope.name = tp_name_join(prefix, name, "");
    scope.kind = kind;
    scope.id = tp_log_next_id(log);
    scope.parent = log->function;
    scope.of.module = module;
    log->function = scope.id;
    scope.begin = tp_clock_ticks();
    return scope;
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
    tprof_scope scope;
    scope.name = NULL;
    if (!tprof_recording())
        return scope;
    open_scope(&scope, TP_STEP, TPROF_NAME_STEP_PREFIX);
    scope.of.module = step;
    scope.parent = 0;
    return scope;
}

tprof_scope tprof_op_begin(const tprof_op *op)
{
    tprof_scope scope;
    scope.name = NULL;
    if (tprof_recording() && op && op->name) {
        open_scope(&scope, TP_OPERATOR, tp_name_join("", op->name, ""));
        scope.of.op = op;
    }
    return scope;
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
    tp_log *log = tp_log_self ? tp_log_self : tp_log_attach();
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
