// SPDX-License-Identifier: BSD-3-Clause
// Details of operators and device work, each distinct one stored once.
#ifndef MODEL_DETAIL_TABLE_H
#define MODEL_DETAIL_TABLE_H

#include "model/trace.h"

enum { RECENT_DETAIL_BITS = 10 };

// Starts as {.trace = t, .scratch = a, .works.arena = a}; the scratch arena must live as long.
typedef struct detail_table {
    trace *trace;
    arena *scratch;
    id_map shape_pairs;                                 // shapes, types -> number of the pair
    id_map operators;                                   // pair, stack -> trace.op_details
    uint32_t recent_operators[1 << RECENT_DETAIL_BITS]; // 1 + detail met lately; 0: none
    strings works; // the bytes of trace.device_details, under the same numbers
} detail_table;

// The number of a detail, made if it is new. Bytes between the
// fields of device work are zero.
uint32_t details_add_operator(detail_table *d, const op_detail *wanted);
uint32_t details_add_work(detail_table *d, const device_detail *wanted);

// The detail of an operator's or of device work's record, or DETAIL_NONE where it has none.
uint32_t details_operator(detail_table *d, const record *r);
uint32_t details_device(detail_table *d, const record *r);

#endif
