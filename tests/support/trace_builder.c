// SPDX-License-Identifier: BSD-3-Clause
// Makes traces for tests.
#include "support/trace_builder.h"

#include "model/intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct made_key {
    const char *key, *json;
} made_key;

struct trace_builder {
    arena *arena;
    made_event *events;
    uint32_t count, capacity;
    made_key *keys;
    uint32_t key_count, key_capacity;
};

trace_builder *trace_builder_create(void)
{
    arena *a = arena_create();
    trace_builder *b = arena_new(a, trace_builder, 1);
    b->arena = a;
    return b;
}

void trace_builder_destroy(trace_builder *b)
{
    if (b)
        arena_destroy(b->arena);
}

static const char *copy(trace_builder *b, const char *words)
{
    return words ? arena_copy(b->arena, words, strlen(words)) : NULL;
}

void trace_builder_add(trace_builder *b, made_event e)
{
    const char **const texts[] = {&e.category, &e.name,    &e.process, &e.thread, &e.correlation,
                                  &e.external, &e.device,  &e.stream,  &e.shapes, &e.types,
                                  &e.stack,    &e.flow_id, &e.arg_name};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        *texts[i] = copy(b, *texts[i]);
    if (!e.phase)
        e.phase = 'X';
    if (!e.process)
        e.process = "1";
    if (!e.thread)
        e.thread = "1";
    arena_reserve_one(b->arena, b->events, b->count, b->capacity);
    b->events[b->count++] = e;
}

void trace_builder_metadata(trace_builder *b, const char *key, const char *raw_json)
{
    arena_reserve_one(b->arena, b->keys, b->key_count, b->key_capacity);
    b->keys[b->key_count++] = (made_key){copy(b, key), copy(b, raw_json)};
}

void made_step(trace_builder *b, int number, const char *thread, int64_t begin, int64_t end)
{
    made_annotation(b, arena_printf(b->arena, "ProfilerStep#%d", number), thread, begin, end);
}

static void add_host(trace_builder *b, const char *category, const char *name, const char *thread,
                     const made_event *rest)
{
    made_event e = *rest;
    e.category = category;
    e.name = name;
    e.thread = thread;
    trace_builder_add(b, e);
}

void made_op(trace_builder *b, const char *name, const char *thread, int64_t begin, int64_t end)
{
    add_host(b, "cpu_op", name, thread, &(made_event){.begin = begin, .duration = end - begin});
}

void made_annotation(trace_builder *b, const char *name, const char *thread, int64_t begin,
                     int64_t end)
{
    add_host(b, "user_annotation", name, thread,
             &(made_event){.begin = begin, .duration = end - begin});
}

void made_call(trace_builder *b, const char *name, const char *thread, const char *correlation,
               int64_t begin, int64_t end)
{
    add_host(b,
             strncmp(name, "cuda", 4) && strncmp(name, "hip", 3) ? "cuda_driver" : "cuda_runtime",
             name, thread,
             &(made_event){.correlation = correlation, .begin = begin, .duration = end - begin});
}

static void add_work(trace_builder *b, const char *category, const char *name, const char *stream,
                     const made_event *rest)
{
    made_event e = *rest;
    e.category = category;
    e.name = name;
    e.process = e.device = "0";
    e.thread = e.stream = stream;
    trace_builder_add(b, e);
}

void made_kernel(trace_builder *b, const char *name, const char *stream, const char *correlation,
                 int64_t begin, int64_t end)
{
    add_work(b, "kernel", name, stream,
             &(made_event){.correlation = correlation, .begin = begin, .duration = end - begin});
}

void made_copy(trace_builder *b, const char *name, const char *stream, const char *correlation,
               int64_t begin, int64_t end)
{
    add_work(b, "gpu_memcpy", name, stream,
             &(made_event){.correlation = correlation, .begin = begin, .duration = end - begin});
}

void made_window(trace_builder *b, int64_t begin, int64_t end)
{
    trace_builder_add(b, (made_event){.category = "Trace",
                                      .name = "PyTorch Profiler (0)",
                                      .process = "Spans",
                                      .thread = "PyTorch Profiler",
                                      .begin = begin,
                                      .duration = end - begin});
    trace_builder_add(
        b,
        (made_event){
            .phase = 'i', .name = "Record Window End", .process = "", .thread = "", .begin = end});
}

