// SPDX-License-Identifier: BSD-3-Clause
// Time and calls of operators: by name, by name and input shape, by call stack.
#ifndef ANALYZE_OPERATORS_H
#define ANALYZE_OPERATORS_H

#include "analyze/worker.h"

typedef struct operator_row {
    const char *name;
    const char
        *input_shapes; // as the plugin prints them: [[32, 3], [], []]; NULL in the table by name
    const char *call_stack; // NULL but in the table by stack
    int64_t calls, host_self_ns, host_total_ns, device_self_ns, device_total_ns;
    tristate tensor_core_eligible;
    double tensor_core_self_share, tensor_core_total_share; // of the device time; 0 where that is 0
} operator_row;

typedef struct operator_table {
    operator_row
        *at; // by device_self_ns where there is device work, else host_self_ns; ties by name
    uint32_t count;
} operator_table;

typedef struct operators {
    operator_table by_name, by_shape, by_stack;
    bool has_device_work;
    int64_t graph_replay_ns; // device time of graph launches, which no operator can be told for
    int64_t unlinked_ns;     // device time without a launch record
} operators;

operators operators_analyze(const worker *w, arena *a);

#endif
