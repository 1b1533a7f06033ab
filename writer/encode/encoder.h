// SPDX-License-Identifier: BSD-3-Clause
// From a capture to bytes.
#ifndef ENCODE_ENCODER_H
#define ENCODE_ENCODER_H

#include "capture.h"
#include "out/sink.h"

typedef struct tp_encoder {
    const char *name;   // for messages
    const char *suffix; // of a file's name: ".pt.trace.json"
    // Any thread; the capture is only read. Failures stick to the sink. `trace_name` is the path
    // that the file will have.
    void (*encode)(const tp_capture *capture, const char *trace_name, tp_sink *sink);
} tp_encoder;

// Encodes into a new file at `path`, compressed where that ends in .gz. The file gets its name when
// it is complete. `error` gets the errno of a failure, or 0.
tprof_status tp_encode_file(const tp_encoder *encoder, const tp_capture *capture, const char *path,
                            const char *trace_name, int *error);

// The trace that TensorBoard, Perfetto and tprof-analyze open.
extern const tp_encoder tp_encoder_chrome;

#endif
