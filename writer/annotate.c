// SPDX-License-Identifier: BSD-3-Clause
// Public hot calls: ranges, operators, modules; names of threads.
#include "annotate.h"

#include "flops.h"
#include "gpu/source.h"
#include "names.h"
#include "op_detail.h"
#include "recorder.h"
#include "stack.h"
#include "tprof/trace_format.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int tprof_recording_;

// The name of a scope of which more is known: its `begin` is a place on the log's stack, and above
// that the serial number of what was opened there.
static const char DETAILED[] = "detailed";

enum { PREFETCH_BYTES = 768 }; // how far ahead of the log's end memory is fetched

static _Atomic int64_t next_sequence = 1;

void tp_annotate_set_mode(int mode)
{
    if (mode && tp_clock_counter && !(mode & (TP_MODE_LINKS | TP_MODE_STACK)))
        mode |= TPROF_PLAIN_RANGES_;
    __atomic_store_n(&tprof_recording_, mode, __ATOMIC_RELEASE);
}

static void push_links(uint32_t id, bool annotation)
{
    tp_gpu_push(TP_GPU_LINK_OP, id);
    if (annotation)
        tp_gpu_push(TP_GPU_LINK_ANNOTATION, id);
}

static void pop_links(uint32_t id, bool annotation)
{
    if (annotation)
        tp_gpu_pop(TP_GPU_LINK_ANNOTATION, id);
    tp_gpu_pop(TP_GPU_LINK_OP, id);
}

static void link_launches(tp_open *open)
{
    open->id = open->serial;
    open->linked = true;
    push_links(open->id, open->kind == TP_ANNOTATION);
}

static void unlink_launches(const tp_open *open)
{
    if (open->linked)
        pop_links(open->id, open->kind == TP_ANNOTATION);
}

static uint32_t open_count(const tp_log *log)
{
    return atomic_load_explicit(&log->open_count, memory_order_relaxed);
}

static void set_open_count(tp_log *log, uint32_t count)
{
    atomic_store_explicit(&log->open_count, count, memory_order_relaxed);
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
    tp_log *log = tp_log_own();

    const uint32_t place = log ? open_count(log) : 0;
    if (!log || (place == log->open_capacity && !more_room(log))) {
        tp_log_drop(log);
        return scope;
    }
    tp_open *open = &log->open[place];
    *open = *what;
    open->serial = tp_log_next_id(log);
    scope.name = DETAILED;
    scope.begin = (uint64_t)open->serial << 32 | place;
    set_open_count(log, place + 1);
    if (open->kind == TP_MODULE || open->kind == TP_FUNCTION) {
        open->id = open->serial;
        open->parent = log->function;
        log->function = open->id;
    } else if (tp_annotate_mode() & TP_MODE_LINKS) {
        link_launches(open);
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
    if (tp_annotate_mode() & (TP_MODE_LINKS | TP_MODE_STACK))
        return open_scope(&(tp_open){.name = name, .kind = TP_RANGE});
    scope.name = name;
    scope.begin = tp_clock_ticks();
    return scope;
}

static const tp_stack *stack_of(const tprof_op *op, int mode, const void *caller)
{
    if (!(mode & TP_MODE_STACK))
        return NULL;
    return op && op->stack ? tp_stack_of_text(op->stack) : tp_stack_here(caller);
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

    if (open->kind == TP_MODULE || open->kind == TP_FUNCTION) {
        event.detail = TP_DETAIL_FUNCTION;
        tp_log_append_detail(&event,
                             &(tp_function_detail){.parent = open->parent, .module = open->module});
    } else if (open->op || mode & TP_MODE_STACK) {
        append_with_op(open, &event, mode, caller);
    } else {
        tp_log_append(&event);
    }
}

// Takes the scope off the stack, with inner ones that were left open and are lost. One that is not
// there, ended already or begun by another thread, ends nothing.
static void close_detailed(uint64_t begin, uint64_t end, const void *caller)
{
    tp_log *log = tp_log_self;
    const int mode = tp_annotate_mode();
    const uint32_t place = (uint32_t)begin, count = log ? open_count(log) : 0;

    if (place >= count || log->open[place].serial != begin >> 32)
        return;
    for (uint32_t at = count; at > place; at--) {
        const tp_open *open = &log->open[at - 1];
        if (open->kind == TP_MODULE || open->kind == TP_FUNCTION)
            log->function = open->parent;
        unlink_launches(open);
    }
    set_open_count(log, place);
    if (!mode)
        return;
    append_scope(&log->open[place], end, mode, caller);
    if (count - place > 1)
        tp_log_cut(log, count - place - 1);
}

// A scope that is not plain, one for which there is no room at hand, or one that outlives its
// window.
static __attribute__((noinline)) void close_slowly(const char *name, uint64_t begin,
                                                   const void *caller)
{
    const uint64_t end = tp_clock_ticks();

    if (name == DETAILED)
        close_detailed(begin, end, caller);
    else if (tp_annotate_mode())
        tp_log_append(&(tp_event){.begin = begin, .end = end, .name = name, .kind = TP_RANGE});
    else
        tp_log_cut(tp_log_self, 1);
}

// The hot path: nothing in it needs a stack frame, so what is rare is in functions of its own.
void tprof_scope_close_(const char *name, uint64_t begin)
{
    const uint64_t end = tp_ticks_read();
    tp_log *log = tp_log_self;

    if (__builtin_expect(!(tp_annotate_mode() & TPROF_PLAIN_RANGES_) || name == DETAILED || !log ||
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
    if (!(tp_annotate_mode() & TP_MODE_MODULES) || !name)
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

// Takes the links of open ranges off the GPU source's stack, and puts them there again: that of the
// step lies below them.
static void lift_links(const tp_log *log)
{
    for (uint32_t at = open_count(log); at > 0; at--)
        unlink_launches(&log->open[at - 1]);
}

static void lay_links(const tp_log *log)
{
    for (uint32_t at = 0; at < open_count(log); at++)
        if (log->open[at].linked)
            push_links(log->open[at].id, log->open[at].kind == TP_ANNOTATION);
}

// The number stands in the event; the capture makes the name, which no one else needs.
void tp_annotate_step_begin(tp_step_mark *mark, int64_t step)
{
    const int mode = tp_annotate_mode();
    tp_log *log = mode ? tp_log_own() : NULL;

    *mark = (tp_step_mark){.step = step, .open = log != NULL};
    if (mode && !log)
        tp_log_drop(NULL);
    if (log && mode & TP_MODE_LINKS) {
        mark->id = tp_log_next_id(log);
        lift_links(log);
        push_links(mark->id, true);
        lay_links(log);
    }
    mark->begin = tp_clock_ticks();
}

void tp_annotate_step_end(tp_step_mark *mark, uint64_t end)
{
    const tp_event event = {.begin = mark->begin,
                            .end = end ? end : tp_clock_ticks(),
                            .name = TPROF_NAME_STEP_PREFIX,
                            .id = mark->id,
                            .kind = TP_STEP,
                            .detail = TP_DETAIL_FUNCTION};

    if (mark->open && mark->id)
        pop_links(mark->id, true);
    if (mark->open && tp_annotate_mode())
        tp_log_append_detail(&event, &(tp_function_detail){.module = mark->step});
    mark->open = false;
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
    enum { MOST_BYTES = 80 }; // that traces have room for
    if (name)
        tp_log_thread_name(tp_name_intern(name, tp_name_fit(name, MOST_BYTES)));
}
