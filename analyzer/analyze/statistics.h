// SPDX-License-Identifier: BSD-3-Clause
// Statistics of integer values, such as durations in ns: exact, and rounded half to even.
#ifndef ANALYZE_STATISTICS_H
#define ANALYZE_STATISTICS_H

#include "base/arena.h"
#include "base/value.h"

#include <stdint.h>

// All INT_NONE but count and total where there are no values; stdev also where there is one.
typedef struct statistics {
    int64_t count, total, mean, median;
    int64_t p95; // nearest rank: the smallest value with 95 % of all at or below it
    int64_t min, max;
    int64_t stdev; // of a sample: n - 1
} statistics;

// The quotient, rounded half to even; `divisor` > 0.
int64_t divide_half_even(__int128_t dividend, int64_t divisor);

// A sum that stops at the ends of int64_t: only broken input gets there.
static inline int64_t add_saturated(int64_t x, int64_t y)
{
    int64_t sum;

    if (__builtin_add_overflow(x, y, &sum))
        return x < 0 ? -INT64_MAX : INT64_MAX;
    return sum;
}

// Sorts `values`, ascending, in linear time; `a` lends memory for many.
void statistics_sort(int64_t *values, uint32_t count, arena *a);

// Of sorted values; INT_NONE of none.
int64_t statistics_median(const int64_t *sorted, uint32_t count);
int64_t statistics_p95(const int64_t *sorted, uint32_t count);

// Sorts `values` in place and describes them.
statistics statistics_of(int64_t *values, uint32_t count, arena *a);

#endif
