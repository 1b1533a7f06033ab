// SPDX-License-Identifier: BSD-3-Clause
// The key_averages table of a capture: what stands behind tprof_averages.
#ifndef ENCODE_ENCODE_AVERAGES_H
#define ENCODE_ENCODE_AVERAGES_H

#include "capture.h"

#include <stdbool.h>
#include <stddef.h>

enum { TP_WHOLE_STACK = INT32_MAX }; // for group_by_stack_n

struct tprof_averages {
    tprof_average *rows; // in order of first occurrence
    bool *nested;        // whether the first event of the row was in another one
    size_t count, capacity;
    bool profile_memory, with_flops;
    int64_t self_cpu_ns;    // of all rows
    int64_t self_device_ns; // of all device rows but annotations
};

// Groups the events of the capture; `options` NULL means all zero. *out does not refer to the
// capture; NULL on failure, which is lack of memory. Any thread.
tprof_status tp_averages_make(const tp_capture *capture, const tprof_averages_options *options,
                              tprof_averages **out);

// Indices of the rows, largest first by one of torch's sort keys, equal ones in order of
// occurrence; in that order for NULL. To be freed; NULL for an unknown key or lack of memory.
size_t *tp_averages_order(const tprof_averages *averages, const char *sort_by);

#endif
