// SPDX-License-Identifier: BSD-3-Clause
// How full the multiprocessors of a device were: the sum of blocks per SM of the kernels that run,
// at most 1.
#ifndef ANALYZE_SM_USE_H
#define ANALYZE_SM_USE_H

#include "model/trace.h"

typedef struct sm_use {
    double weighted_ns; // integral over the window
    bool known;         // a kernel with blocks per SM ran in it
} sm_use;

// Of the device events `at`, in order of begin, in the window [begin, end).
sm_use sm_use_of(const trace *t, const uint32_t *at, uint32_t count, int64_t begin, int64_t end);

#endif
