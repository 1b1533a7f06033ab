// SPDX-License-Identifier: BSD-3-Clause
// Host events of a Chrome trace.
#include "encode/chrome_links.h"
#include "encode/chrome_out.h"

#include <stdlib.h>

enum {
    CACHE_SLOTS = 1 << 12,
    CACHE_TEXT = 240,
};

// Beginnings of events, which repeat: everything up to the time depends on name, kind and thread.
typedef struct cached_head {
    const char *name;
    const tp_thread *thread;
    uint32_t kind;
    uint32_t length;
    char text[CACHE_TEXT];
} cached_head;

static tprof_category category_of(tp_kind kind)
{
    switch (kind) {
    case TP_RANGE:
    case TP_OPERATOR:
    case TP_LOADER:
        return TPROF_CATEGORY_CPU_OP;
    case TP_ANNOTATION:
    case TP_STEP:
        return TPROF_CATEGORY_USER_ANNOTATION;
    case TP_MODULE:
    case TP_FUNCTION:
        return TPROF_CATEGORY_PYTHON_FUNCTION;
    case TP_COUNTER:
        return TPROF_CATEGORY_COUNTER;
    case TP_INSTANT:
    case TP_MEMORY:
    case TP_THREAD:
        break;
    }
    return TPROF_CATEGORY_CPU_INSTANT_EVENT;
}

static chrome_head head_of(const chrome_out *out, const tp_record *record)
{
    chrome_head head = {
        .phase = TPROF_PHASE_COMPLETE,
        .category = category_of(record->kind),
        .name = record->name,
        .pid = out->capture->pid,
        .tid = record->thread->tid,
        .begin_ns = record->begin_ns,
    };
    if (record->kind == TP_COUNTER)
        head.phase = TPROF_PHASE_COUNTER;
    if (head.category == TPROF_CATEGORY_CPU_INSTANT_EVENT) {
        head.phase = TPROF_PHASE_INSTANT;
        head.scope = 't';
    }
    return head;
}

// tp_chrome_begin(), from the cache where it is there.
static void begin_event(chrome_out *out, const tp_record *record, cached_head *cache)
{
    const uint64_t mix =
        ((uint64_t)(uintptr_t)record->name + (uint64_t)record->kind) * 0x9e3779b97f4a7c15u +
        (uint64_t)(uintptr_t)record->thread * 0xff51afd7ed558ccdu;
    cached_head *slot = cache ? &cache[(mix >> 40) % CACHE_SLOTS] : NULL;

    if (slot && slot->name == record->name && slot->thread == record->thread &&
        slot->kind == (uint32_t)record->kind) {
        memcpy(out->at, slot->text, slot->length);
        out->at += slot->length;
        chrome_time(out, record->begin_ns);
        return;
    }

    const chrome_head head = head_of(out, record);
    chrome_room(out, CACHE_TEXT);
    const uint64_t flushes = out->flushes;
    const char *first = out->at;
    tp_chrome_begin(out, &head);
    // Cut behind `"ts": `. Where the buffer was flushed meanwhile nothing can be kept.
    if (!slot || out->flushes != flushes || out->at - first > CACHE_TEXT)
        return;
    slot->name = NULL;
    size_t length = (size_t)(out->at - first);
    while (first[length - 1] != ' ')
        length--;
    memcpy(slot->text, first, length);
    slot->length = (uint32_t)length;
    slot->name = record->name;
    slot->thread = record->thread;
    slot->kind = (uint32_t)record->kind;
}

static void put_index(chrome_out *out)
{
    CHROME_PUT(out, ", \"Ev Idx\": ");
    chrome_uint(out, out->event_index++);
    chrome_args_end(out);
}

static void put_duration(chrome_out *out, const tp_record *record)
{
    CHROME_PUT(out, ",\n    \"dur\": ");
    chrome_duration(out, record->begin_ns, record->end_ns);
}

