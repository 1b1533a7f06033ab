// SPDX-License-Identifier: BSD-3-Clause
// Which forward operator a backward operator belongs to.
#ifndef LINK_FLOWS_H
#define LINK_FLOWS_H

#include "model/trace.h"

typedef struct forward_pair {
    uint32_t backward, forward; // events
} forward_pair;

typedef struct forward_table {
    forward_pair *at; // in order of `backward`
    uint32_t count;
} forward_table;

// By flow arrows; where none leads to an operator, by its sequence number. O(n log n) in the
// operators that have such numbers.
forward_table forwards_of(const trace *t, arena *a);

// The forward operator of a backward one, or EVENT_NONE.
uint32_t forward_of(const forward_table *table, uint32_t backward);

#endif
