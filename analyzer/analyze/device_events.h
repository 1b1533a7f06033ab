// SPDX-License-Identifier: BSD-3-Clause
// The work of each device of a trace, in order of begin.
#ifndef ANALYZE_DEVICE_EVENTS_H
#define ANALYZE_DEVICE_EVENTS_H

#include "model/trace.h"

typedef struct device_events {
    const uint32_t *at;    // events, device after device
    const uint32_t *first; // [d]: where those of device d begin; [device_count]: the end
} device_events;

device_events device_events_of(const trace *t, arena *a);

bool trace_has_device_work(const trace *t);

#endif
