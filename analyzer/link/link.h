// SPDX-License-Identifier: BSD-3-Clause
// Relations between the events of a trace.
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "link/flows.h"
#include "model/trace.h"

// Lists device work and links it to the calls that launched it (correlate.c), links host events to
// what is around them and lists launches and marked ranges (op_tree.c), clips implausible durations
// (plausible.c), notes what could not be linked, and gives events.correlation and events.external
// back. Call once, before the trace is frozen. In two threads where `side_by_side`.
void trace_link(trace *t, bool side_by_side);

#endif
