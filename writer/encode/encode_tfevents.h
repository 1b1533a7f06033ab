// SPDX-License-Identifier: BSD-3-Clause
// Scalars and text of a run, as stock TensorBoard shows them: records of an event file.
#ifndef ENCODE_ENCODE_TFEVENTS_H
#define ENCODE_ENCODE_TFEVENTS_H

#include "capture.h"
#include "encode/run_summary.h"
#include "out/sink.h"

#include <stdint.h>

// Tags. One of these, followed by the number, for each device: "tprof/device_busy_percent/0".
#define TP_TAG_STEP_TIME   "tprof/step_time_ms"
#define TP_TAG_THROUGHPUT  "tprof/samples_per_second"
#define TP_TAG_LOADER_WAIT "tprof/data_loader_wait_ms"
#define TP_TAG_DEVICE_BUSY "tprof/device_busy_percent"
#define TP_TAG_SUMMARY     "tprof/summary"

// Writes the record that a file begins with.
void tp_tfevents_begin(tp_sink *sink, int64_t wall_ns);

// Writes a record for each step of the window, step number and wall time its own, and one with the
// summary of the run so far, this window counted in. A window without steps adds nothing. Any
// thread; failures stick to the sink.
void tp_tfevents_window(const tp_capture *capture, tp_run_totals *totals, tp_sink *sink);

#endif
