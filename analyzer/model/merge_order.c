// SPDX-License-Identifier: BSD-3-Clause
// The order of events in time. Traces are written per thread and buffer: long runs that are in
// order, with short disorder in them. Runs are found, short ones made longer by insertion, and
// merged in the manner of timsort, where only the part of two runs that interleaves is moved.
#include "model/merge_order.h"

#include <stdbool.h>
#include <string.h>

enum {
    SHORTEST_RUN = 32,
    RUNS = 64, // lengths on the stack grow like Fibonacci's numbers, so 2^32 rows fit
};

typedef struct run {
    uint32_t at, length;
} run;

typedef struct sorter {
    const int64_t *begin, *duration;
    uint32_t *order, *scratch; // scratch: room for half of the rows
    run runs[RUNS];
    uint32_t run_count;
} sorter;

// Whether row `x` comes before `y`, which stands before it: only then do they change places.
static bool precedes(const sorter *s, uint32_t x, uint32_t y)
{
    return s->begin[x] != s->begin[y] ? s->begin[x] < s->begin[y] : s->duration[x] > s->duration[y];
}

static uint32_t run_length(const sorter *s, uint32_t at, uint32_t end)
{
    uint32_t i = at + 1;
    while (i < end && !precedes(s, s->order[i], s->order[i - 1]))
        i++;
    return i - at;
}

static void insert_up_to(sorter *s, uint32_t at, uint32_t sorted, uint32_t end)
{
    for (uint32_t i = sorted; i < end; i++) {
        const uint32_t row = s->order[i];
        uint32_t k = i;
        for (; k > at && precedes(s, row, s->order[k - 1]); k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = row;
    }
}

// How many of `count` ordered rows stay before `row`, which follows them in the file: those that it
// does not precede. Looks from the end, since runs overlap little.
static uint32_t rows_before_later(const sorter *s, const uint32_t *rows, uint32_t count,
                                  uint32_t row)
{
    uint32_t step = 1, high = count;
    while (step <= count && precedes(s, row, rows[count - step])) {
        high = count - step;
        step *= 2;
    }
    uint32_t low = step <= count ? count - step + 1 : 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (precedes(s, row, rows[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// How many of `count` ordered rows go before `row`, which stands before them in the file.
static uint32_t rows_before_earlier(const sorter *s, const uint32_t *rows, uint32_t count,
                                    uint32_t row)
{
    uint32_t low = 0, step = 1;
    while (low + step <= count && precedes(s, rows[low + step - 1], row)) {
        low += step;
        step *= 2;
    }
    uint32_t high = low + step <= count ? low + step - 1 : count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (precedes(s, rows[middle], row))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void merge_forwards(sorter *s, uint32_t *rows, uint32_t left, uint32_t right)
{
    const uint32_t *x = s->scratch, *const x_end = x + left;
    const uint32_t *y = rows + left, *const y_end = y + right;

    memcpy(s->scratch, rows, sizeof(*rows) * left);
    while (x < x_end && y < y_end)
        *rows++ = precedes(s, *y, *x) ? *y++ : *x++;
    memcpy(rows, x, sizeof(*rows) * (size_t)(x_end - x));
}

static void merge_backwards(sorter *s, uint32_t *rows, uint32_t left, uint32_t right)
{
    uint32_t x = left, y = right, to = left + right;

    memcpy(s->scratch, rows + left, sizeof(*rows) * right);
    while (x && y)
        rows[--to] = precedes(s, s->scratch[y - 1], rows[x - 1]) ? rows[--x] : s->scratch[--y];
    memcpy(rows + to - y, s->scratch, sizeof(*rows) * y);
}

static void merge(sorter *s, uint32_t first)
{
    run *const x = &s->runs[first], *const y = x + 1;
    uint32_t *const rows = s->order;
    const uint32_t keep = rows_before_later(s, rows + x->at, x->length, rows[y->at]);
    const uint32_t left = x->length - keep;

    if (left) {
        const uint32_t right = rows_before_earlier(s, rows + y->at, y->length, rows[y->at - 1]);
        if (left <= right)
            merge_forwards(s, rows + x->at + keep, left, right);
        else
            merge_backwards(s, rows + x->at + keep, left, right);
    }
    x->length += y->length;
    s->run_count--;
    memmove(y, y + 1, sizeof(*y) * (s->run_count - first - 1));
}

// Keeps each run longer than the two after it together, and than the next.
static void balance(sorter *s)
{
    while (s->run_count > 1) {
        const run *const r = s->runs;
        const uint32_t n = s->run_count - 2;
        const bool third =
            n > 0 && (uint64_t)r[n - 1].length <= (uint64_t)r[n].length + r[n + 1].length;
        const bool fourth =
            n > 1 && (uint64_t)r[n - 2].length <= (uint64_t)r[n - 1].length + r[n].length;
        if (third || fourth)
            merge(s, r[n - 1].length < r[n + 1].length ? n - 1 : n);
        else if (r[n].length <= r[n + 1].length)
            merge(s, n);
        else
            return;
    }
}

static void sort_rows(sorter *s, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        uint32_t length = run_length(s, at, count);
        if (length < SHORTEST_RUN) {
            const uint32_t wanted = count - at < SHORTEST_RUN ? count - at : SHORTEST_RUN;
            insert_up_to(s, at, at + length, at + wanted);
            length = wanted;
        }
        s->runs[s->run_count++] = (run){at, length};
        balance(s);
        at += length;
    }
    while (s->run_count > 1) {
        const uint32_t n = s->run_count - 2;
        merge(s, n > 0 && s->runs[n - 1].length < s->runs[n + 1].length ? n - 1 : n);
    }
}

static bool in_order(const sorter *s, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (precedes(s, i, i - 1))
            return false;
    return true;
}

uint32_t *merge_order(const int64_t *begin, const int64_t *duration, uint32_t count, arena *a)
{
    sorter s = {.begin = begin, .duration = duration};
    if (in_order(&s, count))
        return NULL;

    s.order = arena_new(a, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        s.order[i] = i;
    s.scratch = arena_new(a, uint32_t, count / 2 + 1);
    sort_rows(&s, count);
    arena_release(a, s.scratch);
    return s.order;
}

static void take_part(uint32_t *to, order_part p)
{
    for (uint32_t i = 0; i < p.count; i++)
        to[i] = p.row + (p.order ? p.order[i] : i);
}

static bool follow_in_order(const sorter *s, order_part first, order_part second)
{
    return !first.order && !second.order && second.row == first.row + first.count &&
           (first.count == 0 || second.count == 0 || !precedes(s, second.row, second.row - 1));
}

uint32_t *merge_two_orders(const int64_t *begin, const int64_t *duration, order_part first,
                           order_part second, arena *a)
{
    const uint32_t count = first.count + second.count;
    sorter s = {.begin = begin, .duration = duration};

    if (follow_in_order(&s, first, second))
        return NULL;
    s.order = arena_new(a, uint32_t, count);
    take_part(s.order, first);
    take_part(s.order + first.count, second);
    arena_release(a, first.order);
    if (first.count == 0 || second.count == 0)
        return s.order;
    s.scratch = arena_new(a, uint32_t, count / 2 + 1);
    s.runs[0] = (run){0, first.count};
    s.runs[1] = (run){first.count, second.count};
    s.run_count = 2;
    merge(&s, 0);
    arena_release(a, s.scratch);
    return s.order;
}
