// SPDX-License-Identifier: BSD-3-Clause
// Which keys of a trace event are read, and where their values go.
#ifndef READ_CHROME_FIELD_H
#define READ_CHROME_FIELD_H

#include "read/record.h"

// How a value is taken.
typedef enum take_kind {
    TAKE_NOTHING, // skipped
    TAKE_ARGS,    // its members are read like the event's
    TAKE_PHASE,
    TAKE_TEXT,   // string or number, as text
    TAKE_TIME,   // microseconds, to int64 ns
    TAKE_WHOLE,  // int64
    TAKE_REAL,   // double
    TAKE_RAW,    // array, as compact JSON
    TAKE_TRIPLE, // array of three int32
} take_kind;

// X(name, kind, bit, member of record)
#define CHROME_FIELD_MAP(X)                                                                        \
    X(NAME, TEXT, FIELD_NAME, name)                                                                \
    X(CATEGORY, TEXT, FIELD_CATEGORY, category)                                                    \
    X(PROCESS, TEXT, FIELD_PROCESS, process)                                                       \
    X(THREAD, TEXT, FIELD_THREAD, thread)                                                          \
    X(TIME, TIME, FIELD_TIME, time_ns)                                                             \
    X(DURATION, TIME, FIELD_DURATION, duration_ns)                                                 \
    X(FLOW_ID, TEXT, FIELD_FLOW_ID, flow_id)                                                       \
    X(CORRELATION, TEXT, FIELD_CORRELATION, correlation)                                           \
    X(EXTERNAL, TEXT, FIELD_EXTERNAL, external)                                                    \
    X(DEVICE, TEXT, FIELD_DEVICE, device)                                                          \
    X(STREAM, TEXT, FIELD_STREAM, stream)                                                          \
    X(SHAPES, RAW, FIELD_SHAPES, shapes)                                                           \
    X(TYPES, RAW, FIELD_TYPES, types)                                                              \
    X(STACK, TEXT, FIELD_STACK, stack)                                                             \
    X(SEQUENCE, WHOLE, FIELD_SEQUENCE, sequence)                                                   \
    X(FWD_THREAD, WHOLE, FIELD_FWD_THREAD, fwd_thread)                                             \
    X(GRID, TRIPLE, FIELD_GRID, grid)                                                              \
    X(BLOCK, TRIPLE, FIELD_BLOCK, block)                                                           \
    X(REGISTERS, WHOLE, FIELD_REGISTERS, registers)                                                \
    X(SHARED, WHOLE, FIELD_SHARED, shared_bytes)                                                   \
    X(BLOCKS_SM, REAL, FIELD_BLOCKS_SM, blocks_per_sm)                                             \
    X(OCCUPANCY, REAL, FIELD_OCCUPANCY, occupancy_percent)                                         \
    X(BYTES, WHOLE, FIELD_BYTES, bytes)                                                            \
    X(MODULE_ID, WHOLE, FIELD_MODULE_ID, module_id)                                                \
    X(ARG_NAME, TEXT, FIELD_ARG_NAME, arg_name)

typedef enum chrome_key {
    CHROME_OTHER,
    CHROME_ARGS,
    CHROME_PHASE,
#define X(name, kind, bit, member) CHROME_##name,
    CHROME_FIELD_MAP(X)
#undef X
        CHROME_KEYS
} chrome_key;

typedef struct chrome_field {
    take_kind kind;
    uint32_t bit;
    uint32_t offset; // in record
} chrome_field;

extern const chrome_field CHROME_FIELDS[CHROME_KEYS];

// What `key` means as a member of an event, or of its "args". Keys are told apart by case.
chrome_key chrome_event_key(text key);
chrome_key chrome_args_key(text key);

#endif
