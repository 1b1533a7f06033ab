// SPDX-License-Identifier: BSD-3-Clause
// Time and calls of operators: by name, by name and input shape, by call stack.
#include "analyze/operators.h"

#include "analyze/group.h"
#include "analyze/launch_sites.h"
#include "analyze/nest.h"
#include "analyze/ranges.h"
#include "analyze/shape_text.h"
#include "analyze/statistics.h"

#include <stdlib.h>

typedef struct device_sums {
    int64_t self, total, tensor_self, tensor_total; // ns
} device_sums;

typedef struct op_sums {
    int64_t calls, host_self, host_total;
    device_sums device;
    bool eligible;
} op_sums;

// An open event. Of an operator `mine` is its own row in the making; others only hand on.
typedef struct op_node {
    nest_node base;
    op_sums mine;
    op_sums held;        // an operator inside, of the same name, and all there is so far
    uint32_t held_event; // its event, if `inside` is 1 and `holds`
    uint32_t inside;     // operators and ranges directly inside, calls apart
    bool holds;
} op_node;

// Operators of one trace that differ in neither name nor detail.
typedef struct tally {
    uint32_t name, detail;
    op_sums sums;
} tally;

typedef struct op_walk {
    const trace *trace;
    range_names names;
    launch_sites sites;
    device_sums *launched; // by site
    tally *tallies;
    uint32_t tally_count, tally_capacity;
    id_map tally_of; // name and detail
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

static bool counts(void *self, uint32_t event)
{
    const op_walk *const w = self;
    const role r = (role)w->trace->events.role[event];

    return r != ROLE_PYTHON && r != ROLE_MODULE;
}

static void emit(op_walk *w, uint32_t event, const op_sums *sums)
{
    const events *const e = &w->trace->events;
    const uint64_t key = group_ids(e->name[event], e->detail[event]);
    const uint32_t at = *id_map_entry(&w->tally_of, w->scratch, key, w->tally_count);

    if (at == w->tally_count) {
        arena_reserve_one(w->scratch, w->tallies, w->tally_count, w->tally_capacity);
        w->tallies[w->tally_count++] = (tally){e->name[event], e->detail[event], {0}};
    }
    add_sums(&w->tallies[at].sums, sums);
}

static void release_held(op_walk *w, op_node *node)
{
    if (node->holds)
        emit(w, node->held_event, &node->held);
    node->holds = false;
}

// An operator that only calls another of its name is one row: its time, and the launches of both.
static void merge_held(op_node *node)
{
    if (!node->holds)
        return;
    node->mine.host_self = add_saturated(node->mine.host_self, node->held.host_self);
    node->mine.device.self = add_saturated(node->mine.device.self, node->held.device.self);
    node->mine.device.tensor_self =
        add_saturated(node->mine.device.tensor_self, node->held.device.tensor_self);
    node->mine.eligible |= node->held.eligible;
}

static void leave_operator(op_walk *w, op_node *node, op_node *above)
{
    const trace *const t = w->trace;
    const uint32_t event = node->base.event;
    op_sums *const mine = &node->mine;

    mine->calls = 1;
    mine->host_total = t->events.duration[event];
    mine->host_self = nest_self_ns(t, &node->base);
    mine->eligible |= (event_flags(t, event) & NAME_TENSOR_OP) || mine->device.tensor_total > 0;
    merge_held(node);
    if (above && above->inside == 1 && range_is_operator(t, &w->names, above->base.event) &&
        t->events.name[above->base.event] == t->events.name[event]) {
        above->holds = true;
        above->held_event = event;
        above->held = *mine;
        return;
    }
    emit(w, event, mine);
}

static void take_launched(const op_walk *w, op_node *call)
{
    const uint32_t site = launch_site_of_call(&w->sites, call->base.event);

    if (site != SITE_NONE)
        add_device(&call->mine.device, &w->launched[site]);
}

// What an operator launched itself stays with it; what others launched is handed on as theirs who
// are around.
static void leave(void *self, void *left, void *around)
{
    op_walk *const w = self;
    op_node *const node = left, *const above = around;
    const role r = (role)w->trace->events.role[node->base.event];
    const bool is_operator = range_is_operator(w->trace, &w->names, node->base.event);

    if (role_is_call(r))
        take_launched(w, node);
    else if (above && ++above->inside > 1)
        release_held(w, above);
    if (is_operator)
        leave_operator(w, node, above);
    if (!above)
        return;

    device_sums up = node->mine.device;
    if (is_operator)
        up.self = up.tensor_self = 0;
    add_device(&above->mine.device, &up);
    above->mine.eligible |= node->mine.eligible;
}

// Device time of each launch; what has no launch is added to *unlinked, graphs' also to *replayed.
static void sum_launches(op_walk *w, operators *result)
{
    const trace *const t = w->trace;
    const events *const e = &t->events;

    w->launched = arena_new(w->scratch, device_sums, w->sites.count);
    for (uint32_t i = 0; i < e->count; i++) {
        if (!role_is_device((role)e->role[i]))
            continue;
        result->has_device_work = true;
        const int64_t ns = e->duration[i];
        const uint32_t site = launch_site_of(&w->sites, i);
        if (site == SITE_NONE) {
            result->unlinked_ns = add_saturated(result->unlinked_ns, ns);
            continue;
        }
        const int64_t tensor = event_flags(t, i) & NAME_TENSOR_YES ? ns : 0;
        add_device(&w->launched[site], &(device_sums){ns, ns, tensor, tensor});
        if (event_flags(t, e->link[i]) & NAME_GRAPH_LAUNCH)
            result->graph_replay_ns = add_saturated(result->graph_replay_ns, ns);
    }
}

enum { KEY_NAME, KEY_SHAPES, KEY_STACK, KEY_TEXTS };

typedef struct op_groups {
    groups by_name, by_shape, by_stack;
} op_groups;

static void add_to(groups *g, uint32_t row, const op_sums *sums)
{
    add_sums(groups_row(g, row), sums);
}

// Texts are made only for a row that the trace has not had yet: shapes are long to print.
static void fold(const op_walk *w, const tally *one, op_groups *into)
{
    const trace *const t = w->trace;
    const op_detail none = {STRING_NONE, STRING_NONE, STRING_NONE};
    const op_detail d = one->detail == DETAIL_NONE ? none : t->op_details[one->detail];
    const text name = strings_text(&t->strings, one->name);
    const text stack = strings_text(&t->strings, d.stack);
    uint64_t ids = group_ids(one->name, 0);
    uint32_t row = groups_find(&into->by_name, ids);

    if (row == ID_NONE)
        row = groups_add(&into->by_name, ids, (const text[KEY_TEXTS]){name});
    add_to(&into->by_name, row, &one->sums);

    ids = group_ids(one->name, d.shapes);
    row = groups_find(&into->by_shape, ids);
    if (row == ID_NONE) {
        const text shapes = shape_text(strings_text(&t->strings, d.shapes), w->scratch);
        row = groups_add(&into->by_shape, ids, (const text[KEY_TEXTS]){name, shapes});
    }
    add_to(&into->by_shape, row, &one->sums);

    if (stack.length == 0)
        return;
    ids = group_ids(one->name, d.stack);
    row = groups_find(&into->by_stack, ids);
    if (row == ID_NONE)
        row = groups_add(&into->by_stack, ids, (const text[KEY_TEXTS]){name, {0}, stack});
    add_to(&into->by_stack, row, &one->sums);
}

static void walk_trace(const trace *t, op_groups *into, operators *result)
{
    arena *const scratch = arena_create();
    op_walk w = {.trace = t,
                 .names = range_names_of(t),
                 .sites = launch_sites_of(t, scratch),
                 .scratch = scratch};
    const nest_visitor visitor = {
        .self = &w, .node_size = sizeof(op_node), .counts = counts, .leave = leave};

    sum_launches(&w, result);
    nest_walk(t, &visitor, scratch);
    groups_next_trace(&into->by_name);
    groups_next_trace(&into->by_shape);
    groups_next_trace(&into->by_stack);
    for (uint32_t i = 0; i < w.tally_count; i++)
        fold(&w, &w.tallies[i], into);
    arena_destroy(scratch);
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

static operator_table table_of(const groups *g, bool has_device_work, arena *a)
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
    qsort(table.at, table.count, sizeof(*table.at), has_device_work ? by_device : by_host);
    return table;
}

operators operators_analyze(const worker *w, arena *a)
{
    operators result = {0};
    const groups empty = groups_create(a, sizeof(op_sums), KEY_TEXTS);
    op_groups g = {empty, empty, empty};

    for (uint32_t i = 0; i < w->span_count; i++)
        walk_trace(w->spans[i].trace, &g, &result);
    result.by_name = table_of(&g.by_name, result.has_device_work, a);
    result.by_shape = table_of(&g.by_shape, result.has_device_work, a);
    result.by_stack = table_of(&g.by_stack, result.has_device_work, a);
    return result;
}
