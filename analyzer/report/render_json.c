// SPDX-License-Identifier: BSD-3-Clause
// The machine interface: base units, unknown is null, keys as the JSON report's schema fixes them.
#include "report/renderer.h"

#include "out/json_writer.h"

#include <stdio.h>

enum { SCHEMA_VERSION = 1 };

static void write_texts(tp_json *json, text_list list)
{
    tp_json_array_begin(json);
    for (uint32_t i = 0; i < list.count; i++)
        tp_json_string(json, list.at[i]);
    tp_json_array_end(json);
}

static void write_cell(tp_json *json, cell value)
{
    if (!value.known) {
        tp_json_null(json);
        return;
    }
    switch (value.store) {
    case STORE_TEXT:
        tp_json_string(json, value.text);
        break;
    case STORE_INT:
        tp_json_int(json, value.integer);
        break;
    case STORE_REAL:
        tp_json_double(json, value.real);
        break;
    case STORE_TRISTATE:
        tp_json_bool(json, value.truth);
        break;
    case STORE_TEXTS:
        write_texts(json, value.texts);
        break;
    }
}

static void write_table(tp_json *json, const table *t)
{
    char key[80];

    if (t->limited) {
        snprintf(key, sizeof(key), "%s_total_rows", t->key);
        tp_json_key_int(json, key, t->total_rows);
    }
    tp_json_key(json, t->key);
    tp_json_array_begin(json);
    for (uint32_t row = 0; row < t->row_count; row++) {
        tp_json_object_begin(json);
        for (uint32_t i = 0; i < t->column_count; i++) {
            tp_json_key(json, t->columns[i].key);
            write_cell(json, table_cell(t, row, &t->columns[i]));
        }
        tp_json_object_end(json);
    }
    tp_json_array_end(json);
}

// -1 and INT_NONE stand for unknown in what is not a table.
static void write_known(tp_json *json, const char *key, int64_t value)
{
    tp_json_key(json, key);
    if (value == INT_NONE || value == -1)
        tp_json_null(json);
    else
        tp_json_int(json, value);
}

static void write_scope_names(tp_json *json, const report_scope *s)
{
    if (s->kind == SCOPE_LOG)
        tp_json_key_string(json, "path", s->path);
    tp_json_key_string(json, "run", s->run);
    tp_json_key_string(json, "worker", s->worker);
    if (s->kind == SCOPE_LOG)
        tp_json_key_string(json, "span", s->span);
    write_known(json, "rank", s->rank);
    if (s->kind == SCOPE_LOG) {
        tp_json_key_string(json, "base_time_ns", s->base_time_ns);
        return;
    }
    tp_json_key(json, "spans");
    write_texts(json, s->spans);
}

static void render_scope(tp_sink *out, const report_scope *s, const report_style *style)
{
    tp_json json;
    (void)style;

    tp_json_open(&json, out, 0);
    tp_json_object_begin(&json);
    write_scope_names(&json, s);
    tp_json_key(&json, "views");
    tp_json_object_begin(&json);
    for (uint32_t i = 0; i < s->section_count; i++) {
        tp_json_key(&json, s->sections[i].key);
        tp_json_object_begin(&json);
        for (uint32_t k = 0; k < s->sections[i].table_count; k++)
            write_table(&json, &s->sections[i].tables[k]);
        tp_json_object_end(&json);
    }
    tp_json_object_end(&json);
    tp_json_object_end(&json);
    tp_json_close(&json);
}

static void write_note(tp_json *json, const report_note *n)
{
    tp_json_object_begin(json);
    tp_json_key_string(json, "code", n->code);
    tp_json_key_string(json, "severity", n->severity);
    tp_json_key_int(json, "count", n->count);
    write_known(json, "byte", n->byte);
    tp_json_key_string(json, "text", n->text);
    tp_json_object_end(json);
}

static void write_input(tp_json *json, const report_input *in)
{
    tp_json_object_begin(json);
    tp_json_key_string(json, "path", in->path);
    tp_json_key_string(json, "run", in->run);
    tp_json_key_string(json, "worker", in->worker);
    tp_json_key_string(json, "span", in->span);
    write_known(json, "rank", in->rank);
    write_known(json, "world_size", in->world_size);
    tp_json_key_string(json, "status", in->status);
    write_known(json, "bytes", in->bytes);
    write_known(json, "events", in->events);
    tp_json_key(json, "notes");
    tp_json_array_begin(json);
    for (uint32_t i = 0; i < in->note_count; i++)
        write_note(json, &in->notes[i]);
    tp_json_array_end(json);
    tp_json_object_end(json);
}

static void write_inputs(tp_json *json, const report_frame *frame)
{
    tp_json_key(json, "inputs");
    tp_json_array_begin(json);
    for (uint32_t i = 0; i < frame->input_count; i++)
        write_input(json, &frame->inputs[i]);
    tp_json_array_end(json);

    tp_json_key(json, "ignored");
    tp_json_array_begin(json);
    for (uint32_t i = 0; i < frame->ignored_count; i++) {
        tp_json_object_begin(json);
        tp_json_key_string(json, "path", frame->ignored[i].path);
        tp_json_key_string(json, "reason", frame->ignored[i].reason);
        tp_json_object_end(json);
    }
    tp_json_array_end(json);
}

static void write_parts(tp_json *json, const report_frame *frame, scope_kind kind)
{
    tp_json_key(json, kind == SCOPE_LOG ? "logs" : "workers");
    tp_json_array_begin(json);
    for (uint32_t i = 0; i < frame->part_count; i++)
        if (frame->parts[i].kind == kind)
            tp_json_raw(json, frame->parts[i].bytes, frame->parts[i].length);
    tp_json_array_end(json);
}

static void render_whole(tp_sink *out, const report_frame *frame, const report_style *style)
{
    tp_json json;
    (void)style;

    tp_json_open(&json, out, 0);
    tp_json_object_begin(&json);
    tp_json_key_int(&json, "schema_version", SCHEMA_VERSION);
    tp_json_key(&json, "tool");
    tp_json_object_begin(&json);
    tp_json_key_string(&json, "name", "tprof-analyze");
    tp_json_key_string(&json, "version", frame->version);
    tp_json_object_end(&json);
    write_inputs(&json, frame);
    write_parts(&json, frame, SCOPE_LOG);
    write_parts(&json, frame, SCOPE_WORKER);
    tp_json_object_end(&json);
    tp_json_close(&json);
    tp_sink_write(out, "\n", 1);
}

const renderer render_json = {
    .name = "json",
    .extension = "json",
    .summary = "one document with every table, in base units",
    .all_scopes = true,
    .scope = render_scope,
    .whole = render_whole,
};
