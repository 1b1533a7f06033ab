// SPDX-License-Identifier: BSD-3-Clause
// Kernels by name, and by name, operator and launch shape.
#include "analyze/kernels.h"

#include "analyze/group.h"
#include "analyze/statistics.h"

#include <math.h>
#include <stdlib.h>

// A mean weighted with durations; what has no value has no weight.
typedef struct weighted {
    double sum;
    int64_t weight;
    bool known;
} weighted;

typedef struct kernel_sums {
    int64_t calls, total, raw_total, min, max;
    int64_t delay_total, delays;
    weighted blocks_per_sm, occupancy;
    uint32_t name_flags;
} kernel_sums;

// Kernels of one trace that differ in neither name, place in the program nor detail.
typedef struct tally {
    uint32_t name, owner; // string ids; owner may be STRING_NONE
    uint32_t detail;
    kernel_sums sums;
} tally;

typedef struct kernel_walk {
    const trace *trace;
    bool *started;   // by launch: its first device work was seen
    id_map pair_of;  // name and owner
    id_map tally_of; // pair and detail
    tally *tallies;
    uint32_t tally_count, tally_capacity;
    arena *scratch;
} kernel_walk;

// Where a kernel belongs in the program: the operator that launched it, else the marked range.
static uint32_t owner_name(const trace *t, uint32_t by)
{
    if (by == LAUNCH_NONE)
        return STRING_NONE;
    const launch *const l = &t->launches[by];
    if (l->in_operator != EVENT_NONE)
        return t->events.name[l->in_operator];
    return l->in_range == RANGE_NONE ? STRING_NONE : t->events.name[t->ranges[l->in_range].event];
}

static tally *tally_for(kernel_walk *w, uint32_t event, uint32_t owner)
{
    const events *const e = &w->trace->events;
    const uint32_t name = e->name[event], detail = e->detail[event];
    const uint32_t pair =
        *id_map_entry(&w->pair_of, w->scratch, group_ids(name, owner), w->pair_of.count);
    const uint32_t at =
        *id_map_entry(&w->tally_of, w->scratch, group_ids(pair, detail), w->tally_count);

    if (at == w->tally_count) {
        arena_reserve_one(w->scratch, w->tallies, w->tally_count, w->tally_capacity);
        w->tallies[w->tally_count++] = (tally){
            name, owner, detail, {.min = INT64_MAX, .max = INT64_MIN}
        };
    }
    return &w->tallies[at];
}

static void add_weighted(weighted *to, double value, int64_t weight)
{
    if (!(value >= 0)) // NaN: absent
        return;
    to->sum += value * (double)weight;
    to->weight = add_saturated(to->weight, weight);
    to->known = true;
}

static void join_weighted(weighted *to, weighted from)
{
    to->sum += from.sum;
    to->weight = add_saturated(to->weight, from.weight);
    to->known |= from.known;
}

static void add_kernel(kernel_sums *s, const trace *t, uint32_t event)
{
    const int64_t ns = t->events.duration[event];
    const uint32_t detail = t->events.detail[event];

    s->calls++;
    s->total = add_saturated(s->total, ns);
    s->raw_total = add_saturated(s->raw_total, raw_duration(t, event));
    s->min = ns < s->min ? ns : s->min;
    s->max = ns > s->max ? ns : s->max;
    s->name_flags |=
        event_flags(t, event) & (NAME_TENSOR_YES | NAME_TENSOR_NO | NAME_COMMUNICATION);
    if (detail == DETAIL_NONE)
        return;
    add_weighted(&s->blocks_per_sm, t->device_details[detail].blocks_per_sm, ns);
    add_weighted(&s->occupancy, t->device_details[detail].occupancy_percent / 100, ns);
}

// Device work is in order of begin, so the first of a call is the first node of a graph.
static void walk(kernel_walk *w)
{
    const trace *const t = w->trace;
    const events *const e = &t->events;

    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t event = t->work[k], by = t->launched_by[k];
        const bool first = by != LAUNCH_NONE && !w->started[by];
        if (first)
            w->started[by] = true;
        if (e->role[event] != ROLE_KERNEL)
            continue;
        kernel_sums *const s = &tally_for(w, event, owner_name(t, by))->sums;
        add_kernel(s, t, event);
        if (!first)
            continue;
        s->delay_total =
            add_saturated(s->delay_total, e->begin[event] - e->begin[t->launches[by].call]);
        s->delays++;
    }
}

static void add_sums(kernel_sums *to, const kernel_sums *from)
{
    if (to->calls == 0) {
        *to = *from;
        return;
    }
    to->calls += from->calls;
    to->total = add_saturated(to->total, from->total);
    to->raw_total = add_saturated(to->raw_total, from->raw_total);
    to->min = from->min < to->min ? from->min : to->min;
    to->max = from->max > to->max ? from->max : to->max;
    to->delay_total = add_saturated(to->delay_total, from->delay_total);
    to->delays += from->delays;
    join_weighted(&to->blocks_per_sm, from->blocks_per_sm);
    join_weighted(&to->occupancy, from->occupancy);
    to->name_flags |= from->name_flags;
}

enum { KEY_NAME, KEY_OWNER, KEY_GRID, KEY_BLOCK, KEY_REGISTERS, KEY_SHARED, KEY_TEXTS };

