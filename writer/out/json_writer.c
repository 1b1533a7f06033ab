// SPDX-License-Identifier: BSD-3-Clause
// JSON text into a sink: commas, keys, levels.
#include "out/json_writer.h"

#include <string.h>

static void flush(tp_json *json)
{
    if (json->used)
        tp_sink_write(json->sink, json->buffer, json->used);
    json->used = 0;
}

// Room for `size` bytes, far less than the buffer.
static char *reserve(tp_json *json, size_t size)
{
    if (json->used + size > TP_JSON_BUFFER)
        flush(json);
    return json->buffer + json->used;
}

static void advance(tp_json *json, const char *end)
{
    json->used = (uint32_t)(end - json->buffer);
}

static void put(tp_json *json, char c)
{
    *reserve(json, 1) = c;
    json->used++;
}

static void new_line(tp_json *json)
{
    if (!json->indent)
        return;
    put(json, '\n');
    for (int32_t i = 0; i < json->depth * json->indent; i++)
        put(json, ' ');
}

static uint64_t level(const tp_json *json)
{
    return (uint64_t)1 << (json->depth & (TP_JSON_DEPTH - 1));
}

// The comma and the line before an element or key.
static void begin_element(tp_json *json)
{
    if (json->depth == 0)
        return;
    if (json->filled & level(json))
        put(json, ',');
    json->filled |= level(json);
    new_line(json);
}

static void begin_value(tp_json *json)
{
    if (json->after_key)
        json->after_key = false;
    else
        begin_element(json);
}

static void open_level(tp_json *json, char bracket)
{
    begin_value(json);
    put(json, bracket);
    json->depth++;
    if (json->depth >= TP_JSON_DEPTH && json->sink->status == TPROF_OK)
        json->sink->status = TPROF_ERR_ARGUMENT;
    json->filled &= ~level(json);
}

static void close_level(tp_json *json, char bracket)
{
    const bool filled = json->filled & level(json);
    json->depth--;
    if (filled)
        new_line(json);
    put(json, bracket);
}

static void quote(tp_json *json, const char *text, size_t length)
{
    const char *const end = text + length;

    put(json, '"');
    while (text < end) {
        char *at = reserve(json, TP_ESCAPE_ROOM);
        advance(json, tp_text_escaped(at, json->buffer + TP_JSON_BUFFER, &text, end));
    }
    put(json, '"');
}

void tp_json_open(tp_json *json, tp_sink *sink, int indent)
{
    json->sink = sink;
    json->indent = indent;
    json->depth = 0;
    json->filled = 0;
    json->after_key = false;
    json->used = 0;
}

void tp_json_close(tp_json *json)
{
    if (json->indent)
        put(json, '\n');
    flush(json);
}

void tp_json_object_begin(tp_json *json)
{
    open_level(json, '{');
}

void tp_json_object_end(tp_json *json)
{
    close_level(json, '}');
}

void tp_json_array_begin(tp_json *json)
{
    open_level(json, '[');
}

void tp_json_array_end(tp_json *json)
{
    close_level(json, ']');
}

void tp_json_key(tp_json *json, const char *key)
{
    begin_element(json);
    quote(json, key, strlen(key));
    put(json, ':');
    if (json->indent)
        put(json, ' ');
    json->after_key = true;
}

void tp_json_int(tp_json *json, int64_t value)
{
    begin_value(json);
    advance(json, tp_text_int(reserve(json, 24), value));
}

void tp_json_uint(tp_json *json, uint64_t value)
{
    begin_value(json);
    advance(json, tp_text_uint(reserve(json, 24), value));
}

void tp_json_double(tp_json *json, double value)
{
    begin_value(json);
    advance(json, tp_text_double(reserve(json, 32), value));
}

void tp_json_bool(tp_json *json, bool value)
{
    tp_json_raw(json, value ? "true" : "false", value ? 4 : 5);
}

void tp_json_null(tp_json *json)
{
    tp_json_raw(json, "null", 4);
}

void tp_json_string(tp_json *json, const char *text)
{
    if (text)
        tp_json_text(json, text, strlen(text));
    else
        tp_json_null(json);
}

void tp_json_text(tp_json *json, const char *text, size_t length)
{
    begin_value(json);
    quote(json, text, length);
}

void tp_json_raw(tp_json *json, const char *text, size_t length)
{
    begin_value(json);
    if (length > TP_JSON_BUFFER) {
        flush(json);
        tp_sink_write(json->sink, text, length);
        return;
    }
    memcpy(reserve(json, length), text, length);
    json->used += (uint32_t)length;
}

void tp_json_key_int(tp_json *json, const char *key, int64_t value)
{
    tp_json_key(json, key);
    tp_json_int(json, value);
}

void tp_json_key_double(tp_json *json, const char *key, double value)
{
    tp_json_key(json, key);
    tp_json_double(json, value);
}

void tp_json_key_bool(tp_json *json, const char *key, bool value)
{
    tp_json_key(json, key);
    tp_json_bool(json, value);
}

void tp_json_key_string(tp_json *json, const char *key, const char *text)
{
    tp_json_key(json, key);
    tp_json_string(json, text);
}
