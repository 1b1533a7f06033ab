// SPDX-License-Identifier: BSD-3-Clause
// Windows with device work of the stand-ins, and what their captures hold.
#ifndef SUPPORT_GPU_WINDOW_H
#define SUPPORT_GPU_WINDOW_H

#include "capture.h"
#include "fake_cuda.h"
#include "tprof/tprof.h"

extern const fake_kernel GPU_WINDOW_KERNEL;

// Launches that kernel.
void gpu_launch(void);

// A profiler that has started; to be destroyed. Fails the test where there is none.
tprof_profiler *gpu_start(tprof_schedule schedule);

// The number-th event of a kind, or NULL; and how many there are.
const tp_gpu_event *gpu_event(const tp_capture *capture, tp_gpu_kind kind, size_t number);
size_t gpu_count(const tp_capture *capture, tp_gpu_kind kind);

// The number of the host's event of that name. Fails the test where there is none.
uint32_t id_of(const tp_capture *capture, const char *name);

#endif
