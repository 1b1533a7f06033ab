// SPDX-License-Identifier: BSD-3-Clause
// When the ranges of a window were, by id.
#ifndef GPU_RANGE_TIMES_H
#define GPU_RANGE_TIMES_H

#include "capture.h"
#include "gpu/link_map.h"

#include <stdint.h>

typedef struct tp_range_times {
    tp_link_map places;  // id -> place in `times`, counted from 1
    int64_t (*times)[2]; // begin and end
} tp_range_times;

// Of all ranges, or of fewer where there is no memory for them. To be freed.
void tp_range_times_make(tp_range_times *ranges, const tp_capture *capture);
void tp_range_times_free(tp_range_times *ranges);

// Begin and end, or NULL.
const int64_t *tp_range_times_find(const tp_range_times *ranges, uint32_t id);

#endif
