// SPDX-License-Identifier: BSD-3-Clause
// Relations between the events of a trace. trace_link() fills events.link; the headers included
// here ask.
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "link/flows.h"
#include "link/owner.h"
#include "model/trace.h"

// Fills events.link for device work (correlate.c) and host events (op_tree.c), clips implausible
// durations (plausible.c), and notes what could not be linked. Call once, before the trace is
// frozen.
void trace_link(trace *t);

#endif
