// SPDX-License-Identifier: BSD-3-Clause
// Pure: how CUPTI's timestamps relate to CLOCK_REALTIME, as measured at both ends of a window.
#ifndef GPU_GPU_CLOCK_H
#define GPU_GPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

// One reading of CUPTI's clock between two of CLOCK_REALTIME.
typedef struct tp_gpu_clock_sample {
    int64_t cupti_ns;
    int64_t offset_ns;      // CUPTI's clock less CLOCK_REALTIME
    int64_t uncertainty_ns; // the offset is within that of the truth
} tp_gpu_clock_sample;

typedef struct tp_gpu_clock {
    tp_gpu_clock_sample begin, end;
} tp_gpu_clock;

tp_gpu_clock_sample tp_gpu_clock_sample_of(int64_t before_ns, uint64_t cupti_ns, int64_t after_ns);

// The CLOCK_REALTIME of a timestamp. Offsets that could be errors of the measurement count as none;
// between the two samples the offset is interpolated.
int64_t tp_gpu_clock_realtime(const tp_gpu_clock *clock, uint64_t timestamp);

// How far the two clocks went apart within the window; 0 where that could be an error of the
// measurement.
int64_t tp_gpu_clock_drift(const tp_gpu_clock *clock);

// Whether CUPTI's clock went on as before while CLOCK_REALTIME was set by `step_ns`. Then what went
// apart is that one, and the offset of the beginning holds.
bool tp_gpu_clock_is_steady(const tp_gpu_clock *clock, int64_t step_ns);

#endif
