// SPDX-License-Identifier: BSD-3-Clause
// Statistics of integer values.
#include "analyze/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RADIX_FROM = 1024 }; // fewer values are sorted faster by comparing

int64_t divide_half_even(__int128_t dividend, int64_t divisor)
{
    const __int128_t d = divisor;
    __int128_t quotient = dividend / d, rest = dividend % d;

    if (rest < 0) { // round towards minus infinity first, so that the rest is positive
        quotient--;
        rest += d;
    }
    const __int128_t twice = 2 * rest;
    if (twice > d || (twice == d && quotient % 2 != 0))
        quotient++;
    if (quotient > INT64_MAX)
        return INT64_MAX;
    return quotient <= INT64_MIN ? -INT64_MAX : (int64_t)quotient;
}

static int compare(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

// Order of the keys as unsigned numbers is that of the values.
static uint64_t key_of(int64_t value)
{
    return (uint64_t)value ^ ((uint64_t)1 << 63);
}

// One pass over a byte of the keys.
static void radix_pass(const int64_t *from, int64_t *to, uint32_t count, unsigned shift)
{
    uint32_t at[256] = {0};

    for (uint32_t i = 0; i < count; i++)
        at[key_of(from[i]) >> shift & 255]++;
    for (uint32_t digit = 0, sum = 0; digit < 256; digit++) {
        const uint32_t here = at[digit];
        at[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        to[at[key_of(from[i]) >> shift & 255]++] = from[i];
}

// The bits in which not all values are the same.
static uint64_t differing_bits(const int64_t *values, uint32_t count)
{
    uint64_t differing = 0;
    for (uint32_t i = 1; i < count; i++)
        differing |= (uint64_t)(values[i] ^ values[0]);
    return differing;
}

void statistics_sort(int64_t *values, uint32_t count, arena *a)
{
    if (count < RADIX_FROM) {
        if (count > 1)
            qsort(values, count, sizeof(*values), compare);
        return;
    }
    const uint64_t differing = differing_bits(values, count);
    int64_t *const spare = arena_new(a, int64_t, count);
    int64_t *from = values, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!(differing >> shift & 255))
            continue;
        radix_pass(from, to, count, shift);
        int64_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != values)
        memcpy(values, from, sizeof(*values) * count);
    arena_release(a, spare);
}

int64_t statistics_median(const int64_t *sorted, uint32_t count)
{
    if (count == 0)
        return INT_NONE;
    if (count % 2)
        return sorted[count / 2];
    return divide_half_even((__int128_t)sorted[count / 2 - 1] + sorted[count / 2], 2);
}

int64_t statistics_p95(const int64_t *sorted, uint32_t count)
{
    if (count == 0)
        return INT_NONE;
    const uint64_t rank = ((uint64_t)count * 95 + 99) / 100;
    return sorted[rank - 1];
}

// From n * value - total, so that no mean is rounded before it is squared.
static int64_t stdev_of(const int64_t *values, uint32_t count, __int128_t total)
{
    if (count < 2)
        return INT_NONE;
    const long double n = count;
    long double squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        const long double off = (long double)((__int128_t)values[i] * count - total) / n;
        squares += off * off;
    }
    const long double stdev = rintl(sqrtl(squares / (n - 1)));
    return stdev < 9.2e18L ? (int64_t)stdev : INT64_MAX;
}

statistics statistics_of(int64_t *values, uint32_t count, arena *a)
{
    statistics s = {.mean = INT_NONE,
                    .median = INT_NONE,
                    .p95 = INT_NONE,
                    .min = INT_NONE,
                    .max = INT_NONE,
                    .stdev = INT_NONE};
    if (count == 0)
        return s;

    __int128_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += values[i];
    statistics_sort(values, count, a);
    s.count = count;
    s.total = divide_half_even(total, 1);
    s.mean = divide_half_even(total, count);
    s.median = statistics_median(values, count);
    s.p95 = statistics_p95(values, count);
    s.min = values[0];
    s.max = values[count - 1];
    s.stdev = stdev_of(values, count, total);
    return s;
}
