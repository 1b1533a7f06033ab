// SPDX-License-Identifier: BSD-3-Clause
// A backward operator runs far from the code that caused it, so it goes under the stack of its
// forward operator, found by sequence number and thread.
#include "encode/function_events.h"

#include <stdlib.h>

typedef struct forward {
    int64_t sequence;
    int64_t tid;
    uint32_t order; // in the list
    const tp_stack *stack;
} forward;

static int compare_forward(const forward *a, const forward *b)
{
    if (a->sequence != b->sequence)
        return a->sequence < b->sequence ? -1 : 1;
    return (a->tid > b->tid) - (a->tid < b->tid);
}

static int by_sequence(const void *left, const void *right)
{
    const forward *a = left, *b = right;
    const int order = compare_forward(a, b);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

// Of the backward operator that each event is or lies in: its index, or TP_NO_PARENT.
static void find_backward(const tp_function_events *events, uint32_t *backward)
{
    for (size_t i = 0; i < events->count; i++) {
        const tp_function_event *e = &events->items[i];
        if (e->op && e->op->backward)
            backward[i] = (uint32_t)i;
        else
            backward[i] = e->parent == TP_NO_PARENT ? TP_NO_PARENT : backward[e->parent];
    }
}

static size_t collect_forward(const tp_function_events *events, const uint32_t *backward,
                              forward *list)
{
    size_t count = 0;

    for (size_t i = 0; i < events->count; i++) {
        const tp_function_event *e = &events->items[i];
        if (backward[i] == TP_NO_PARENT && e->op && e->op->sequence > 0)
            list[count++] = (forward){e->op->sequence, e->tid, (uint32_t)i, e->stack};
    }
    qsort(list, count, sizeof(*list), by_sequence);
    return count;
}

// The first event of that sequence number and thread; NULL if there is none.
static const tp_stack *forward_stack(const forward *list, size_t count,
                                     const tp_function_event *backward)
{
    const int64_t tid =
        backward->op->forward_thread ? (int64_t)backward->op->forward_thread : backward->tid;
    const forward key = {.sequence = backward->op->sequence, .tid = tid};
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_forward(&list[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare_forward(&list[low], &key) == 0 ? list[low].stack : NULL;
}

bool tp_function_events_add_stacks(tp_function_events *events)
{
    uint32_t *backward = malloc((events->count + 1) * sizeof(*backward));
    forward *list = malloc((events->count + 1) * sizeof(*list));
    const bool ok = backward && list;

    if (ok) {
        find_backward(events, backward);
        const size_t count = collect_forward(events, backward, list);
        for (size_t i = 0; i < events->count; i++)
            if (backward[i] != TP_NO_PARENT)
                events->items[i].stack = forward_stack(list, count, &events->items[backward[i]]);
    }
    free(backward);
    free(list);
    return ok;
}
