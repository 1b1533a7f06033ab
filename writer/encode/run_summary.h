// SPDX-License-Identifier: BSD-3-Clause
// The run so far, added up, and told as a table in Markdown.
#ifndef ENCODE_RUN_SUMMARY_H
#define ENCODE_RUN_SUMMARY_H

#include "capture.h"
#include "encode/step_costs.h"
#include "encode/text_buffer.h"

#include <stdint.h>

// The run so far; all zero before the first window.
typedef struct tp_run_totals {
    int64_t steps;
    int64_t first_step, last_step;
    int64_t step_ns, shortest_ns, longest_ns;
    int64_t loader_ns;
    int64_t busy_ns, device_ns; // device time worked, and device time there was
    int64_t batch_size;
    uint64_t lost_events;
} tp_run_totals;

void tp_run_totals_add(tp_run_totals *totals, const tp_capture *capture,
                       const tp_step_costs *costs);

void tp_run_summary_write(const tp_capture *capture, const tp_run_totals *totals, tp_text *text);

#endif
