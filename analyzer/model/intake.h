// SPDX-License-Identifier: BSD-3-Clause
// Takes a reader's records and makes a trace of them.
#ifndef MODEL_INTAKE_H
#define MODEL_INTAKE_H

#include "model/trace.h"

// One trace being made. One thread.
typedef struct intake intake;

intake *intake_create(void);

// The same for a part of a file that is not its beginning.
intake *intake_create_later(void);

// What a reader calls; valid until the intake is gone.
record_visitor intake_visitor(intake *in);

// Adds to `to` what `from`, of the part of the file right behind, has taken, as if `to` had taken
// it; `from` is gone. False, and both are as before, where one part cannot be told without the
// other, as with ranges of B and E records.
bool intake_join(intake *to, intake *from);

// Sorts what was taken already, as intake_finish() does else: for a thread that has the time.
void intake_order(intake *in, bool side_by_side);

// Ends an intake and what it took.
void intake_drop(intake *in);

// Ends the records: `in` is gone, the trace is sorted, not yet linked, and the caller's. It may
// have no events.
trace *intake_finish(intake *in, bool side_by_side);

#endif
