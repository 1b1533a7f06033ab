// SPDX-License-Identifier: BSD-3-Clause
// The end of a sink's life, the same for all kinds.
#include "out/sink.h"

tprof_status tp_sink_close(tp_sink *sink, int *error)
{
    if (!sink) {
        if (error)
            *error = 0;
        return TPROF_ERR_MEMORY;
    }

    if (sink->status == TPROF_OK)
        sink->status = sink->finish(sink);
    const tprof_status status = sink->status;
    if (error)
        *error = status == TPROF_OK ? 0 : sink->error;
    sink->release(sink);
    return status;
}

void tp_sink_abandon(tp_sink *sink)
{
    if (sink)
        sink->release(sink);
}