// Sizes or strides, such as [32, 3, 224].
static void put_numbers(chrome_out *out, const int64_t *numbers, int32_t count)
{
    CHROME_PUT(out, "[");
    for (int32_t i = 0; numbers && i < count; i++) {
        if (i)
            CHROME_PUT(out, ", ");
        chrome_int(out, numbers[i]);
    }
    CHROME_PUT(out, "]");
}

typedef enum input_part { PART_VALUE, PART_TYPE, PART_STRIDES, PART_DIMS } input_part;

static void put_input(chrome_out *out, const tp_input *input, input_part part)
{
    switch (part) {
    case PART_VALUE:
        tp_chrome_string(out, input->value ? input->value : "");
        break;
    case PART_TYPE:
        tp_chrome_string(out, input->type);
        break;
    case PART_STRIDES:
        put_numbers(out, input->strides, input->dimensions);
        break;
    case PART_DIMS:
        put_numbers(out, input->sizes, input->dimensions);
        break;
    }
}

// One list with an element for each input; of a list of tensors, sizes are a list of lists.
static void put_inputs(chrome_out *out, const tp_op_detail *op, input_part part)
{
    tp_inputs inputs = tp_inputs_begin(op);
    tp_input input;
    bool first = true;

    CHROME_PUT(out, "[");
    while (tp_inputs_next(&inputs, &input)) {
        if (!first)
            CHROME_PUT(out, ", ");
        first = false;
        const bool nested = input.items && part >= PART_STRIDES;
        if (!nested)
            put_input(out, &input, part);
        else
            CHROME_PUT(out, "[");
        for (int32_t left = input.items; left > 0; left--) {
            tp_input item;
            tp_inputs_next(&inputs, &item);
            if (!nested)
                continue;
            put_input(out, &item, part);
            if (left > 1)
                CHROME_PUT(out, ", ");
        }
        if (nested)
            CHROME_PUT(out, "]");
    }
    CHROME_PUT(out, "]");
}

static bool has_strides(const tp_op_detail *op)
{
    tp_inputs inputs = tp_inputs_begin(op);
    tp_input input;

    while (tp_inputs_next(&inputs, &input))
        if (input.strides)
            return true;
    return false;
}

static void put_op(chrome_out *out, const tp_op_detail *op)
{
    if (op->has_inputs) {
        CHROME_PUT(out, ", \"Concrete Inputs\": ");
        put_inputs(out, op, PART_VALUE);
        CHROME_PUT(out, ", \"Input type\": ");
        put_inputs(out, op, PART_TYPE);
        if (has_strides(op)) {
            CHROME_PUT(out, ", \"Input Strides\": ");
            put_inputs(out, op, PART_STRIDES);
        }
        CHROME_PUT(out, ", \"Input Dims\": ");
        put_inputs(out, op, PART_DIMS);
    }
    if (op->flops) {
        CHROME_PUT(out, ", \"flops\": ");
        chrome_uint(out, op->flops);
    }
    if (op->stack) {
        CHROME_PUT(out, ", \"Call stack\": ");
        tp_chrome_string(out, tp_stack_text(op->stack));
    }
}

static void put_sequence(chrome_out *out, const tp_op_detail *op)
{
    CHROME_PUT(out, ",\"Sequence number\": ");
    chrome_int(out, op->sequence);
    CHROME_PUT(out, ", \"Fwd thread id\": ");
    chrome_uint(out, op->backward ? op->forward_thread : 0);
}

static void put_mark(chrome_out *out, const tp_mark_detail *mark)
{
    if (mark->domain) {
        CHROME_PUT(out, ", \"domain\": ");
        tp_chrome_string(out, mark->domain);
    }
    if (mark->category) {
        CHROME_PUT(out, ", \"category\": ");
        tp_chrome_string(out, mark->category);
    }
    if (mark->payload_kind == TP_PAYLOAD_NONE)
        return;
    CHROME_PUT(out, ", \"payload\": ");
    if (mark->payload_kind == TP_PAYLOAD_INT)
        chrome_int(out, mark->payload.i);
    else if (mark->payload_kind == TP_PAYLOAD_UINT)
        chrome_uint(out, mark->payload.u);
    else
        chrome_double(out, mark->payload.d);
}

