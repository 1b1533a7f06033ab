// SPDX-License-Identifier: BSD-3-Clause
// Function events: collected, sorted, nested, merged, added up.
#include "encode/function_events.h"

#include <stdlib.h>
#include <string.h>

#define STEP_GROUP "ProfilerStep*"

// No thread has it: overhead of the profiler, and calls of threads unknown.
enum { NO_THREAD = -1 };

// Names that torch leaves out, since they are no work.
static bool is_left_out(const char *name)
{
    static const char *const NAMES[] = {TPROF_NAME_MEMORY,
                                        "[OutOfMemory]",
                                        "profiler::_record_function_enter",
                                        "profiler::_record_function_enter_new",
                                        "profiler::_record_function_exit",
                                        "aten::is_leaf",
                                        "aten::output_nr",
                                        "aten::_version"};
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

static bool counts(const tp_record *record)
{
    const tp_kind kind = record->kind;

    return (kind == TP_RANGE || kind == TP_OPERATOR || kind == TP_LOADER || kind == TP_ANNOTATION ||
            kind == TP_STEP) &&
           !is_left_out(record->name);
}

static tp_function_event *next_event(tp_function_events *events)
{
    if (events->count == events->capacity)
        return NULL;
    tp_function_event *e = &events->items[events->count];
    e->order = (uint32_t)events->count++;
    e->parent = TP_NO_PARENT;
    return e;
}

static const char *group_name(const char *name)
{
    const size_t prefix = sizeof(TPROF_NAME_STEP_PREFIX) - 1;
    return strncmp(name, TPROF_NAME_STEP_PREFIX, prefix) == 0 ? STEP_GROUP : name;
}

static void add_host(tp_function_events *events, const tp_record *record)
{
    tp_function_event *e = next_event(events);
    if (!e)
        return;
    e->name = group_name(record->name);
    e->op = record->op;
    e->stack = record->op ? record->op->stack : NULL;
    e->begin_ns = record->begin_ns;
    e->end_ns = record->end_ns;
    e->tid = record->thread->tid;
    e->id = record->id;
    e->is_annotation = record->kind == TP_ANNOTATION || record->kind == TP_STEP;
    e->total.cpu_ns = record->end_ns - record->begin_ns;
}

static void add_moment(tp_function_events *events, const tp_record *record)
{
    const bool cpu = record->memory->device_type == TPROF_DEVICE_CPU;
    events->moments[events->moment_count++] = (tp_memory_moment){
        .time_ns = record->begin_ns,
        .tid = record->thread->tid,
        .cpu_bytes = cpu ? record->bytes : 0,
        .device_bytes = cpu ? 0 : record->bytes,
    };
}

static bool collect_host(const tp_capture *capture, tp_function_events *events)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    size_t moments = 0;

    while (tp_cursor_next(&cursor, &record))
        moments += record.kind == TP_MEMORY && record.memory;
    events->moments = calloc(moments + 1, sizeof(*events->moments));
    if (!events->moments)
        return false;

    cursor = tp_cursor_begin(capture);
    while (tp_cursor_next(&cursor, &record)) {
        if (counts(&record))
            add_host(events, &record);
        else if (record.kind == TP_MEMORY && record.memory)
            add_moment(events, &record);
    }
    return true;
}

static bool is_call(tp_gpu_kind kind)
{
    return kind == TP_GPU_RUNTIME || kind == TP_GPU_DRIVER;
}

// Waits and event marks of devices are no work, and torch has them only on request.
static bool is_device_row(tp_gpu_kind kind)
{
    return kind == TP_GPU_KERNEL || kind == TP_GPU_MEMCPY || kind == TP_GPU_MEMSET ||
           kind == TP_GPU_ANNOTATION;
}

static void add_gpu(tp_function_events *events, const tp_gpu_event *gpu)
{
    const bool device = is_device_row(gpu->kind);
    if (!device && !is_call(gpu->kind) && gpu->kind != TP_GPU_OVERHEAD)
        return;

    tp_function_event *e = next_event(events);
    if (!e)
        return;
    e->name = group_name(gpu->name);
    e->begin_ns = gpu->begin_ns;
    e->end_ns = gpu->end_ns;
    e->tid = is_call(gpu->kind) ? gpu->call.tid : NO_THREAD;
    e->is_device = device;
    e->is_annotation = gpu->kind == TP_GPU_ANNOTATION;
    if (device)
        e->total.device_ns = gpu->end_ns - gpu->begin_ns;
    else
        e->total.cpu_ns = gpu->end_ns - gpu->begin_ns;
}

static int by_id(const void *left, const void *right)
{
    const tp_function_event *a = *(const tp_function_event *const *)left;
    const tp_function_event *b = *(const tp_function_event *const *)right;
    return (a->id > b->id) - (a->id < b->id);
}

static tp_function_event *find_id(tp_function_event **sorted, size_t count, uint32_t id)
{
    tp_function_event key = {.id = id};
    const tp_function_event *wanted = &key;
    tp_function_event **found = bsearch(&wanted, sorted, count, sizeof(*sorted), by_id);
    return found ? *found : NULL;
}

