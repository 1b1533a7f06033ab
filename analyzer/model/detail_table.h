// SPDX-License-Identifier: BSD-3-Clause
// Details of operators and device work, each distinct one stored once.
#ifndef MODEL_DETAIL_TABLE_H
#define MODEL_DETAIL_TABLE_H

#include "model/trace.h"

// Starts as {.trace = t, .scratch = a}; the scratch arena must live as long.
typedef struct detail_table {
    trace *trace;
    arena *scratch;
    id_map shape_pairs; // shapes, types -> number of the pair
    id_map operators;   // pair, stack -> trace.op_details
    id_map works;       // hash -> the latest of trace.device_details with it
    uint32_t *next;     // of each device detail: the one before it with its hash
    uint32_t next_capacity;
} detail_table;

// The detail of an operator's or of device work's record, or DETAIL_NONE where it has none.
uint32_t details_operator(detail_table *d, const record *r);
uint32_t details_device(detail_table *d, const record *r);

#endif
