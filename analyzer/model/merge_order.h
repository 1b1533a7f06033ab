// SPDX-License-Identifier: BSD-3-Clause
// The order of events in time, by a merge sort that uses the runs it finds.
#ifndef MODEL_MERGE_ORDER_H
#define MODEL_MERGE_ORDER_H

#include "base/arena.h"

#include <stdint.h>

// The rows in order of `begin`, of equal begins by falling `duration`, then as they are; or NULL
// where they are in that order already. Linear in the rows if the disorder is local or of few runs,
// O(n log n) at worst; needs up to 2 bytes of scratch a row beside the result.
uint32_t *merge_order(const int64_t *begin, const int64_t *duration, uint32_t count, arena *a);

// An order of rows that follow each other, NULL where they stand in order.
typedef struct order_part {
    uint32_t *order; // counted from `row`
    uint32_t row, count;
} order_part;

// merge_order() of all rows of two parts. The second begins behind the first, maybe not at once.
// The first is given back to `a`, the second stays with whoever made it.
uint32_t *merge_two_orders(const int64_t *begin, const int64_t *duration, order_part first,
                           order_part second, arena *a);

#endif
