// SPDX-License-Identifier: BSD-3-Clause
// Function events, grouped by name and, on request, by shapes and stack.
#include "encode/encode_averages.h"

#include "encode/function_events.h"
#include "encode/text_buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What tells groups apart. Texts are valid until the next event.
typedef struct group_key {
    const char *name;
    const char *shapes;
    const char *stack;
    bool is_device, is_annotation;
} group_key;

typedef struct grouping {
    tprof_averages *averages;
    const tprof_averages_options *options;
    uint32_t *slots;   // by hash of the key: 1 + row
    size_t slot_count; // a power of two
    tp_text shapes, stack;
} grouping;

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

static uint64_t hash_key(const group_key *key)
{
    const uint64_t flags = (uint64_t)key->is_device << 1 | (uint64_t)key->is_annotation;
    uint64_t hash = hash_text(0xcbf29ce484222325u ^ flags, key->name);
    hash = hash_text(hash, key->shapes);
    hash = hash_text(hash, key->stack);
    return hash ^ hash >> 29;
}

static bool is_key_of(const tprof_average *row, const group_key *key)
{
    return row->is_device == key->is_device && row->is_annotation == key->is_annotation &&
           strcmp(row->name, key->name) == 0 && strcmp(row->input_shapes, key->shapes) == 0 &&
           strcmp(row->stack, key->stack) == 0;
}

static group_key key_of_row(const tprof_average *row)
{
    return (group_key){row->name, row->input_shapes, row->stack, row->is_device,
                       row->is_annotation};
}

static uint32_t *slot_of(const grouping *g, const group_key *key)
{
    size_t at = hash_key(key) & (g->slot_count - 1);
    while (g->slots[at] && !is_key_of(&g->averages->rows[g->slots[at] - 1], key))
        at = (at + 1) & (g->slot_count - 1);
    return &g->slots[at];
}

static bool grow(grouping *g)
{
    tprof_averages *a = g->averages;
    const size_t capacity = a->capacity ? 2 * a->capacity : 64;
    tprof_average *rows = realloc(a->rows, capacity * sizeof(*rows));
    if (!rows)
        return false;
    a->rows = rows;
    bool *nested = realloc(a->nested, capacity * sizeof(*nested));
    if (!nested)
        return false;
    a->nested = nested;
    uint32_t *slots = calloc(2 * capacity, sizeof(*slots));
    if (!slots)
        return false;

    free(g->slots);
    g->slots = slots;
    g->slot_count = 2 * capacity;
    a->capacity = capacity;
    for (size_t i = 0; i < a->count; i++) {
        const group_key key = key_of_row(&a->rows[i]);
        *slot_of(g, &key) = (uint32_t)i + 1;
    }
    return true;
}

// The shapes as torch prints them: a list of lists, empty ones for what is no single tensor.
static void print_shapes(tp_text *text, const tp_op_detail *op)
{
    tp_text_clear(text);
    tp_text_add(text, "[");
    tp_inputs walk = tp_inputs_begin(op);
    tp_input input;
    int32_t items = 0; // of a list, still to be skipped
    bool first = true;

    while (op->has_inputs && tp_inputs_next(&walk, &input)) {
        if (items > 0) {
            items--;
            continue;
        }
        items = input.items;
        tp_text_add(text, first ? "[" : ", [");
        first = false;
        for (int32_t i = 0; input.tensor && i < input.dimensions; i++)
            tp_text_print(text, i ? ", %" PRId64 : "%" PRId64, input.sizes[i]);
        tp_text_add(text, "]");
    }
    tp_text_add(text, "]");
}

// The first `frames` of a stack.
static void copy_frames(tp_text *text, const char *stack, int32_t frames)
{
    const char *end = stack;

    while (*end && frames-- > 0) {
        end += strcspn(end, ";");
        if (*end && frames > 0)
            end++;
    }
    size_t size = (size_t)(end - stack);
    while (size > 0 && stack[size - 1] == ';')
        size--;
    tp_text_clear(text);
    tp_text_append(text, stack, size);
}

static group_key key_of_event(grouping *g, const tp_function_event *e)
{
    group_key key = {e->name, "", "", e->is_device, e->is_annotation};

    if (g->options->group_by_input_shape) {
        key.shapes = "[]";
        if (e->op) {
            print_shapes(&g->shapes, e->op);
            key.shapes = g->shapes.failed ? "" : g->shapes.data;
        }
    }
    if (g->options->group_by_stack_n > 0 && e->stack) {
        copy_frames(&g->stack, tp_stack_text(e->stack), g->options->group_by_stack_n);
        key.stack = g->stack.failed ? "" : g->stack.data;
    }
    return key;
}

