// SPDX-License-Identifier: BSD-3-Clause
// Durations of device work that cannot be (definitions, "Plausible duration").
#ifndef LINK_PLAUSIBLE_H
#define LINK_PLAUSIBLE_H

#include "model/trace.h"

typedef struct recording {
    int64_t end;
    int64_t slack; // how far past the end work may run
} recording;

recording recording_of(const trace *t);

// Clips device work that runs far past the end of the recording, or over the starts of later work
// of its stream, to the next start on its stream, else to the end of the recording. Each is noted
// and kept in trace.clipped. Events stay in their order. The trace is correlated.
void plausible_clip(trace *t, recording r);

#endif
