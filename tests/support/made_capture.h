// SPDX-License-Identifier: BSD-3-Clause
// Captures for tests of encoders: recorded by the real recorder, with times, threads and memory of
// the test's choosing. Events of a thread are to be made in order of their ends.
#ifndef SUPPORT_MADE_CAPTURE_H
#define SUPPORT_MADE_CAPTURE_H

#include "capture.h"

#include <stdint.h>

// Forgets what was made, and goes on as thread 1.
void made_begin(void);

// What follows is of this thread.
void made_thread(int64_t tid);

// Names must be literals.
void made_range(tp_kind kind, const char *name, int64_t begin_ns, int64_t end_ns);
void made_step(int64_t number, int64_t begin_ns, int64_t end_ns);

// With its inputs, sequence number, FLOPs and stack. `id` is for device work that it launched; 0:
// some number.
void made_operator(const tprof_op *op, uint32_t id, int64_t begin_ns, int64_t end_ns);
void made_memory(tprof_device_type device, int64_t time_ns, int64_t bytes);

// The capture of all that, prepared for encoders and with all options on, to be released. More
// may be added to it with tp_capture_add_gpu().
tp_capture *made_capture(void);

#endif
