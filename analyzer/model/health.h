// SPDX-License-Identifier: BSD-3-Clause
// Notes about what a whole trace lacks.
#ifndef MODEL_HEALTH_H
#define MODEL_HEALTH_H

#include "model/trace.h"

// Once, when all records are in.
void health_note_all(trace *t);

#endif
