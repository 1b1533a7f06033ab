// SPDX-License-Identifier: BSD-3-Clause
// Open ranges: those of each thread, which nest, and those that may end on any thread.
#ifndef INJECT_NVTX_RANGES_H
#define INJECT_NVTX_RANGES_H

#include "event.h"
#include "inject/nvtx_abi.h"

#include <stdbool.h>

// A range that began.
typedef struct tp_nvtx_range {
    nvtx_domain domain;
    const char *name; // interned
    uint64_t begin;   // ticks
    uint32_t id;      // what launches inside belong to, 0: nothing was linked
    bool watched;
    bool recorded; // it began while a window was recorded, and is counted as open
    bool has_mark;
    tp_mark_detail mark;
} tp_nvtx_range;

// Opens a range of the calling thread. *level is its level within its domain, counted from 0.
// False where it is not kept, for it is too deep or memory is short: then *level is -2, or that
// among all ranges of the thread. It is to be closed all the same.
bool tp_nvtx_push(const tp_nvtx_range *range, int *level);

// Closes the thread's innermost range of that domain and moves it to *range. Returns its level, -1
// where none is open, -2 where it was not kept.
int tp_nvtx_pop(nvtx_domain domain, tp_nvtx_range *range);

// Opens a range that any thread may end. Returns its number, never 0; 0 where too many are open.
nvtx_range_id tp_nvtx_start(const tp_nvtx_range *range);

// Closes it. False where the number is none of an open range. *lane is 0 where the range lies on
// the calling thread among its own ranges, else the number, from 1, of a row of its own.
bool tp_nvtx_finish(nvtx_range_id id, tp_nvtx_range *range, int *lane);

#endif
