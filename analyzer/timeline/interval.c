// SPDX-License-Identifier: BSD-3-Clause
// Algebra of half-open intervals.
#include "timeline/interval.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int64_t later(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

static int64_t earlier(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

void intervals_append(interval_set *s, arena *a, int64_t begin, int64_t end)
{
    if (begin >= end)
        return;
    if (s->count && begin <= s->at[s->count - 1].end) {
        interval *const last = &s->at[s->count - 1];
        last->end = later(last->end, end);
        return;
    }
    arena_reserve_one(a, s->at, s->count, s->capacity);
    s->at[s->count++] = (interval){begin, end};
}

static int by_begin(const void *x, const void *y)
{
    const interval *const a = x, *const b = y;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

interval_set intervals_from(interval *items, uint32_t count, arena *a)
{
    interval_set made = {0};
    if (count)
        qsort(items, count, sizeof(*items), by_begin);
    for (uint32_t i = 0; i < count; i++)
        intervals_append(&made, a, items[i].begin, items[i].end);
    return made;
}

interval_set intervals_union(interval_set x, interval_set y, arena *a)
{
    interval_set made = {0};
    uint32_t i = 0, k = 0;
    while (i < x.count || k < y.count) {
        const bool from_x = k == y.count || (i < x.count && x.at[i].begin <= y.at[k].begin);
        const interval next = from_x ? x.at[i++] : y.at[k++];
        intervals_append(&made, a, next.begin, next.end);
    }
    return made;
}

interval_set intervals_intersect(interval_set x, interval_set y, arena *a)
{
    interval_set made = {0};
    for (uint32_t i = 0, k = 0; i < x.count && k < y.count;) {
        intervals_append(&made, a, later(x.at[i].begin, y.at[k].begin),
                         earlier(x.at[i].end, y.at[k].end));
        if (x.at[i].end < y.at[k].end)
            i++;
        else
            k++;
    }
    return made;
}

interval_set intervals_subtract(interval_set x, interval_set y, arena *a)
{
    interval_set made = {0};
    uint32_t k = 0;
    for (uint32_t i = 0; i < x.count; i++) {
        int64_t begin = x.at[i].begin;
        while (k < y.count && y.at[k].end <= begin)
            k++;
        // The last one may reach into the next interval, so `k` stays before it.
        for (uint32_t cut = k; cut < y.count && y.at[cut].begin < x.at[i].end; cut++) {
            intervals_append(&made, a, begin, y.at[cut].begin);
            begin = later(begin, y.at[cut].end);
        }
        intervals_append(&made, a, begin, x.at[i].end);
    }
    return made;
}

// The first interval that ends after `at`.
static uint32_t first_ending_after(interval_set x, int64_t at)
{
    uint32_t low = 0, high = x.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (x.at[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t first_beginning_from(interval_set x, int64_t at)
{
    uint32_t low = 0, high = x.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (x.at[middle].begin >= at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

interval_set intervals_clip(interval_set x, int64_t begin, int64_t end, arena *a)
{
    const uint32_t first = first_ending_after(x, begin), behind = first_beginning_from(x, end);
    if (first >= behind || begin >= end)
        return (interval_set){0};

    const uint32_t count = behind - first;
    if (x.at[first].begin >= begin && x.at[behind - 1].end <= end)
        return (interval_set){x.at + first, count, count};

    interval_set made = {arena_new(a, interval, count), count, count};
    memcpy(made.at, x.at + first, sizeof(*made.at) * count);
    made.at[0].begin = later(made.at[0].begin, begin);
    made.at[count - 1].end = earlier(made.at[count - 1].end, end);
    return made;
}

int64_t intervals_total(interval_set x)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < x.count; i++)
        total += x.at[i].end - x.at[i].begin;
    return total;
}

int64_t intervals_total_within(interval_set x, int64_t begin, int64_t end)
{
    int64_t total = 0;
    for (uint32_t i = first_ending_after(x, begin); i < x.count && x.at[i].begin < end; i++)
        total += later(earlier(x.at[i].end, end) - later(x.at[i].begin, begin), 0);
    return total;
}