static tprof_average *new_row(grouping *g, const group_key *key, bool nested)
{
    tprof_averages *a = g->averages;
    tprof_average *row = &a->rows[a->count];

    *row = (tprof_average){
        .name = strdup(key->name),
        .input_shapes = strdup(key->shapes),
        .stack = strdup(key->stack),
        .is_device = key->is_device,
        .is_annotation = key->is_annotation,
    };
    a->nested[a->count++] = nested;
    return row->name && row->input_shapes && row->stack ? row : NULL;
}

static tprof_average *row_of(grouping *g, const tp_function_event *e)
{
    if (g->averages->count == g->averages->capacity && !grow(g))
        return NULL;
    const group_key key = key_of_event(g, e);
    if (g->shapes.failed || g->stack.failed)
        return NULL;
    uint32_t *slot = slot_of(g, &key);
    if (*slot)
        return &g->averages->rows[*slot - 1];
    tprof_average *row = new_row(g, &key, e->parent != TP_NO_PARENT);
    *slot = (uint32_t)g->averages->count;
    return row;
}

static void add_event(tprof_average *row, const tp_function_event *e)
{
    row->count++;
    row->cpu_total_ns += e->total.cpu_ns;
    row->self_cpu_total_ns += e->total.cpu_ns - e->children.cpu_ns;
    row->device_total_ns += e->total.device_ns;
    row->self_device_total_ns += e->total.device_ns - e->children.device_ns;
    row->cpu_memory_bytes += e->total.cpu_bytes;
    row->self_cpu_memory_bytes += e->total.cpu_bytes - e->children.cpu_bytes;
    row->device_memory_bytes += e->total.device_bytes;
    row->self_device_memory_bytes += e->total.device_bytes - e->children.device_bytes;
    row->flops += e->op ? e->op->flops : 0;
}

static double share(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void add_shares(tprof_averages *a)
{
    for (size_t i = 0; i < a->count; i++) {
        a->self_cpu_ns += a->rows[i].self_cpu_total_ns;
        if (a->rows[i].is_device && !a->rows[i].is_annotation)
            a->self_device_ns += a->rows[i].self_device_total_ns;
    }
    for (size_t i = 0; i < a->count; i++) {
        tprof_average *row = &a->rows[i];
        row->self_cpu_share = share(row->self_cpu_total_ns, a->self_cpu_ns);
        row->cpu_share = share(row->cpu_total_ns, a->self_cpu_ns);
        row->self_device_share = share(row->self_device_total_ns, a->self_device_ns);
    }
}

static bool group_all(grouping *g, const tp_function_events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        if (events->items[i].merged)
            continue;
        tprof_average *row = row_of(g, &events->items[i]);
        if (!row)
            return false;
        add_event(row, &events->items[i]);
    }
    return true;
}

tprof_status tp_averages_make(const tp_capture *capture, const tprof_averages_options *options,
                              tprof_averages **out)
{
    static const tprof_averages_options NO_OPTIONS = {0};
    grouping g = {.options = options ? options : &NO_OPTIONS};
    tp_function_events events;

    *out = NULL;
    if (!tp_function_events_make(capture, &events))
        return TPROF_ERR_MEMORY;
    g.averages = calloc(1, sizeof(*g.averages));
    const bool ok = g.averages && group_all(&g, &events);
    if (ok) {
        g.averages->profile_memory = capture->profile_memory;
        g.averages->with_flops = capture->with_flops;
        add_shares(g.averages);
        *out = g.averages;
    } else {
        tprof_averages_free(g.averages);
    }
    free(g.slots);
    free(g.shapes.data);
    free(g.stack.data);
    tp_function_events_free(&events);
    return ok ? TPROF_OK : TPROF_ERR_MEMORY;
}

// Texts of rows are const to users.
static void free_text(const char *text)
{
    free((void *)(uintptr_t)text);
}

void tprof_averages_free(tprof_averages *averages)
{
    if (!averages)
        return;
    for (size_t i = 0; i < averages->count; i++) {
        free_text(averages->rows[i].name);
        free_text(averages->rows[i].input_shapes);
        free_text(averages->rows[i].stack);
    }
    free(averages->rows);
    free(averages->nested);
    free(averages);
}

size_t tprof_averages_count(const tprof_averages *averages)
{
    return averages->count;
}

const tprof_average *tprof_averages_row(const tprof_averages *averages, size_t index)
{
    return index < averages->count ? &averages->rows[index] : NULL;
}
