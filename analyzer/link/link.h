// SPDX-License-Identifier: BSD-3-Clause
// Relations between the events of a trace. trace_link() fills events.link; the rest asks.
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "model/trace.h"

// Fills events.link for device work (correlate.c) and host events (op_tree.c), clips implausible
// durations (plausible.c), and notes what could not be linked. Call once, before the trace is
// frozen.
void trace_link(trace *t);

// The innermost operator (ROLE_OPERATOR; a loader is none, a step is none) around a host event,
// itself excluded; or EVENT_NONE. Follows events.link upwards.
uint32_t owner_operator(const trace *t, uint32_t host_event);

// The innermost event of any kind but calls around a launch: operator, annotation, module, Python
// function.
uint32_t owner_any(const trace *t, uint32_t host_event);

#endif
