// SPDX-License-Identifier: BSD-3-Clause
// How busy each device of a worker was, and how well it was used.
#ifndef ANALYZE_OVERVIEW_DEVICES_H
#define ANALYZE_OVERVIEW_DEVICES_H

#include "analyze/overview.h"

// Fills `o->devices`: devices that worked, or, where none did, those that the log lists, with
// unknown figures. In order of their number, then text.
void overview_devices_add(overview *o, const worker *w, arena *a);

#endif
