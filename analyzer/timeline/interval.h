// SPDX-License-Identifier: BSD-3-Clause
// Algebra of half-open intervals [begin, end) of ns. A set is sorted, and its intervals neither
// overlap nor touch; an empty interval is never in one. Every function is linear in its inputs
// unless it says otherwise.
#ifndef TIMELINE_INTERVAL_H
#define TIMELINE_INTERVAL_H

#include "base/arena.h"

#include <stdint.h>

typedef struct interval {
    int64_t begin, end;
} interval;

typedef struct interval_set {
    interval *at;
    uint32_t count, capacity;
} interval_set;

// Adds to a set being made in order of begin (any end); overlaps and touches are joined.
void intervals_append(interval_set *s, arena *a, int64_t begin, int64_t end);

// The union of `count` intervals in any order; sorts `items` in place, O(n log n).
interval_set intervals_from(interval *items, uint32_t count, arena *a);

interval_set intervals_union(interval_set x, interval_set y, arena *a);
interval_set intervals_intersect(interval_set x, interval_set y, arena *a);
interval_set intervals_subtract(interval_set x, interval_set y, arena *a);

// The part inside [begin, end): a view of `x` where no end is cut, else a copy. O(log n + result).
interval_set intervals_clip(interval_set x, int64_t begin, int64_t end, arena *a);

int64_t intervals_total(interval_set x);

// Length of the part of `x` inside [begin, end). O(log n + covered intervals).
int64_t intervals_total_within(interval_set x, int64_t begin, int64_t end);

#endif
