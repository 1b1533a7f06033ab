// SPDX-License-Identifier: BSD-3-Clause
// Takes a reader's records and makes a trace of them.
#ifndef MODEL_INTAKE_H
#define MODEL_INTAKE_H

#include "model/trace.h"

// One trace being made. One thread.
typedef struct intake intake;

intake *intake_create(void);

// What a reader calls; valid until intake_finish().
record_visitor intake_visitor(intake *in);

// Ends the records: `in` is gone, the trace is sorted, not yet linked, and the caller's. It may
// have no events.
trace *intake_finish(intake *in);

#endif
