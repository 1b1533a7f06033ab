// SPDX-License-Identifier: BSD-3-Clause
// The recorded event, one plain struct of 32 bytes, and the details that may follow it in the log.
#ifndef WRITER_EVENT_H
#define WRITER_EVENT_H

#include "tprof/tprof.h"

#include <stddef.h>
#include <stdint.h>

typedef enum tp_kind {
    TP_RANGE,      // tprof_begin(); cat cpu_op
    TP_OPERATOR,   // tprof_op_begin(); cat cpu_op
    TP_LOADER,     // a wait for the data loader; cat cpu_op
    TP_ANNOTATION, // cat user_annotation
    TP_STEP,       // ProfilerStep#N; cat user_annotation
    TP_MODULE,     // cat python_function
    TP_FUNCTION,   // cat python_function
    TP_INSTANT,    // begin only, as all that follow
    TP_COUNTER,    // `end` holds the bits of a double
    TP_MEMORY,     // `end` holds the signed number of bytes
    TP_THREAD,     // not seen by encoders: from here on `begin` is the thread, `name` its name
} tp_kind;

// What stands in the slots behind an event.
typedef enum tp_detail {
    TP_DETAIL_NONE,
    TP_DETAIL_OP,       // tp_op_detail, then the serialized inputs
    TP_DETAIL_FUNCTION, // tp_function_detail
    TP_DETAIL_MEMORY,   // tp_memory_detail
    TP_DETAIL_MARK,     // tp_mark_detail
} tp_detail;

typedef struct tp_event {
    uint64_t begin; // ticks
    uint64_t end;   // ticks
    const char *name;
    uint32_t id;    // unique in the process; 0: the capture gives one
    uint16_t slots; // slots of sizeof(tp_event) behind this one that hold its details
    uint8_t kind;   // tp_kind
    uint8_t detail; // tp_detail
} tp_event;

_Static_assert(sizeof(tp_event) == 32, "an event is half a cache line");

typedef struct tp_stack tp_stack;

// Of operators; of ranges, loaders and annotations only where there is a stack.
typedef struct tp_op_detail {
    int64_t sequence;        // 0: none
    uint64_t forward_thread; // of a backward operator: the thread of the forward one
    uint64_t flops;          // 0: unknown
    const tp_stack *stack;   // or NULL
    uint32_t input_bytes;
    uint8_t backward;
    uint8_t has_inputs;
    uint8_t cut; // the inputs did not fit
    uint8_t reserved[1];
} tp_op_detail;

typedef struct tp_function_detail {
    int64_t parent; // id of the enclosing module or function, 0: none
    int64_t module; // of modules; of steps their number
    int64_t reserved[2];
} tp_function_detail;

typedef struct tp_memory_detail {
    uint64_t address;
    int64_t allocated, reserved; // totals of the device after this event
    int32_t device_type;
    int32_t device_index; // -1 for the CPU
} tp_memory_detail;

typedef enum tp_payload {
    TP_PAYLOAD_NONE,
    TP_PAYLOAD_INT,
    TP_PAYLOAD_UINT,
    TP_PAYLOAD_DOUBLE,
} tp_payload;

// What NVTX says of a range or mark. Texts are interned.
typedef struct tp_mark_detail {
    const char *domain;   // or NULL
    const char *category; // or NULL
    union {
        int64_t i;
        uint64_t u;
        double d;
    } payload;
    uint32_t payload_kind; // tp_payload
    uint32_t color;        // ARGB, 0: none
} tp_mark_detail;

// One input as serialized behind a tp_op_detail: this head, `dimensions` sizes, as many strides if
// it has them, the value with its NUL padded to 8 bytes; then its items, serialized likewise.
typedef struct tp_input_head {
    const char *type; // interned
    int16_t dimensions;
    uint16_t items;
    uint16_t value_bytes; // with the NUL; 0: no value
    uint8_t has_strides;
    uint8_t is_tensor; // a tensor of no dimensions has no sizes either
} tp_input_head;

#endif
