// SPDX-License-Identifier: BSD-3-Clause
// A file becomes a trace.
#include "model/intake.h"

err_code trace_load(input *in, const read_limits *limits, bool side_by_side, trace **out,
                    error *err)
{
    intake *const made = intake_create();
    const record_visitor visitor = intake_visitor(made);

    *out = NULL;
    const err_code failed = read_chrome(in, limits, &visitor, err);
    if (!failed)
        input_drain(in);
    trace *t = intake_finish(made, side_by_side);
    t->stored_bytes = input_stored_bytes(in);
    t->inflated_bytes = input_inflated_bytes(in);
    if (failed || t->events.count == 0) {
        const uint64_t records = t->records;
        trace_destroy(t);
        if (failed)
            return failed;
        err->path = input_path(in);
        return error_at(err, ERR_NOT_TRACE, ERROR_NO_OFFSET,
                        "no events (%llu records of other kinds)", (unsigned long long)records);
    }
    *out = t;
    return ERR_NONE;
}
