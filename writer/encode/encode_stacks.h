// SPDX-License-Identifier: BSD-3-Clause
// Folded stacks, the input of flame graphs: frames from the outermost, then the time in whole
// microseconds.
#ifndef ENCODE_ENCODE_STACKS_H
#define ENCODE_ENCODE_STACKS_H

#include "capture.h"
#include "out/sink.h"

typedef enum tp_stack_metric {
    TP_STACK_SELF_CPU,
    TP_STACK_SELF_DEVICE,
} tp_stack_metric;

// Finds the metric of that name; false for an unknown one.
bool tp_stack_metric_find(const char *name, tp_stack_metric *metric);

// A line for each name and stack of the capture with at least a microsecond. Any thread; failures
// stick to the sink.
void tp_stacks_write(const tp_capture *capture, tp_stack_metric metric, tp_sink *sink);

#endif