static text print_dims(const int32_t *d, arena *a)
{
    return text_of(arena_printf(a, "[%d, %d, %d]", d[0], d[1], d[2]));
}

static text print_known(int64_t value, arena *a)
{
    return value < 0 ? (text){0} : text_of(arena_printf(a, "%lld", (long long)value));
}

// The launch shape as texts; what the trace does not tell is absent.
static void shape_key(const tally *one, const kernel_walk *w, text *key)
{
    const strings *const s = &w->trace->strings;

    key[KEY_NAME] = strings_text(s, one->name);
    key[KEY_OWNER] = one->owner == STRING_NONE ? (text){0} : strings_text(s, one->owner);
    if (one->detail == DETAIL_NONE)
        return;
    const device_detail *const d = &w->trace->device_details[one->detail];
    if (d->has_shape) {
        key[KEY_GRID] = print_dims(d->grid, w->scratch);
        key[KEY_BLOCK] = print_dims(d->block, w->scratch);
    }
    key[KEY_REGISTERS] = print_known(d->registers, w->scratch);
    key[KEY_SHARED] = print_known(d->shared_bytes, w->scratch);
}

static void fold(const kernel_walk *w, groups *by_name, groups *by_operator)
{
    groups_next_trace(by_name);
    groups_next_trace(by_operator);
    for (uint32_t i = 0; i < w->tally_count; i++) {
        const tally *const one = &w->tallies[i];
        text key[KEY_TEXTS] = {{0}};
        shape_key(one, w, key);
        add_sums(groups_row(by_operator, groups_add(by_operator, i, key)), &one->sums);
        uint32_t row = groups_find(by_name, one->name);
        if (row == ID_NONE)
            row = groups_add(by_name, one->name,
                             (const text[KEY_TEXTS]){strings_text(&w->trace->strings, one->name)});
        add_sums(groups_row(by_name, row), &one->sums);
    }
}

static void walk_trace(const trace *t, groups *by_name, groups *by_operator)
{
    arena *const scratch = arena_create();
    kernel_walk w = {
        .trace = t, .started = arena_new(scratch, bool, t->launch_count), .scratch = scratch};

    walk(&w);
    fold(&w, by_name, by_operator);
    arena_destroy(scratch);
}

static tristate tensor_cores(uint32_t flags)
{
    if (flags & NAME_TENSOR_YES)
        return TRISTATE_TRUE;
    return flags & NAME_TENSOR_NO ? TRISTATE_FALSE : TRISTATE_UNKNOWN;
}

// Where all that have a value take no time, 0.
static double mean_of(weighted w)
{
    if (!w.known)
        return REAL_NONE;
    return w.weight > 0 ? w.sum / (double)w.weight : 0;
}

static int64_t number_of(const char *key)
{
    return key ? (int64_t)strtoll(key, NULL, 10) : INT_NONE;
}

static int row_order(const void *x, const void *y)
{
    const kernel_row *const a = x, *const b = y;

    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    int order = text_order(a->name, b->name);
    order = order ? order : text_order(a->operator_name, b->operator_name);
    order = order ? order : text_order(a->grid, b->grid);
    order = order ? order : text_order(a->block, b->block);
    if (order)
        return order;
    if (a->registers != b->registers)
        return a->registers < b->registers ? -1 : 1;
    return (a->shared_memory_bytes > b->shared_memory_bytes) -
           (a->shared_memory_bytes < b->shared_memory_bytes);
}

static kernel_table table_of(const groups *g, arena *a)
{
    kernel_table table = {arena_new(a, kernel_row, g->count), g->count};

    for (uint32_t i = 0; i < g->count; i++) {
        const kernel_sums *const s = groups_row(g, i);
        table.at[i] = (kernel_row){
            .name = groups_key(g, i, KEY_NAME),
            .operator_name = groups_key(g, i, KEY_OWNER),
            .grid = groups_key(g, i, KEY_GRID),
            .block = groups_key(g, i, KEY_BLOCK),
            .registers = number_of(groups_key(g, i, KEY_REGISTERS)),
            .shared_memory_bytes = number_of(groups_key(g, i, KEY_SHARED)),
            .calls = s->calls,
            .total_ns = s->total,
            .raw_total_ns = s->raw_total,
            .mean_ns = divide_half_even(s->total, s->calls),
            .min_ns = s->min,
            .max_ns = s->max,
            .blocks_per_sm = mean_of(s->blocks_per_sm),
            .occupancy = mean_of(s->occupancy),
            .tensor_cores = tensor_cores(s->name_flags),
            .communicates = s->name_flags & NAME_COMMUNICATION,
            .launch_delay_mean_ns =
                s->delays ? divide_half_even(s->delay_total, s->delays) : INT_NONE,
        };
    }
    qsort(table.at, table.count, sizeof(*table.at), row_order);
    return table;
}

kernels kernels_analyze(const worker *w, arena *a)
{
    groups by_name = groups_create(a, sizeof(kernel_sums), KEY_TEXTS), by_operator = by_name;

    for (uint32_t i = 0; i < w->span_count; i++)
        walk_trace(w->spans[i].trace, &by_name, &by_operator);
    return (kernels){table_of(&by_name, a), table_of(&by_operator, a)};
}
