// SPDX-License-Identifier: BSD-3-Clause
// Which call launched which device work.
#ifndef LINK_CORRELATE_H
#define LINK_CORRELATE_H

#include "model/trace.h"

// Lists the device work of the trace (trace.work), and fills its events.link: the runtime or driver
// call of equal correlation, or EVENT_NONE. One launch may own much work, as a graph's does.
void correlate(trace *t);

#endif
