// SPDX-License-Identifier: BSD-3-Clause
// A capture into a file.
#include "encode/encoder.h"

tprof_status tp_encode_file(const tp_encoder *encoder, const tp_capture *capture, const char *path,
                            const char *trace_name, int *error)
{
    tp_sink *sink;

    const tprof_status status = tp_sink_named_open(path, trace_name, &sink, error);
    if (status != TPROF_OK)
        return status;
    encoder->encode(capture, trace_name, sink);
    return tp_sink_close(sink, error);
}
