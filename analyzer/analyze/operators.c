// SPDX-License-Identifier: BSD-3-Clause
// Time and calls of operators: by name, by name and input shape, by call stack.
#include "analyze/operators.h"

#include "analyze/group.h"
#include "analyze/nest.h"
#include "analyze/shape_text.h"
#include "analyze/statistics.h"
#include "link/ranges.h"

#include <stdlib.h>

typedef struct device_sums {
    int64_t self, total, tensor_self, tensor_total; // ns
} device_sums;

typedef struct op_sums {
    int64_t calls, host_self, host_total;
    device_sums device;
    bool eligible;
} op_sums;

// An operator's times once it is left.
typedef struct op_times {
    uint32_t event;
    bool eligible;
    int64_t host_self;
    device_sums device;
} op_times;

// An open event: an operator, or one that only hands on what was launched in it.
typedef struct op_node {
    nest_node base;
    bool is_operator, is_call;
    bool eligible;      // something inside could use matrix units
    bool holds;         // `held` is set
    uint32_t inside;    // operators and ranges directly inside, calls apart
    device_sums device; // launched in it so far
    op_times held;      // the one operator inside, of the same name
} op_node;

// Operators of one trace that differ in neither name nor detail.
typedef struct tally {
    uint32_t name, detail;
    op_sums sums;
} tally;

enum { RECENT_BITS = 11 };

typedef struct op_walk {
    const trace *trace;
    device_sums *launched; // by launch
    uint32_t next_launch;  // whose call was not entered yet
    tally *tallies;
    uint32_t tally_count, tally_capacity;
    id_map tally_of;                   // name and detail
    uint32_t recent[1 << RECENT_BITS]; // 1 + tally met lately; 0: none
    arena *scratch;
} op_walk;

static void add_device(device_sums *to, const device_sums *from)
{
    to->self = add_saturated(to->self, from->self);
    to->total = add_saturated(to->total, from->total);
    to->tensor_self = add_saturated(to->tensor_self, from->tensor_self);
    to->tensor_total = add_saturated(to->tensor_total, from->tensor_total);
}

static void add_sums(op_sums *to, const op_sums *from)
{
    to->calls += from->calls;
    to->host_self = add_saturated(to->host_self, from->host_self);
    to->host_total = add_saturated(to->host_total, from->host_total);
    add_device(&to->device, &from->device);
    to->eligible |= from->eligible;
}

static uint32_t find_tally(op_walk *w, uint32_t name, uint32_t detail)
{
    const uint32_t at =
        *id_map_entry(&w->tally_of, w->scratch, group_ids(name, detail), w->tally_count);

    if (at == w->tally_count) {
        arena_reserve_one(w->scratch, w->tallies, w->tally_count, w->tally_capacity);
        w->tallies[w->tally_count++] = (tally){name, detail, {0}};
    }
    return at;
}

static op_sums *sums_of(op_walk *w, uint32_t event)
{
    const uint32_t name = w->trace->events.name[event], detail = w->trace->events.detail[event];
    uint32_t *const recent =
        &w->recent[(name * 0x9e3779b1u + detail * 0x85ebca6bu) >> (32 - RECENT_BITS)];
    const tally *const met = *recent ? &w->tallies[*recent - 1] : NULL;

    if (!met || met->name != name || met->detail != detail)
        *recent = find_tally(w, name, detail) + 1;
    return &w->tallies[*recent - 1].sums;
}

static void emit(op_walk *w, const op_times *one)
{
    op_sums *const sums = sums_of(w, one->event);

    sums->calls++;
    sums->host_self = add_saturated(sums->host_self, one->host_self);
    sums->host_total = add_saturated(sums->host_total, w->trace->events.duration[one->event]);
    add_device(&sums->device, &one->device);
    sums->eligible |= one->eligible;
}

static void release_held(op_walk *w, op_node *node)
{
    if (node->holds)
        emit(w, &node->held);
    node->holds = false;
}

// An operator that only calls another of its name is one row: its time, and the launches of both.
static void merge_held(op_times *mine, const op_times *held)
{
    mine->host_self = add_saturated(mine->host_self, held->host_self);
    mine->device.self = add_saturated(mine->device.self, held->device.self);
    mine->device.tensor_self = add_saturated(mine->device.tensor_self, held->device.tensor_self);
    mine->eligible |= held->eligible;
}

