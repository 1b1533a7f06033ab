// SPDX-License-Identifier: BSD-3-Clause
// Top-level keys beside traceEvents: what they say of the trace.
#ifndef MODEL_METADATA_H
#define MODEL_METADATA_H

#include "model/lanes.h"

// Takes a key with its raw value: devices, ranks, base time and log lines to their places, the rest
// into trace.metadata. Keys may come in any order, before or after events.
void metadata_take(lane_table *lanes, text key, text raw_json);

#endif
