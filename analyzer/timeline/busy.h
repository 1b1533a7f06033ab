// SPDX-License-Identifier: BSD-3-Clause
// When events of a kind run: a device, a thread, a role.
#ifndef TIMELINE_BUSY_H
#define TIMELINE_BUSY_H

#include "model/trace.h"
#include "timeline/interval.h"

#define BUSY_ANY UINT32_MAX

// Which events count.
typedef struct busy_query {
    uint32_t roles;                 // bits 1 << role
    uint32_t flags_all, flags_none; // of the name: all of these, none of those
    uint32_t device;                // index into trace.devices, or BUSY_ANY
    uint32_t lane;                  // or BUSY_ANY
} busy_query;

#define BUSY_ROLE(role) (1u << (role))
enum {
    BUSY_COPIES = 1u << ROLE_MEMCPY | 1u << ROLE_MEMSET,
    BUSY_WORK = BUSY_COPIES | 1u << ROLE_KERNEL,
    BUSY_CALLS = 1u << ROLE_RUNTIME | 1u << ROLE_DRIVER,
};

bool busy_counts(const trace *t, const busy_query *q, uint32_t event);

// When at least one event that counts runs. One pass over all events.
interval_set busy_intervals(const trace *t, const busy_query *q, arena *a);

// The same for each lane, in one pass over all events: trace.lane_count sets.
interval_set *busy_by_lane(const trace *t, const busy_query *q, arena *a);

#endif