// Returns whether matrix units could be used in it.
static bool leave_operator(op_walk *w, const op_node *node, op_node *above)
{
    const trace *const t = w->trace;
    const uint32_t event = node->base.event;
    op_times mine = {event, node->eligible, nest_self_ns(t, &node->base), node->device};

    mine.eligible |= (event_flags(t, event) & NAME_TENSOR_OP) || node->device.tensor_total > 0;
    if (node->holds)
        merge_held(&mine, &node->held);
    if (above && above->inside == 1 && above->is_operator &&
        t->events.name[above->base.event] == t->events.name[event]) {
        above->holds = true;
        above->held = mine;
    } else {
        emit(w, &mine);
    }
    return mine.eligible;
}

// What an operator launched itself stays with it; what others launched is handed on as theirs who
// are around.
static void leave(void *self, void *left, void *around)
{
    op_walk *const w = self;
    const op_node *const node = left;
    op_node *const above = around;
    bool eligible = node->eligible;

    if (!node->is_call && above && ++above->inside > 1)
        release_held(w, above);
    if (node->is_operator)
        eligible = leave_operator(w, node, above);
    if (!above)
        return;

    above->eligible |= eligible;
    if (node->device.total == 0)
        return;
    device_sums up = node->device;
    if (node->is_operator)
        up.self = up.tensor_self = 0;
    add_device(&above->device, &up);
}

static void enter(op_walk *w, op_node *node, uint32_t event)
{
    const trace *const t = w->trace;

    node->is_call = role_is_call((role)t->events.role[event]);
    node->is_operator = range_is_operator(t, event);
    if (w->next_launch < t->launch_count && t->launches[w->next_launch].call == event)
        node->device = w->launched[w->next_launch++];
}

static void walk_operators(op_walk *w)
{
    static const nest_visitor visitor = {sizeof(op_node), leave};
    const events *const e = &w->trace->events;
    nest n = nest_begin(w->trace, w->scratch);

    for (uint32_t i = 0; i < e->count; i++) {
        const role r = (role)e->role[i];
        if (!role_is_device(r) && r != ROLE_PYTHON && r != ROLE_MODULE)
            enter(w, nest_enter(&n, &visitor, w, i, e->link[i]), i);
    }
    nest_end(&n, &visitor, w);
}

// Device time of each launch; what has no launch is added to *unlinked, graphs' also to *replayed.
static void sum_launches(op_walk *w, operators *result)
{
    const trace *const t = w->trace;

    w->launched = arena_new(w->scratch, device_sums, t->launch_count);
    result->has_device_work |= t->work_count > 0;
    for (uint32_t k = 0; k < t->work_count; k++) {
        const uint32_t work = t->work[k], by = t->launched_by[k];
        const int64_t ns = t->events.duration[work];
        if (by == LAUNCH_NONE) {
            result->unlinked_ns = add_saturated(result->unlinked_ns, ns);
            continue;
        }
        const int64_t tensor = event_flags(t, work) & NAME_TENSOR_YES ? ns : 0;
        add_device(&w->launched[by], &(device_sums){ns, ns, tensor, tensor});
        if (event_flags(t, t->launches[by].call) & NAME_GRAPH_LAUNCH)
            result->graph_replay_ns = add_saturated(result->graph_replay_ns, ns);
    }
}

enum { KEY_NAME, KEY_SHAPES, KEY_STACK, KEY_TEXTS };

// What one trace came to.
typedef struct trace_tallies {
    const trace *trace;
    const tally *at;
    uint32_t count;
} trace_tallies;

static uint32_t name_row(groups *g, const trace *t, const tally *one, arena *scratch)
{
    const uint64_t ids = group_ids(one->name, 0);
    const uint32_t row = groups_find(g, ids);
    (void)scratch;

    if (row != ID_NONE)
        return row;
    return groups_add(g, ids, (const text[KEY_TEXTS]){strings_text(&t->strings, one->name)});
}

static op_detail detail_of(const trace *t, const tally *one)
{
    const op_detail none = {STRING_NONE, STRING_NONE, STRING_NONE};
    return one->detail == DETAIL_NONE ? none : t->op_details[one->detail];
}

// Texts are made only for a row that the trace has not had yet: shapes are long to print.
static uint32_t shape_row(groups *g, const trace *t, const tally *one, arena *scratch)
{
    const op_detail d = detail_of(t, one);
    const uint64_t ids = group_ids(one->name, d.shapes);
    const uint32_t row = groups_find(g, ids);

    if (row != ID_NONE)
        return row;
    const text shapes = shape_text(strings_text(&t->strings, d.shapes), scratch);
    return groups_add(g, ids,
                      (const text[KEY_TEXTS]){strings_text(&t->strings, one->name), shapes});
}

