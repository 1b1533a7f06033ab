// SPDX-License-Identifier: BSD-3-Clause
// Folded stacks, the input of flame graphs: frames from the outermost, then the time in whole
// microseconds.
#ifndef ENCODE_ENCODE_STACKS_H
#define ENCODE_ENCODE_STACKS_H

#include "encode/encoder.h"

// The encoder for a metric: "self_cpu_time_total", "self_cuda_time_total" and its other names. A
// line for each name and stack with at least a microsecond. NULL for an unknown metric.
const tp_encoder *tp_stacks_encoder(const char *metric);

#endif
