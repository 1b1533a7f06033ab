// SPDX-License-Identifier: BSD-3-Clause
// What the benches in C share: a clock, medians of ratios, and the row of a table.
#ifndef BENCH_RATIO_H
#define BENCH_RATIO_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_ROUNDS = 15 };

static inline double bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int bench_by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), bench_by_size);
    return values[count / 2];
}

// A limit of the table. Ratios are to stay below, rates above.
typedef struct bench_limit {
    const char *id, *what;
    double must, goal;
    int is_rate;
} bench_limit;

// Prints a row of bench.py's table and returns whether the must is kept.
static inline int bench_row(const bench_limit *limit, double result, const char *detail)
{
    const int kept = limit->is_rate ? result >= limit->must : result <= limit->must;
    const int reached = limit->is_rate ? result >= limit->goal : result <= limit->goal;
    printf("| %-4s | %-62s | %7.3g | %7.3g | %8.3g | %-7s | %s |\n", limit->id, limit->what,
           limit->must, limit->goal, result,
           reached ? "goal"
           : kept  ? "must"
                   : "MISSED",
           detail);
    fflush(stdout);
    return kept;
}

#endif