static void put_operator(chrome_out *out, const tp_record *record)
{
    put_duration(out, record);
    chrome_args(out);
    CHROME_PUT(out, "\"External id\": ");
    chrome_uint(out, record->id);
    if (record->op && record->op->sequence)
        put_sequence(out, record->op);
    CHROME_PUT(out, ",\"Record function id\": 0");
    if (record->op)
        put_op(out, record->op);
    if (record->mark)
        put_mark(out, record->mark);
    put_index(out);
}

static void put_function(chrome_out *out, const tp_record *record)
{
    put_duration(out, record);
    chrome_args(out);
    CHROME_PUT(out, "\"Python parent id\": ");
    if (record->function && record->function->parent)
        chrome_int(out, record->function->parent);
    else
        CHROME_PUT(out, "null");
    CHROME_PUT(out, ", \"Python id\": ");
    chrome_uint(out, record->id);
    if (record->kind == TP_MODULE && record->function) {
        CHROME_PUT(out, ", \"Python module id\": ");
        chrome_int(out, record->function->module);
    }
    put_index(out);
}

static void put_memory(chrome_out *out, const tp_record *record)
{
    const tp_memory_detail *memory = record->memory;

    chrome_args(out);
    CHROME_PUT(out, "\"Total Reserved\": ");
    chrome_int(out, memory->reserved);
    CHROME_PUT(out, ", \"Total Allocated\": ");
    chrome_int(out, memory->allocated);
    CHROME_PUT(out, ", \"Bytes\": ");
    chrome_int(out, record->bytes);
    CHROME_PUT(out, ", \"Device Id\": ");
    chrome_int(out, memory->device_index);
    CHROME_PUT(out, ", \"Device Type\": ");
    chrome_int(out, memory->device_type);
    CHROME_PUT(out, ", \"Addr\": ");
    chrome_uint(out, memory->address);
    put_index(out);
}

static void put_instant(chrome_out *out, const tp_record *record)
{
    chrome_args(out);
    CHROME_PUT(out, "\"External id\": ");
    chrome_uint(out, record->id);
    if (record->mark)
        put_mark(out, record->mark);
    put_index(out);
}

static void put_counter(chrome_out *out, const tp_record *record)
{
    chrome_args(out);
    CHROME_PUT(out, "\"value\": ");
    chrome_double(out, record->value);
    chrome_args_end(out);
    out->event_index++;
}

static void put_record(chrome_out *out, const tp_record *record)
{
    switch (record->kind) {
    case TP_RANGE:
    case TP_OPERATOR:
    case TP_LOADER:
    case TP_ANNOTATION:
    case TP_STEP:
        put_operator(out, record);
        break;
    case TP_MODULE:
    case TP_FUNCTION:
        put_function(out, record);
        break;
    case TP_MEMORY:
        put_memory(out, record);
        break;
    case TP_COUNTER:
        put_counter(out, record);
        break;
    case TP_INSTANT:
    case TP_THREAD:
        put_instant(out, record);
        break;
    }
}

void tp_chrome_host(chrome_out *out)
{
    cached_head *cache = calloc(CACHE_SLOTS, sizeof(*cache));
    size_t link_count;
    chrome_link *links = tp_chrome_links_find(out->capture, &link_count);
    tp_cursor cursor = tp_cursor_begin(out->capture);
    tp_record record;
    size_t link = 0;

    while (tp_cursor_next(&cursor, &record)) {
        const uint64_t event = out->event_index;
        begin_event(out, &record, cache);
        put_record(out, &record);
        for (; link < link_count && links[link].event == event; link++)
            tp_chrome_put_flow(out, &(chrome_flow){.phase = links[link].phase,
                                                   .category = TPROF_CATEGORY_FWDBWD,
                                                   .id = links[link].arrow,
                                                   .pid = out->capture->pid,
                                                   .tid = record.thread->tid,
                                                   .ns = record.begin_ns});
    }
    free(links);
    free(cache);
}
