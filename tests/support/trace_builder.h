// SPDX-License-Identifier: BSD-3-Clause
// Makes traces for tests: the same events as records fed to the model, or as a file's JSON text.
#ifndef SUPPORT_TRACE_BUILDER_H
#define SUPPORT_TRACE_BUILDER_H

#include "model/trace.h"

// An event as it would stand in a file. Zeros and NULLs are absent keys, but for `phase` (X),
// `process` and `thread` ("1"). Ids are texts as in the file. Times are ns.
typedef struct made_event {
    const char *category, *name;
    char phase;
    const char *process, *thread;
    int64_t begin, duration;
    bool without_duration;
    const char *correlation, *external;
    const char *device, *stream;
    const char *shapes, *types, *stack; // shapes and types: raw JSON
    const char *arg_name;               // of metadata records
    const char *flow_id;
    int64_t sequence, fwd_thread; // present with `has_sequence`
    bool has_sequence;
    int64_t module_id; // present when not 0
    int32_t grid[3], block[3];
    int64_t registers, shared_bytes, bytes;
    double blocks_per_sm, occupancy_percent;
} made_event;

// Owns what it is given: texts are copied.
typedef struct trace_builder trace_builder;

trace_builder *trace_builder_create(void);
void trace_builder_destroy(trace_builder *b);

void trace_builder_add(trace_builder *b, made_event e);

// A top-level key with its raw JSON value.
void trace_builder_metadata(trace_builder *b, const char *key, const char *raw_json);

// The usual kinds. A host event is on process "1" and `thread`; device work on device "0".
void made_step(trace_builder *b, int number, const char *thread, int64_t begin, int64_t end);
void made_op(trace_builder *b, const char *name, const char *thread, int64_t begin, int64_t end);
void made_annotation(trace_builder *b, const char *name, const char *thread, int64_t begin,
                     int64_t end);
void made_call(trace_builder *b, const char *name, const char *thread, const char *correlation,
               int64_t begin, int64_t end);
void made_kernel(trace_builder *b, const char *name, const char *stream, const char *correlation,
                 int64_t begin, int64_t end);
void made_copy(trace_builder *b, const char *name, const char *stream, const char *correlation,
               int64_t begin, int64_t end);
// The Trace span and the instant at its end.
void made_window(trace_builder *b, int64_t begin, int64_t end);

// What was added as a trace, sorted and not linked; the caller's, see trace_destroy().
trace *trace_builder_trace(const trace_builder *b);

// Hands events [from, behind), and the top-level keys, to a visitor as a reader does.
void trace_builder_feed(const trace_builder *b, const record_visitor *to, uint32_t from,
                        uint32_t behind);
void trace_builder_feed_metadata(const trace_builder *b, const record_visitor *to);

// What was added as a trace file; the builder's, until it is destroyed.
const char *trace_builder_json(trace_builder *b);

// The number of events and the `n`-th (from 0) event of this name, in order of begin, or
// EVENT_NONE.
uint32_t events_named(const trace *t, const char *name);
uint32_t event_named(const trace *t, const char *name, uint32_t n);

// The count of a note, 0 without one.
uint64_t notes_of(const trace *t, const char *code);

#endif
