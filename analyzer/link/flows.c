// SPDX-License-Identifier: BSD-3-Clause
// Which forward operator a backward operator belongs to.
#include "link/flows.h"

#include <stdlib.h>

// An operator with a sequence number.
typedef struct mark {
    uint32_t event, lane;
    int64_t begin, number, fwd_thread;
} mark;

typedef struct marks {
    mark *at;
    uint32_t count;
} marks;

static int compare(int64_t x, int64_t y)
{
    return x < y ? -1 : x > y;
}

static int by_place(const void *x, const void *y)
{
    const mark *const a = x, *const b = y;
    if (a->lane != b->lane)
        return compare(a->lane, b->lane);
    return a->begin != b->begin ? compare(a->begin, b->begin) : compare(a->event, b->event);
}

static int by_number(const void *x, const void *y)
{
    const mark *const a = x, *const b = y;
    return a->number != b->number ? compare(a->number, b->number) : compare(a->event, b->event);
}

static int by_id_then_start(const void *x, const void *y)
{
    const flow_end *const a = x, *const b = y;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->start != b->start)
        return a->start ? -1 : 1;
    return a->time_ns != b->time_ns ? compare(a->time_ns, b->time_ns) : compare(a->lane, b->lane);
}

static int by_backward(const void *x, const void *y)
{
    const forward_pair *const a = x, *const b = y;
    return compare(a->backward, b->backward);
}

static void sort(void *at, uint32_t count, size_t size, int (*order)(const void *, const void *))
{
    if (count)
        qsort(at, count, size, order);
}

static marks marks_where(const trace *t, bool backward, arena *a)
{
    marks made = {arena_new(a, mark, t->sequence_count), 0};
    for (uint32_t i = 0; i < t->sequence_count; i++) {
        const sequence_mark *const s = &t->sequences[i];
        if ((s->fwd_thread > 0) == backward)
            made.at[made.count++] = (mark){s->event, t->events.lane[s->event],
                                           t->events.begin[s->event], s->number, s->fwd_thread};
    }
    return made;
}

// The first mark that is not before `wanted`.
static uint32_t lower_bound(const marks *m, const mark *wanted,
                            int (*order)(const void *, const void *))
{
    uint32_t low = 0, high = m->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (order(&m->at[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The operator that a flow's end points to. Of several that begin there the innermost forward one
// is what made the graph's node, and the outermost backward one is what runs it.
static uint32_t operator_at(const marks *placed, const flow_end *end)
{
    const mark wanted = {
        .lane = end->lane, .begin = end->time_ns, .event = end->start ? EVENT_NONE : 0};
    uint32_t i = lower_bound(placed, &wanted, by_place);
    if (end->start && i-- == 0)
        return EVENT_NONE;
    const bool there =
        i < placed->count && placed->at[i].lane == end->lane && placed->at[i].begin == end->time_ns;
    return there ? placed->at[i].event : EVENT_NONE;
}

static void pair_by_flows(const trace *t, const marks *forward, const marks *backward,
                          forward_table *table, arena *a)
{
    flow_end *const ends = arena_new(a, flow_end, t->flow_count);
    if (t->flow_count)
        memcpy(ends, t->flows, sizeof(*ends) * t->flow_count);
    sort(ends, t->flow_count, sizeof(*ends), by_id_then_start);

    for (uint32_t i = 1; i < t->flow_count; i++) {
        if (ends[i].id != ends[i - 1].id || !ends[i - 1].start || ends[i].start)
            continue;
        const forward_pair found = {operator_at(backward, &ends[i]),
                                    operator_at(forward, &ends[i - 1])};
        if (found.backward != EVENT_NONE && found.forward != EVENT_NONE)
            table->at[table->count++] = found;
    }
    arena_release(a, ends);
}

// Numbers count up on each forward thread, and "Fwd thread id" is torch's own number of the thread:
// which lane that is shows where only one lane has the number.
typedef struct thread_lanes {
    id_map lanes; // fwd_thread -> lane
    arena *arena;
} thread_lanes;

static void learn_lane(thread_lanes *known, const marks *forward, const mark *backward)
{
    const mark wanted = {.number = backward->number};
    const uint32_t first = lower_bound(forward, &wanted, by_number);
    uint32_t i = first;
    while (i < forward->count && forward->at[i].number == backward->number &&
           forward->at[i].lane == forward->at[first].lane)
        i++;
    if (i > first && (i == forward->count || forward->at[i].number != backward->number))
        id_map_entry(&known->lanes, known->arena, (uint64_t)backward->fwd_thread,
                     forward->at[first].lane);
}

// Of the operators with a number, the one that begins last before the backward one made its node.
static uint32_t forward_by_number(const thread_lanes *known, const marks *forward,
                                  const mark *backward)
{
    const uint32_t on = id_map_get(&known->lanes, (uint64_t)backward->fwd_thread);
    const mark wanted = {.number = backward->number, .event = backward->event};

    for (uint32_t i = lower_bound(forward, &wanted, by_number); i-- > 0;) {
        if (forward->at[i].number != backward->number)
            break;
        if (on == ID_NONE || forward->at[i].lane == on)
            return forward->at[i].event;
    }
    return EVENT_NONE;
}

static void pair_by_numbers(marks *forward, const marks *backward, forward_table *table, arena *a)
{
    thread_lanes known = {.arena = a};
    const forward_table by_flow = *table;

    sort(forward->at, forward->count, sizeof(*forward->at), by_number);
    for (uint32_t i = 0; i < backward->count; i++)
        learn_lane(&known, forward, &backward->at[i]);
    for (uint32_t i = 0; i < backward->count; i++) {
        const uint32_t event = backward->at[i].event;
        if (forward_of(&by_flow, event) != EVENT_NONE)
            continue;
        const uint32_t found = forward_by_number(&known, forward, &backward->at[i]);
        if (found != EVENT_NONE)
            table->at[table->count++] = (forward_pair){event, found};
    }
}

forward_table forwards_of(const trace *t, arena *a)
{
    marks forward = marks_where(t, false, a), backward = marks_where(t, true, a);
    forward_table table = {arena_new(a, forward_pair, t->flow_count + backward.count), 0};

    sort(forward.at, forward.count, sizeof(*forward.at), by_place);
    sort(backward.at, backward.count, sizeof(*backward.at), by_place);
    pair_by_flows(t, &forward, &backward, &table, a);
    sort(table.at, table.count, sizeof(*table.at), by_backward);
    pair_by_numbers(&forward, &backward, &table, a);
    sort(table.at, table.count, sizeof(*table.at), by_backward);
    return table;
}

uint32_t forward_of(const forward_table *table, uint32_t backward)
{
    uint32_t low = 0, high = table->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (table->at[middle].backward < backward)
            low = middle + 1;
        else
            high = middle;
    }
    const bool there = low < table->count && table->at[low].backward == backward;
    return there ? table->at[low].forward : EVENT_NONE;
}
