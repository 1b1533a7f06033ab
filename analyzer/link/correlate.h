// SPDX-License-Identifier: BSD-3-Clause
// Which call launched which device work.
#ifndef LINK_CORRELATE_H
#define LINK_CORRELATE_H

#include "model/trace.h"

// Fills events.link of all device work: the runtime or driver call of equal correlation, or
// EVENT_NONE. One launch may own much work, as a graph's does.
void correlate(trace *t);

#endif
