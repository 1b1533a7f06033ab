// SPDX-License-Identifier: BSD-3-Clause
// What one run of the program works on: inputs, and the workers they belong to.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/options.h"
#include "model/trace.h"
#include "read/run_dir.h"
#include "report/renderer.h"

#include <stdatomic.h>

// A trace file.
typedef struct job_input {
    run_file file;
    int64_t size;      // as stored, or -1 (standard input)
    err_code code;     // why it cannot be used
    error failure;     // in words
    trace *trace;      // from when it is read until its worker is reported; NULL if unusable
    report_input seen; // what the report says of it; set with its worker
} job_input;

// A row of the table of workers, or of spans.
typedef struct worker_row {
    const char *run, *worker;
    const char *span;                            // "" for a worker
    int64_t rank, spans, steps, mean_ns, p95_ns; // INT_NONE: unknown
    const char *verdict;
    double share;
    int64_t gain_ns;
} worker_row;

// The parts of a report that a worker makes, for one format.
typedef struct part_list {
    report_part *at;
    uint32_t count, capacity;
    tp_sink **sinks; // that hold the bytes of large ones
    uint32_t sink_count, sink_capacity;
} part_list;

enum {
    MOST_FORMATS = 8,
    TIGHT_BLOCKS = 4, // workers that get a block of their own where no view was asked for
    VIEW_BLOCKS = 16, // and where views were, but no workers, ranks or spans
};

// The spans of a worker: inputs [first, first + count).
typedef struct job_unit {
    uint32_t first, count;
    atomic_uint unread;
    arena *arena; // what outlives the traces: parts, names, notes
    bool usable;  // false: no input could be read, or its rank was not asked for
    bool left_out;
    uint64_t matched; // rows that --filter kept
    worker_row row;
    worker_row *span_rows; // with --by span
    uint32_t span_row_count;
    part_list parts[MOST_FORMATS];
} job_unit;

typedef struct job {
    const options *options;
    arena *arena;
    run_listing listing;
    job_input *inputs; // in the order of the listing
    uint32_t input_count;
    job_unit *units;
    uint32_t unit_count;
    const renderer *formats[MOST_FORMATS];
    uint32_t format_count;
    report_style style; // of people's formats
    uint32_t unopened;  // paths that could not be opened
    bool spare_thread;  // a worker may be analysed by a second thread
} job;

// Finds the inputs below the paths and groups them. Paths that cannot be opened are reported at
// once, and counted. Fails with ERR_USAGE where --worker or --span fits none of what was found.
err_code job_gather(job *j, error *err);

// What is being read at the moment, for a progress bar: an input, its two halves, or nothing.
typedef struct job_reading {
    input *at[2];      // or NULL
    uint64_t in_front; // bytes before the second half, which its count starts from
} job_reading;

// Reads one input, with a second thread to inflate or to read half of it where `two_threads`. Tells
// `publish` when it begins and ends to use the handles.
void job_read(const job *j, job_input *in, bool two_threads, void (*publish)(void *, job_reading),
              void *self);

// Fills in->seen; its texts live in `a`, its names in the listing.
void job_describe(job_input *in, arena *a);

// Frees what a worker left behind.
void job_unit_end(job_unit *u);

// Analyses a worker whose inputs are all read, renders its parts, and frees its traces.
void job_report_unit(job *j, job_unit *u);

// Whether people see each span for itself.
bool job_by_span(const job *j);

// How many of the report's blocks people see: workers, or spans with --by span, in the order of the
// listing.
uint32_t job_blocks_shown(const job *j);

// The rank that a name tells: the number behind its last "rank", "rank_" or "rank-"; or -1.
int64_t rank_in_name(const char *name);

#endif