static text set(record *r, record_field field, const char *words)
{
    if (!words)
        return (text){"", 0};
    r->fields |= field;
    return text_of(words);
}

static int64_t number(record *r, record_field field, bool present, int64_t value)
{
    if (present)
        r->fields |= field;
    return value;
}

static double real(record *r, record_field field, double value)
{
    if (value != 0)
        r->fields |= field;
    return value;
}

static bool has_duration(const made_event *e)
{
    return e->phase == 'X' && !e->without_duration;
}

static record record_of(const made_event *e)
{
    record r = {.phase = e->phase};
    r.name = set(&r, FIELD_NAME, e->name);
    r.category = set(&r, FIELD_CATEGORY, e->category);
    r.process = set(&r, FIELD_PROCESS, e->process);
    r.thread = set(&r, FIELD_THREAD, e->thread);
    r.time_ns = number(&r, FIELD_TIME, true, e->begin);
    r.duration_ns = number(&r, FIELD_DURATION, has_duration(e), e->duration);
    r.correlation = set(&r, FIELD_CORRELATION, e->correlation);
    r.external = set(&r, FIELD_EXTERNAL, e->external);
    r.device = set(&r, FIELD_DEVICE, e->device);
    r.stream = set(&r, FIELD_STREAM, e->stream);
    r.flow_id = set(&r, FIELD_FLOW_ID, e->flow_id);
    r.shapes = set(&r, FIELD_SHAPES, e->shapes);
    r.types = set(&r, FIELD_TYPES, e->types);
    r.stack = set(&r, FIELD_STACK, e->stack);
    r.arg_name = set(&r, FIELD_ARG_NAME, e->arg_name);
    r.sequence = number(&r, FIELD_SEQUENCE, e->has_sequence, e->sequence);
    r.fwd_thread = number(&r, FIELD_FWD_THREAD, e->has_sequence, e->fwd_thread);
    r.module_id = number(&r, FIELD_MODULE_ID, e->module_id != 0, e->module_id);
    r.registers = number(&r, FIELD_REGISTERS, e->registers != 0, e->registers);
    r.shared_bytes = number(&r, FIELD_SHARED, e->shared_bytes != 0, e->shared_bytes);
    r.bytes = number(&r, FIELD_BYTES, e->bytes != 0, e->bytes);
    r.blocks_per_sm = real(&r, FIELD_BLOCKS_SM, e->blocks_per_sm);
    r.occupancy_percent = real(&r, FIELD_OCCUPANCY, e->occupancy_percent);
    if (e->grid[0]) {
        r.fields |= FIELD_GRID | FIELD_BLOCK;
        memcpy(r.grid, e->grid, sizeof(r.grid));
        memcpy(r.block, e->block, sizeof(r.block));
    }
    return r;
}

void trace_builder_feed(const trace_builder *b, const record_visitor *to, uint32_t from,
                        uint32_t behind)
{
    for (uint32_t i = from; i < behind && i < b->count; i++) {
        record r = record_of(&b->events[i]);
        r.offset = i;
        to->event(to->self, &r);
    }
}

void trace_builder_feed_metadata(const trace_builder *b, const record_visitor *to)
{
    for (uint32_t i = 0; i < b->key_count; i++)
        to->metadata(to->self, text_of(b->keys[i].key), text_of(b->keys[i].json));
}

trace *trace_builder_trace(const trace_builder *b)
{
    intake *in = intake_create();
    const record_visitor to = intake_visitor(in);

    trace_builder_feed_metadata(b, &to);
    trace_builder_feed(b, &to, 0, UINT32_MAX);
    return intake_finish(in, false);
}

// A text as JSON.
static void put_text(FILE *to, const char *key, const char *words)
{
    if (!words)
        return;
    fprintf(to, ", \"%s\": \"", key);
    for (const char *c = words; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', to);
        if ((unsigned char)*c < 0x20)
            fprintf(to, "\\u%04x", *c);
        else
            fputc(*c, to);
    }
    fputc('"', to);
}

