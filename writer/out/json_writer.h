// SPDX-License-Identifier: BSD-3-Clause
// JSON text into a sink: commas, escapes, numbers. The only JSON emitter in the tree.
#ifndef OUT_JSON_WRITER_H
#define OUT_JSON_WRITER_H

#include "out/json_text.h"
#include "out/sink.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TP_JSON_DEPTH = 64, // of nesting; what is deeper sets the sink's status to TPROF_ERR_ARGUMENT
    TP_JSON_BUFFER = 8192,
};

// Plain fields, no heap; the sink must outlive it. Order of use: open, one value, close.
typedef struct tp_json {
    tp_sink *sink;
    int32_t indent; // spaces a level, 0: all on one line
    int32_t depth;
    uint64_t filled;  // bit per level: something stands there already
    uint64_t objects; // bit per level: an object, not an array
    bool after_key;
    uint32_t used;
    char buffer[TP_JSON_BUFFER];
} tp_json;

void tp_json_open(tp_json *json, tp_sink *sink, int indent);

// Hands the rest to the sink, with a line end after pretty printing; the sink stays open and tells
// of failures.
void tp_json_close(tp_json *json);

void tp_json_object_begin(tp_json *json);
void tp_json_object_end(tp_json *json);
void tp_json_array_begin(tp_json *json);
void tp_json_array_end(tp_json *json);

// The key of the next value. Escaped as strings are.
void tp_json_key(tp_json *json, const char *key);

void tp_json_int(tp_json *json, int64_t value);
void tp_json_uint(tp_json *json, uint64_t value);
void tp_json_double(tp_json *json, double value); // shortest text that reads back; NaN, inf: null
void tp_json_bool(tp_json *json, bool value);
void tp_json_null(tp_json *json);

// Text with RFC 8259 escapes; bytes that are not UTF-8 become U+FFFD. NULL is null.
void tp_json_string(tp_json *json, const char *text);
void tp_json_text(tp_json *json, const char *text, size_t length);

// `text` as it stands, as one value: JSON made or checked elsewhere.
void tp_json_raw(tp_json *json, const char *text, size_t length);

// Key and value in one call.
void tp_json_key_int(tp_json *json, const char *key, int64_t value);
void tp_json_key_double(tp_json *json, const char *key, double value);
void tp_json_key_bool(tp_json *json, const char *key, bool value);
void tp_json_key_string(tp_json *json, const char *key, const char *text);

// Whether `text` is exactly one JSON value, nested at most TP_JSON_DEPTH deep, in valid UTF-8.
bool tp_json_valid(const char *text, size_t length);

#endif
