// SPDX-License-Identifier: BSD-3-Clause
// One trace file in memory, all in one arena. Built from records, linked, then frozen: analyses see
// it const.
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include "model/category.h"
#include "model/events.h"
#include "model/name_flags.h"
#include "model/strings.h"
#include "read/read_chrome.h"

#include <stdbool.h>
#include <stdint.h>

#define TIME_NONE   INT64_MIN
#define LAUNCH_NONE UINT32_MAX
#define RANGE_NONE  UINT32_MAX

typedef enum lane_kind { LANE_THREAD, LANE_STREAM } lane_kind;

// A host thread (pid, tid) or a device's stream (args.device, args.stream; else pid, tid).
typedef struct lane {
    lane_kind kind;
    uint32_t process; // string id: pid as written
    uint32_t thread;  // string id: tid as written; of a stream: its id
    uint32_t name;    // string id of its thread_name, or STRING_NONE
    uint32_t device;  // streams: index into trace.devices
    uint32_t events;  // stored on it
} lane;

// A device that ran work, or that deviceProperties lists. Numbers are -1 where unknown.
typedef struct device {
    uint32_t id;    // string id: args.device, else the pid
    int64_t number; // the id as a number, or INT64_MAX: devices are in this order, then by text
    uint32_t name;  // string id, or STRING_NONE
    int64_t memory_bytes, sm_count, compute_major, compute_minor;
    bool has_work;  // false: only listed
    uint32_t lanes; // streams seen
} device;

// What operators have beside their times; equal ones are one entry.
typedef struct op_detail {
    uint32_t shapes; // string id of the raw JSON of "Input Dims", no blanks; or STRING_NONE
    uint32_t types;  // the same of "Input type"
    uint32_t stack;  // string id of "Call stack", or STRING_NONE
} op_detail;

// What device work has beside its times; equal ones are one entry. -1: absent.
typedef struct device_detail {
    int32_t grid[3], block[3];
    int64_t registers, shared_bytes, bytes;
    double blocks_per_sm;     // < 0: absent
    double occupancy_percent; // NaN: absent; as in the file, may be negative (an error mark)
    bool has_shape;           // grid and block were there
} device_detail;

// Forward and backward operators share (thread, sequence number); sparse, so beside the events.
typedef struct sequence_mark {
    uint32_t event;
    int64_t number;     // "Sequence number"
    int64_t fwd_thread; // "Fwd thread id": 0 marks forward
} sequence_mark;

// Arrow from a forward to a backward operator (cat fwdbwd and its names of the past), by time and
// lane.
typedef struct flow_end {
    uint64_t id;     // hash of the id's text
    int64_t time_ns; // relative as event times
    uint32_t lane;
    bool start; // ph s: forward; ph f: backward
} flow_end;

// A category word may stand for several roles: user_annotation for annotations and steps.
typedef struct category_count {
    uint32_t word; // string id of "cat"; of records without: of ""
    uint8_t role;
    uint64_t records; // of any phase
    int64_t total_ns; // of those with a duration
} category_count;

// Device work whose duration was not plausible, and was clipped.
typedef struct clipped_duration {
    uint32_t event;
    int64_t raw_ns; // as in the file
} clipped_duration;

// A call that launched device work, and where in the program it was made.
typedef struct launch {
    uint32_t call;        // event
    uint32_t in_operator; // innermost one around it (link/ranges.h): event, or EVENT_NONE
    uint32_t in_range;    // the same: index into trace.ranges, or RANGE_NONE
} launch;

// A range that the program marked (link/ranges.h).
typedef struct marked_range {
    uint32_t event;
    uint32_t around; // index into trace.ranges of the innermost one around it, or RANGE_NONE
} marked_range;

// A kind of trouble with the data, counted. Codes are stable words (json_report, `health`).
typedef struct health_note {
    const char *code;
    note_severity severity;
    uint64_t count;
    int64_t byte;     // of the first occurrence, or ERROR_NO_OFFSET
    const char *text; // a sentence
} health_note;

typedef struct metadata_entry {
    uint32_t key;  // string id
    uint32_t json; // string id of the raw JSON
} metadata_entry;

typedef struct trace {
    arena *arena;
    strings strings;
    uint32_t *name_flags; // by string id, for names of events; see name_flag
    events events;
    lane *lanes;
    uint32_t lane_count, lane_capacity;
    device *devices; // ordered by number, then text
    uint32_t device_count, device_capacity;
    op_detail *op_details;
    uint32_t op_detail_count, op_detail_capacity;
    device_detail *device_details;
    uint32_t device_detail_count, device_detail_capacity;
    sequence_mark *sequences;
    uint32_t sequence_count, sequence_capacity;
    flow_end *flows;
    uint32_t flow_count, flow_capacity;
    category_count *categories;
    uint32_t category_count, category_capacity;
    health_note *notes; // in order of first appearance
    uint32_t note_count, note_capacity;
    metadata_entry
        *metadata; // top-level keys beside traceEvents, without log arrays and deviceProperties
    uint32_t metadata_count, metadata_capacity;
    const char **log_lines; // strings of INFO, WARNING, ERROR, STAGE arrays
    uint32_t log_line_count, log_line_capacity;

    // Filled by link/, as are events.link.
    uint32_t *work;        // device work, in order of begin
    uint32_t *launched_by; // of each of `work`: index into launches, or LAUNCH_NONE
    uint32_t work_count;
    launch *launches; // in order of their calls
    uint32_t launch_count;
    marked_range *ranges; // in order of begin
    uint32_t range_count, range_capacity;
    clipped_duration *clipped; // in order of event
    uint32_t clipped_count, clipped_capacity;

    int64_t base_ns; // epoch; events are relative to it. baseTimeNanoseconds; else the first begin
                     // of files with absolute stamps; else 0
    bool base_known; // false: stamps are relative and no base was stored
    int64_t window_begin; // of the recording, relative: the Trace span, else of the events, ...
    int64_t window_end;   // ... else Record Window End, else of the events. TIME_NONE without any
    bool window_told;     // false: the end is that of the events
    int64_t rank, world_size; // -1: unknown
    bool truncated;
    uint64_t stored_bytes, inflated_bytes;
    uint64_t records; // elements of traceEvents, of any kind
} trace;

// Reads `in` to its end. The trace is sorted and not yet linked; free it with trace_destroy(). On
// failure *out is NULL and `err` says why; ERR_NOT_TRACE too where the file is well but holds no
// event that is stored.
err_code trace_load(input *in, const read_limits *limits, bool side_by_side, trace **out,
                    error *err);
void trace_destroy(trace *t); // NULL is allowed

static inline text trace_name(const trace *t, uint32_t event)
{
    return strings_text(&t->strings, t->events.name[event]);
}

static inline uint32_t event_flags(const trace *t, uint32_t event)
{
    return t->name_flags[t->events.name[event]];
}

// The duration of device work as it stood in the file.
int64_t raw_duration(const trace *t, uint32_t event);

// Counts an occurrence of `code`, making the note if it is the first. `code` and `what` must live
// on.
void trace_note(trace *t, const char *code, note_severity severity, int64_t byte, const char *what);

// The same for all that `seen` tells.
void trace_note_seen(trace *t, const health_note *seen);

// The same for `count` occurrences at once; with 0 nothing happens.
void trace_note_many(trace *t, const char *code, note_severity severity, uint64_t count,
                     const char *what);

// The raw JSON of a top-level key, or an empty text.
text trace_metadata(const trace *t, const char *key);

#endif
