// SPDX-License-Identifier: BSD-3-Clause
// A trace of some steps only, for tables that are asked for by step.
#ifndef LINK_STEP_TRACE_H
#define LINK_STEP_TRACE_H

#include "link/steps.h"

// What `steps` did: host events that begin inside a mark, device work that these launched, and
// device work without a launch that begins inside a window. A view of `t`, which must be linked and
// outlive it: it shares all but its events. `steps` are in order of begin.
const trace *step_trace(const trace *t, const step_list *steps, arena *a);

#endif
