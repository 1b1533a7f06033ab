// SPDX-License-Identifier: BSD-3-Clause
// Notes about what a whole trace lacks.
#ifndef MODEL_HEALTH_H
#define MODEL_HEALTH_H

#include "model/trace.h"

typedef struct role_census {
    uint64_t host, calls, launches, work; // events
} role_census;

role_census health_count(const trace *t);

// Once, when all records are in.
void health_note_all(trace *t, role_census c);

#endif