// ID_NONE: the operator has no stack.
static uint32_t stack_row(groups *g, const trace *t, const tally *one, arena *scratch)
{
    const op_detail d = detail_of(t, one);
    const text stack = strings_text(&t->strings, d.stack);
    (void)scratch;

    if (stack.length == 0)
        return ID_NONE;
    const uint64_t ids = group_ids(one->name, d.stack);
    const uint32_t row = groups_find(g, ids);
    if (row != ID_NONE)
        return row;
    return groups_add(g, ids,
                      (const text[KEY_TEXTS]){strings_text(&t->strings, one->name), {0}, stack});
}

typedef uint32_t (*row_finder)(groups *g, const trace *t, const tally *one, arena *scratch);

// The rows of one table. Tables are made one after the other, since names may be many.
static groups grouped(const trace_tallies *all, uint32_t count, row_finder find, arena *a)
{
    groups g = groups_create(a, sizeof(op_sums), KEY_TEXTS);

    g.lent = 1u << KEY_NAME | 1u << KEY_STACK; // the traces keep them
    for (uint32_t i = 0; i < count; i++) {
        arena *const scratch = arena_create();
        groups_next_trace(&g);
        for (uint32_t k = 0; k < all[i].count; k++) {
            const uint32_t row = find(&g, all[i].trace, &all[i].at[k], scratch);
            if (row != ID_NONE)
                add_sums(groups_row(&g, row), &all[i].at[k].sums);
        }
        arena_destroy(scratch);
    }
    groups_close(&g);
    return g;
}

static trace_tallies walk_trace(const trace *t, operators *result, arena *kept)
{
    arena *const scratch = arena_create();
    op_walk w = {.trace = t, .scratch = scratch};

    sum_launches(&w, result);
    walk_operators(&w);
    tally *const tallies = arena_new(kept, tally, w.tally_count);
    if (w.tally_count)
        memcpy(tallies, w.tallies, sizeof(tally) * w.tally_count);
    arena_destroy(scratch);
    return (trace_tallies){t, tallies, w.tally_count};
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static int by_device(const void *x, const void *y)
{
    const operator_row *const a = x, *const b = y;

    if (a->device_self_ns != b->device_self_ns)
        return a->device_self_ns > b->device_self_ns ? -1 : 1;
    const int order = text_order(a->name, b->name);
    if (order)
        return order;
    const int shapes = text_order(a->input_shapes, b->input_shapes);
    return shapes ? shapes : text_order(a->call_stack, b->call_stack);
}

static int by_host(const void *x, const void *y)
{
    const operator_row *const a = x, *const b = y;

    if (a->host_self_ns != b->host_self_ns)
        return a->host_self_ns > b->host_self_ns ? -1 : 1;
    return by_device(x, y);
}

// Takes the groups up.
static operator_table table_of(groups *g, bool has_device_work, arena *a)
{
    operator_table table = {arena_new(a, operator_row, g->count), g->count};

    for (uint32_t i = 0; i < g->count; i++) {
        const op_sums *const s = groups_row(g, i);
        table.at[i] = (operator_row){
            .name = groups_key(g, i, KEY_NAME),
            .input_shapes = groups_key(g, i, KEY_SHAPES),
            .call_stack = groups_key(g, i, KEY_STACK),
            .calls = s->calls,
            .host_self_ns = s->host_self,
            .host_total_ns = s->host_total,
            .device_self_ns = s->device.self,
            .device_total_ns = s->device.total,
            .tensor_core_eligible = s->eligible ? TRISTATE_TRUE : TRISTATE_FALSE,
            .tensor_core_self_share = share(s->device.tensor_self, s->device.self),
            .tensor_core_total_share = share(s->device.tensor_total, s->device.total),
        };
    }
    groups_release(g);
    qsort(table.at, table.count, sizeof(*table.at), has_device_work ? by_device : by_host);
    return table;
}

static operator_table tabled(const trace_tallies *all, uint32_t count, row_finder find,
                             const operators *result, arena *a)
{
    groups g = grouped(all, count, find, a);
    return table_of(&g, result->has_device_work, a);
}

operators operators_analyze(const worker *w, arena *a)
{
    arena *const kept = arena_create();
    trace_tallies *const all = arena_new(kept, trace_tallies, w->span_count);
    operators result = {0};

    for (uint32_t i = 0; i < w->span_count; i++)
        all[i] = walk_trace(w->spans[i].trace, &result, kept);
    result.by_name = tabled(all, w->span_count, name_row, &result, a);
    result.by_shape = tabled(all, w->span_count, shape_row, &result, a);
    result.by_stack = tabled(all, w->span_count, stack_row, &result, a);
    arena_destroy(kept);
    return result;
}
