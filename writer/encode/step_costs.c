// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a window took: one walk over the events, then sorted ranges side by side.
#include "encode/step_costs.h"

#include <stdlib.h>
#include <string.h>

typedef struct range {
    uint32_t device;
    int64_t begin_ns, end_ns;
} range;

typedef struct ranges {
    range *items;
    size_t count, capacity;
} ranges;

static bool ranges_add(ranges *list, range item)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        range *items = realloc(list->items, capacity * sizeof(*items));
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

static int compare_ints(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_device_and_begin(const void *left, const void *right)
{
    const range *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return compare_ints(a->begin_ns, b->begin_ns);
}

static int steps_by_begin(const void *left, const void *right)
{
    const tp_step_mark *a = left, *b = right;
    const int order = compare_ints(a->begin_ns, b->begin_ns);
    return order ? order : compare_ints(a->end_ns, b->end_ns);
}

static void ranges_sort(ranges *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), by_device_and_begin);
}

// Adds to each step's total how much of it the sorted ranges cover. Both lists move forward only,
// since steps follow each other.
static void add_cover(const range *items, size_t count, const tp_step_costs *costs, int64_t *totals)
{
    size_t step = 0;
    int64_t covered = INT64_MIN; // up to here, so that what overlaps counts once

    for (size_t i = 0; i < count && step < costs->count; i++) {
        int64_t from = items[i].begin_ns > covered ? items[i].begin_ns : covered;
        const int64_t to = items[i].end_ns;
        while (from < to && step < costs->count) {
            const tp_step_mark *s = &costs->steps[step];
            const int64_t begin = from > s->begin_ns ? from : s->begin_ns;
            const int64_t end = to < s->end_ns ? to : s->end_ns;
            if (begin < end)
                totals[step] += end - begin;
            if (to < s->end_ns)
                break;
            from = from > s->end_ns ? from : s->end_ns;
            step++;
        }
        covered = to > covered ? to : covered;
    }
}

static bool collect_steps(const tp_capture *capture, tp_step_costs *costs,
                          const tp_thread **step_thread)
{
    size_t capacity = 0;
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;

    while (tp_cursor_next(&cursor, &record)) {
        if (record.kind != TP_STEP)
            continue;
        if (costs->count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            tp_step_mark *steps = realloc(costs->steps, capacity * sizeof(*steps));
            if (!steps)
                return false;
            costs->steps = steps;
        }
        const char *number = record.name + strlen(TPROF_NAME_STEP_PREFIX);
        costs->steps[costs->count++] = (tp_step_mark){
            .number = strtoll(number, NULL, 10),
            .begin_ns = record.begin_ns,
            .end_ns = record.end_ns,
        };
        *step_thread = record.thread;
    }
    if (costs->count)
        qsort(costs->steps, costs->count, sizeof(*costs->steps), steps_by_begin);
    return true;
}

// Steps are marked by one thread, the one that trains; only waits of that thread hold it up.
static bool collect_waits(const tp_capture *capture, const tp_thread *step_thread, ranges *waits)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;

    while (tp_cursor_next(&cursor, &record)) {
        const range wait = {0, record.begin_ns, record.end_ns};
        if (record.kind == TP_LOADER && record.thread == step_thread && !ranges_add(waits, wait))
            return false;
    }
    ranges_sort(waits);
    return true;
}

static bool add_waits(tp_step_costs *costs, const ranges *waits)
{
    costs->loader_ns = calloc(costs->count + 1, sizeof(*costs->loader_ns));
    if (!costs->loader_ns)
        return false;
    add_cover(waits->items, waits->count, costs, costs->loader_ns);
    return true;
}

static bool collect_device_work(const tp_capture *capture, ranges *work)
{
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const tp_gpu_event *e = &capture->gpu[i];
        const bool counts =
            e->kind == TP_GPU_KERNEL || e->kind == TP_GPU_MEMCPY || e->kind == TP_GPU_MEMSET;
        if (counts && !ranges_add(work, (range){e->device, e->begin_ns, e->end_ns}))
            return false;
    }
    ranges_sort(work);
    return true;
}

static size_t device_end(const ranges *work, size_t from)
{
    size_t to = from;
    while (to < work->count && work->items[to].device == work->items[from].device)
        to++;
    return to;
}

static bool add_devices(tp_step_costs *costs, const ranges *work)
{
    size_t devices = 0;
    for (size_t i = 0; i < work->count; i = device_end(work, i))
        devices++;
    if (!devices || !costs->count)
        return true;

    costs->devices = calloc(devices, sizeof(*costs->devices));
    costs->busy_ns = calloc(devices * costs->count, sizeof(*costs->busy_ns));
    if (!costs->devices || !costs->busy_ns)
        return false;
    for (size_t i = 0, end; i < work->count; i = end) {
        end = device_end(work, i);
        costs->devices[costs->device_count] = work->items[i].device;
        add_cover(work->items + i, end - i, costs,
                  costs->busy_ns + costs->device_count * costs->count);
        costs->device_count++;
    }
    return true;
}

bool tp_step_costs_make(const tp_capture *capture, tp_step_costs *costs)
{
    const tp_thread *step_thread = NULL;
    ranges waits = {0}, work = {0};

    *costs = (tp_step_costs){0};
    const bool ok = collect_steps(capture, costs, &step_thread) &&
                    collect_waits(capture, step_thread, &waits) && add_waits(costs, &waits) &&
                    collect_device_work(capture, &work) && add_devices(costs, &work);
    free(waits.items);
    free(work.items);
    if (!ok)
        tp_step_costs_free(costs);
    return ok;
}

void tp_step_costs_free(tp_step_costs *costs)
{
    free(costs->steps);
    free(costs->loader_ns);
    free(costs->devices);
    free(costs->busy_ns);
    *costs = (tp_step_costs){0};
}
