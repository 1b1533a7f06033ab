// SPDX-License-Identifier: BSD-3-Clause
// What a log says of the program, the machine and the recording.
#ifndef ANALYZE_ENVIRONMENT_H
#define ANALYZE_ENVIRONMENT_H

#include "analyze/overview.h"

// Fills `o->environment`.
void environment_add(overview *o, const worker *w, arena *a);

// Samples a step, as the program stated it; -1 where it did not.
int64_t environment_batch_size(const worker *w);

#endif