// Adds device work to the operator that launched it, and puts the calls of the CUDA libraries on
// the operator's thread, before anything is moved by sorting.
static bool link_gpu(const tp_capture *capture, tp_function_events *events, size_t host_count)
{
    if (host_count == events->count)
        return true;
    tp_function_event **sorted = malloc((host_count + 1) * sizeof(*sorted));
    if (!sorted)
        return false;
    for (size_t i = 0; i < host_count; i++)
        sorted[i] = &events->items[i];
    qsort(sorted, host_count, sizeof(*sorted), by_id);

    size_t at = host_count;
    for (size_t i = 0; i < capture->gpu_count && at < events->count; i++) {
        const tp_gpu_event *gpu = &capture->gpu[i];
        if (!is_device_row(gpu->kind) && !is_call(gpu->kind) && gpu->kind != TP_GPU_OVERHEAD)
            continue;
        tp_function_event *e = &events->items[at++];
        tp_function_event *op = gpu->op_id ? find_id(sorted, host_count, gpu->op_id) : NULL;
        if (op && is_call(gpu->kind))
            e->tid = op->tid;
        else if (op && !e->is_annotation)
            op->total.device_ns += e->total.device_ns;
    }
    free(sorted);
    return true;
}

// Of ranges with the same times the one recorded last is the outer one.
static int by_begin(const void *left, const void *right)
{
    const tp_function_event *a = left, *b = right;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns ? -1 : 1;
    if (a->tid != b->tid)
        return a->tid < b->tid ? -1 : 1;
    return a->order > b->order ? -1 : 1;
}

static int compare_tids(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// The distinct thread ids of the list, sorted. NULL for lack of memory.
static int64_t *distinct_tids(const tp_function_events *events, size_t *count)
{
    int64_t *tids = malloc((events->count + 1) * sizeof(*tids));
    size_t all = 0;

    *count = 0;
    if (!tids)
        return NULL;
    for (size_t i = 0; i < events->count; i++)
        if (all == 0 || tids[all - 1] != events->items[i].tid)
            tids[all++] = events->items[i].tid;
    qsort(tids, all, sizeof(*tids), compare_tids);
    for (size_t i = 0; i < all; i++)
        if (*count == 0 || tids[*count - 1] != tids[i])
            tids[(*count)++] = tids[i];
    return tids;
}

// The innermost event around `index` that is still open on its thread is its parent; what ends
// earlier cannot be, nor can it for later ones.
static void place(tp_function_event *items, uint32_t index, uint32_t *innermost)
{
    tp_function_event *e = &items[index];

    while (*innermost != TP_NO_PARENT) {
        const tp_function_event *parent = &items[*innermost];
        if (e->begin_ns < parent->end_ns && e->end_ns <= parent->end_ns)
            break;
        *innermost = parent->parent;
    }
    e->parent = *innermost;
    if (e->parent != TP_NO_PARENT)
        items[e->parent].child_count++;
    *innermost = index;
}

static bool nest(tp_function_events *events)
{
    size_t threads;
    int64_t *tids = distinct_tids(events, &threads);
    uint32_t *innermost = malloc((threads + 1) * sizeof(*innermost));
    const bool ok = tids && innermost;

    for (size_t i = 0; ok && i < threads; i++)
        innermost[i] = TP_NO_PARENT;
    for (size_t i = 0; ok && i < events->count; i++) {
        const tp_function_event *e = &events->items[i];
        if (e->is_device)
            continue;
        const int64_t *tid = bsearch(&e->tid, tids, threads, sizeof(*tids), compare_tids);
        place(events->items, (uint32_t)i, &innermost[tid - tids]);
    }
    free(tids);
    free(innermost);
    return ok;
}

// An only child of its parent's name is the parent once more: its children become the parent's.
// Parents stand before children, so one pass settles chains.
static void merge_repeated(tp_function_events *events)
{
    tp_function_event *items = events->items;

    for (size_t i = 0; i < events->count; i++) {
        tp_function_event *e = &items[i];
        if (e->parent == TP_NO_PARENT)
            continue;
        while (items[e->parent].merged)
            e->parent = items[e->parent].parent;
        tp_function_event *parent = &items[e->parent];
        if (parent->child_count == 1 && strcmp(parent->name, e->name) == 0) {
            parent->child_count = e->child_count;
            parent->total.device_ns += e->total.device_ns;
            e->merged = true;
        }
    }
}

// Children stand behind their parents, so one pass from the end has each complete before it is
// added. Memory is counted with all levels already.
static void add_up(tp_function_events *events)
{
    for (size_t i = events->count; i-- > 0;) {
        const tp_function_event *e = &events->items[i];
        if (e->merged || e->parent == TP_NO_PARENT)
            continue;
        tp_function_event *parent = &events->items[e->parent];
        parent->total.device_ns += e->total.device_ns;
        parent->children.cpu_ns += e->total.cpu_ns;
        parent->children.device_ns += e->total.device_ns;
        parent->children.cpu_bytes += e->total.cpu_bytes;
        parent->children.device_bytes += e->total.device_bytes;
    }
}

static bool collect(const tp_capture *capture, tp_function_events *events)
{
    if (!collect_host(capture, events))
        return false;
    const size_t host_count = events->count;
    for (size_t i = 0; i < capture->gpu_count; i++)
        add_gpu(events, &capture->gpu[i]);
    return link_gpu(capture, events, host_count) && tp_function_events_add_memory(events);
}

bool tp_function_events_make(const tp_capture *capture, tp_function_events *events)
{
    *events = (tp_function_events){0};
    events->capacity = capture->event_count + capture->gpu_count;
    events->items = calloc(events->capacity + 1, sizeof(*events->items));
    if (!events->items || events->capacity >= TP_NO_PARENT || !collect(capture, events))
        goto fail;
    qsort(events->items, events->count, sizeof(*events->items), by_begin);
    if (!nest(events))
        goto fail;
    merge_repeated(events);
    add_up(events);
    if (capture->with_stack && !tp_function_events_add_stacks(events))
        goto fail;
    return true;

fail:
    tp_function_events_free(events);
    return false;
}

void tp_function_events_free(tp_function_events *events)
{
    free(events->items);
    free(events->moments);
    *events = (tp_function_events){0};
}
