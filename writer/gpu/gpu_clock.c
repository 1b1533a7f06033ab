// SPDX-License-Identifier: BSD-3-Clause
// Pure: how CUPTI's timestamps relate to CLOCK_REALTIME, as measured at both ends of a window.
#include "gpu/gpu_clock.h"

#include <stdlib.h>

// CUPTI's own reading takes some time, too, so that even equal clocks seem that far apart.
enum { NOISE_NS = 10000 };

tp_gpu_clock_sample tp_gpu_clock_sample_of(int64_t before_ns, uint64_t cupti_ns, int64_t after_ns)
{
    const int64_t half = (after_ns - before_ns) / 2;
    return (tp_gpu_clock_sample){
        .cupti_ns = (int64_t)cupti_ns,
        .offset_ns = (int64_t)cupti_ns - (before_ns + half),
        .uncertainty_ns = half + 1,
    };
}

static int64_t certain_offset(const tp_gpu_clock_sample *sample)
{
    return llabs(sample->offset_ns) <= sample->uncertainty_ns + NOISE_NS ? 0 : sample->offset_ns;
}

int64_t tp_gpu_clock_drift(const tp_gpu_clock *clock)
{
    const int64_t drift = clock->end.offset_ns - clock->begin.offset_ns;
    const int64_t noise = clock->begin.uncertainty_ns + clock->end.uncertainty_ns + NOISE_NS;
    return llabs(drift) <= noise ? 0 : drift;
}

int64_t tp_gpu_clock_realtime(const tp_gpu_clock *clock, uint64_t timestamp)
{
    const int64_t at = (int64_t)timestamp;
    const int64_t length = clock->end.cupti_ns - clock->begin.cupti_ns;
    const int64_t offset = certain_offset(&clock->begin);
    const int64_t drift = tp_gpu_clock_drift(clock);

    if (drift == 0 || length <= 0)
        return at - offset;
    // The drift is so small against the times that a double holds its part exactly enough.
    const double part = (double)(at - clock->begin.cupti_ns) / (double)length;
    return at - offset - (int64_t)(part * (double)drift);
}

bool tp_gpu_clock_is_steady(const tp_gpu_clock *clock, int64_t step_ns)
{
    const int64_t drift = tp_gpu_clock_drift(clock);
    return drift != 0 && llabs(drift + step_ns) < llabs(drift) / 2;
}
