// SPDX-License-Identifier: BSD-3-Clause
// What a recording holds and lacks: launches without device records, notes of the readers.
#ifndef ANALYZE_DATA_HEALTH_H
#define ANALYZE_DATA_HEALTH_H

#include "analyze/worker.h"

// A kind of trouble over all spans.
typedef struct data_note {
    const char *code, *text;
    note_severity severity;
    uint64_t count;
    int64_t byte; // of the first in the first span that has it, or ERROR_NO_OFFSET
} data_note;

typedef struct data_health {
    int64_t spans;
    int64_t launch_calls, device_events; // of all spans
    int64_t listed_devices;              // by the log's properties, in the span with most
    const char *gpu_status;              // why there is no device work, in the recorder's words
    text_list log_lines;                 // what the profiler logged, the first few
    data_note *notes;                    // in order of first appearance
    uint32_t note_count;
} data_health;

data_health data_health_analyze(const worker *w, arena *a);

#endif
