// SPDX-License-Identifier: BSD-3-Clause
// The events of a window as torch.profiler counts them: nested per thread, each with what its
// children and its device work took. What key_averages and stacks are made of.
#ifndef ENCODE_FUNCTION_EVENTS_H
#define ENCODE_FUNCTION_EVENTS_H

#include "capture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TP_NO_PARENT UINT32_MAX

typedef struct tp_amounts {
    int64_t cpu_ns, device_ns;
    int64_t cpu_bytes, device_bytes;
} tp_amounts;

typedef struct tp_function_event {
    const char *name;       // of steps "ProfilerStep*"
    const tp_op_detail *op; // shapes and sequence number, or NULL
    const tp_stack *stack;  // of a backward operator that of its forward one; or NULL
    int64_t begin_ns, end_ns;
    int64_t tid;
    tp_amounts total; // with children
    tp_amounts children;
    uint32_t id;     // 0: none
    uint32_t order;  // of collection
    uint32_t parent; // index, or TP_NO_PARENT
    uint32_t child_count;
    bool is_device; // ran on the device
    bool is_annotation;
    bool merged; // into its parent of the same name; does not count
} tp_function_event;

// A moment at which memory was allocated or freed.
typedef struct tp_memory_moment {
    int64_t time_ns;
    int64_t tid;
    int64_t cpu_bytes, device_bytes;
} tp_memory_moment;

typedef struct tp_function_events {
    tp_function_event *items; // in order of begin, enclosing ones first
    size_t count, capacity;
    tp_memory_moment *moments; // in order of time
    size_t moment_count;
} tp_function_events;

// Makes the list; it refers to the capture. Modules and functions are not in it, and neither are
// waits and marks of devices. False for lack of memory; then there is nothing to free. Any thread.
bool tp_function_events_make(const tp_capture *capture, tp_function_events *events);
void tp_function_events_free(tp_function_events *events);

// Steps of making it, apart for size. Each moment of memory goes to all ranges that hold it, on any
// thread, as torch does it; where there is none it becomes an event of its own.
bool tp_function_events_add_memory(tp_function_events *events);

// Gives backward operators, and what is nested in them, the stack of their forward operator.
bool tp_function_events_add_stacks(tp_function_events *events);

#endif
