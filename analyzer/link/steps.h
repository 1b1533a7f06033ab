// SPDX-License-Identifier: BSD-3-Clause
// Steps of a trace: host marks, and windows that the device work they launched extends
// (definitions, "Steps").
#ifndef LINK_STEPS_H
#define LINK_STEPS_H

#include "model/trace.h"

typedef struct step {
    const char *name;             // text after "ProfilerStep#", or "all"
    int64_t begin, end;           // the window, ns since the trace's base
    int64_t host_begin, host_end; // the mark
    uint32_t lane;                // the mark's thread, or UINT32_MAX for "all"
    bool complete; // false: cut by the recording window, or without device records although others
                   // have
} step;

typedef struct step_list {
    step *at;
    uint32_t count;
    bool marked; // false: one step "all", since the trace has no marks
} step_list;

// In order of begin. A trace without any usable event has no step. `t` must be linked.
step_list steps_of(const trace *t, arena *a);

#endif
