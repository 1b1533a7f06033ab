// SPDX-License-Identifier: BSD-3-Clause
// One trace record as read, and the visitor that takes it. This is all the model knows of files.
#ifndef READ_RECORD_H
#define READ_RECORD_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// Which fields a record had; a bit is clear where the key was absent, null, or not of a usable
// type.
typedef enum record_field {
    FIELD_NAME = 1 << 0,
    FIELD_CATEGORY = 1 << 1,
    FIELD_PROCESS = 1 << 2,
    FIELD_THREAD = 1 << 3,
    FIELD_TIME = 1 << 4,
    FIELD_DURATION = 1 << 5,
    FIELD_CORRELATION = 1 << 6,
    FIELD_EXTERNAL = 1 << 7,
    FIELD_DEVICE = 1 << 8,
    FIELD_STREAM = 1 << 9,
    FIELD_SHAPES = 1 << 10,     // "Input Dims" or "Input dims"
    FIELD_TYPES = 1 << 11,      // "Input type"
    FIELD_STACK = 1 << 12,      // "Call stack"
    FIELD_SEQUENCE = 1 << 13,   // "Sequence number"
    FIELD_FWD_THREAD = 1 << 14, // "Fwd thread id"
    FIELD_GRID = 1 << 15,
    FIELD_BLOCK = 1 << 16,
    FIELD_REGISTERS = 1 << 17,
    FIELD_SHARED = 1 << 18,    // "shared memory"
    FIELD_BLOCKS_SM = 1 << 19, // "blocks per SM"
    FIELD_OCCUPANCY = 1 << 20, // "est. achieved occupancy %"
    FIELD_BYTES = 1 << 21,     // "bytes"; "Bytes" of memory instants
    FIELD_MODULE_ID = 1 << 22, // "Python module id", where not null
    FIELD_ARG_NAME = 1 << 23,  // args.name, args.labels of metadata records
    FIELD_FLOW_ID = 1 << 24,   // "id" beside ph s, f, t
} record_field;

enum { RECORD_TOKENS = 1024 };

#define RECORD_RARE                                                                                \
    (~(uint32_t)(FIELD_NAME | FIELD_CATEGORY | FIELD_PROCESS | FIELD_THREAD | FIELD_TIME |         \
                 FIELD_DURATION | FIELD_CORRELATION | FIELD_EXTERNAL))

// Texts are slices of the reader's window, valid until the visitor returns, with JSON escapes
// already resolved (invalid UTF-8 replaced, lone surrogates as U+FFFD). Ids stand as written: 7 and
// "7" are the same text "7". Raw JSON slices (shapes, types) are free of white space outside
// strings. Where a bit of `fields` is clear, a text is empty and a number other than a time means
// nothing.
typedef struct record {
    uint64_t offset; // of the record's '{' in the inflated stream
    uint32_t fields; // record_field bits
    char phase;      // 'X', 'B', 'E', 'i', 'M', 's', 'f', 't', 'C', ...; 0 without "ph"
    // 0, or a number below RECORD_TOKENS: of two records with the same one, process and thread are
    // equal, or the category is.
    uint16_t lane_token, category_token;
    int64_t time_ns;     // "ts", exact; as in the file, without baseTimeNanoseconds
    int64_t duration_ns; // "dur", exact; may be negative here
    text name, category, process, thread, correlation, external;
    // Most records have none of the others, RECORD_RARE.
    text device, stream, flow_id;
    text shapes, types; // raw JSON
    text stack, arg_name;
    int64_t sequence, fwd_thread, module_id;
    int64_t registers, shared_bytes, bytes;
    int32_t grid[3], block[3];
    double blocks_per_sm, occupancy_percent;
} record;

// What was bent to be read, or lost. A stable word, e.g. "truncated"; see json_report's `health`.
typedef enum note_severity { NOTE_INFO, NOTE_WARNING, NOTE_ERROR } note_severity;

// How a reader speaks to the model. `self` is handed back. Called from one thread, in file order.
typedef struct record_visitor {
    void *self;
    // One element of traceEvents. The record is the reader's and is overwritten by the next.
    void (*event)(void *self, const record *r);
    // A top-level key beside traceEvents with its value as strict, compact JSON (nothing bent is
    // left), valid during the call; before or after events. A value above the reader's limit is
    // left out and noted.
    void (*metadata)(void *self, text key, text raw_json);
    // Something was bent or lost at `offset`: `code` and `what` are literals. Called once an
    // occurrence.
    void (*note)(void *self, const char *code, note_severity severity, uint64_t offset,
                 const char *what);
} record_visitor;

// When the thread that inflates reads events, too, which are then handed on in their order.
typedef enum read_ahead { AHEAD_WHEN_BEHIND, AHEAD_ALWAYS } read_ahead;

// Bounds for hostile input; a zero takes the default.
typedef struct read_limits {
    uint32_t depth;         // of nesting; default 512
    uint32_t string_bytes;  // of one text; default 16 MiB, the rest is dropped and noted
    uint32_t element_bytes; // of one event or top-level value; default 64 MiB, longer ones are
                            // skipped and noted
    uint32_t inflate_ratio; // inflated / compressed, once 64 MiB are out; default 2000
    uint32_t window_bytes;  // of inflated text at a time; default and at most 1 MiB
    const char *scanner; // "scalar", "sse2", "avx2", "neon"; NULL: the best that this machine has
    bool plain_scan;     // no learned gaps: every byte is tokenized; the reference for them
    read_ahead ahead;
    uint32_t gap_values;   // values seen before gaps are joined; default 4096
    uint32_t halved_bytes; // plain files from here on may be read by two threads; default 4 MB
} read_limits;

#endif