static void put_raw(FILE *to, const char *key, const char *json)
{
    if (json)
        fprintf(to, ", \"%s\": %s", key, json);
}

static void put_number(FILE *to, const char *key, bool present, int64_t value)
{
    if (present)
        fprintf(to, ", \"%s\": %" PRId64, key, value);
}

// ns as the us of a trace file.
static void put_time(FILE *to, const char *key, int64_t ns)
{
    const int64_t us = ns / 1000, rest = ns % 1000;
    fprintf(to, ", \"%s\": %s%" PRId64 ".%03" PRId64, key, ns < 0 ? "-" : "", us < 0 ? -us : us,
            rest < 0 ? -rest : rest);
}

static void put_size(FILE *to, const char *key, const int32_t *size)
{
    if (size[0])
        fprintf(to, ", \"%s\": [%d, %d, %d]", key, size[0], size[1], size[2]);
}

static void put_real(FILE *to, const char *key, double value)
{
    if (value != 0)
        fprintf(to, ", \"%s\": %.17g", key, value);
}

static void put_args(FILE *to, const made_event *e)
{
    fputs(", \"args\": {\"made\": 1", to);
    put_text(to, "correlation", e->correlation);
    put_text(to, "External id", e->external);
    put_text(to, "device", e->device);
    put_text(to, "stream", e->stream);
    put_text(to, "name", e->arg_name);
    put_raw(to, "Input Dims", e->shapes);
    put_raw(to, "Input type", e->types);
    put_text(to, "Call stack", e->stack);
    put_number(to, "Sequence number", e->has_sequence, e->sequence);
    put_number(to, "Fwd thread id", e->has_sequence, e->fwd_thread);
    put_number(to, "Python module id", e->module_id != 0, e->module_id);
    put_size(to, "grid", e->grid);
    put_size(to, "block", e->block);
    put_number(to, "registers per thread", e->registers != 0, e->registers);
    put_number(to, "shared memory", e->shared_bytes != 0, e->shared_bytes);
    put_number(to, "bytes", e->bytes != 0, e->bytes);
    put_real(to, "blocks per SM", e->blocks_per_sm);
    put_real(to, "est. achieved occupancy %", e->occupancy_percent);
    fputs("}", to);
}

static void put_event(FILE *to, const made_event *e)
{
    fprintf(to, "{\"ph\": \"%c\"", e->phase);
    put_text(to, "cat", e->category);
    put_text(to, "name", e->name);
    put_text(to, "pid", e->process);
    put_text(to, "tid", e->thread);
    put_text(to, "id", e->flow_id);
    put_time(to, "ts", e->begin);
    if (has_duration(e))
        put_time(to, "dur", e->duration);
    put_args(to, e);
    fputs("}", to);
}

const char *trace_builder_json(trace_builder *b)
{
    char *made = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&made, &size);

    fputs("{\"schemaVersion\": 1", to);
    for (uint32_t i = 0; i < b->key_count; i++)
        put_raw(to, b->keys[i].key, b->keys[i].json);
    fputs(", \"traceEvents\": [\n", to);
    for (uint32_t i = 0; i < b->count; i++) {
        put_event(to, &b->events[i]);
        fputs(i + 1 < b->count ? ",\n" : "\n", to);
    }
    fputs("]}\n", to);
    fclose(to);
    const char *kept = arena_copy(b->arena, made, size);
    free(made);
    return kept;
}

uint32_t events_named(const trace *t, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->events.count; i++)
        count += text_equal(trace_name(t, i), text_of(name));
    return count;
}

uint32_t event_named(const trace *t, const char *name, uint32_t n)
{
    for (uint32_t i = 0; i < t->events.count; i++)
        if (text_equal(trace_name(t, i), text_of(name)) && n-- == 0)
            return i;
    return EVENT_NONE;
}

uint64_t notes_of(const trace *t, const char *code)
{
    for (uint32_t i = 0; i < t->note_count; i++)
        if (strcmp(t->notes[i].code, code) == 0)
            return t->notes[i].count;
    return 0;
}
