// SPDX-License-Identifier: BSD-3-Clause
// The pieces that all events of a Chrome trace share.
#include "encode/chrome_out.h"

void tp_chrome_flush(chrome_out *out)
{
    tp_sink_write(out->sink, out->buffer, (size_t)(out->at - out->buffer));
    out->at = out->buffer;
    out->flushes++;
}

void tp_chrome_text(chrome_out *out, const char *text, size_t length)
{
    if (length > CHROME_BUFFER / 2) {
        tp_chrome_flush(out);
        tp_sink_write(out->sink, text, length);
        return;
    }
    chrome_room(out, length);
    memcpy(out->at, text, length);
    out->at += length;
    chrome_room(out, 0);
}

void tp_chrome_string(chrome_out *out, const char *text)
{
    const char *const end = text + strlen(text);

    CHROME_PUT(out, "\"");
    do {
        out->at =
            tp_text_escaped(out->at, out->buffer + CHROME_BUFFER - CHROME_ROOM / 2, &text, end);
        chrome_room(out, 0);
    } while (text < end);
    CHROME_PUT(out, "\"");
}

static void put_place(chrome_out *out, int64_t pid, int64_t tid)
{
    CHROME_PUT(out, ",\n    \"pid\": ");
    chrome_int(out, pid);
    CHROME_PUT(out, ",\n    \"tid\": ");
    chrome_int(out, tid);
}

static void put_phase(chrome_out *out, char phase)
{
    if (out->any_event)
        CHROME_PUT(out, ",");
    out->any_event = true;
    CHROME_PUT(out, "\n  {\n    \"ph\": \"");
    chrome_put(out, &phase, 1);
    CHROME_PUT(out, "\"");
}

static void put_category(chrome_out *out, tprof_category category)
{
    const char *word = tprof_category_word(category);
    CHROME_PUT(out, ",\n    \"cat\": \"");
    tp_chrome_text(out, word, strlen(word));
    CHROME_PUT(out, "\"");
}

void tp_chrome_begin(chrome_out *out, const chrome_head *head)
{
    put_phase(out, head->phase);
    if (head->category != TPROF_CATEGORY_COUNT)
        put_category(out, head->category);
    if (head->scope) {
        CHROME_PUT(out, ",\n    \"s\": \"");
        chrome_put(out, &head->scope, 1);
        CHROME_PUT(out, "\"");
    }
    CHROME_PUT(out, ",\n    \"name\": ");
    tp_chrome_string(out, head->name);
    put_place(out, head->pid, head->tid);
    CHROME_PUT(out, ",\n    \"ts\": ");
    chrome_time(out, head->begin_ns);
}

void tp_chrome_put_flow(chrome_out *out, const chrome_flow *flow)
{
    const char *word = tprof_category_word(flow->category);

    put_phase(out, flow->phase);
    CHROME_PUT(out, ",\n    \"id\": ");
    chrome_uint(out, flow->id);
    put_place(out, flow->pid, flow->tid);
    CHROME_PUT(out, ",\n    \"ts\": ");
    chrome_time(out, flow->ns);
    put_category(out, flow->category);
    CHROME_PUT(out, ",\n    \"name\": \"");
    tp_chrome_text(out, word, strlen(word));
    if (flow->phase == TPROF_PHASE_FLOW_END)
        CHROME_PUT(out, "\",\n    \"bp\": \"e");
    CHROME_PUT(out, "\"\n  }");
}

void tp_chrome_put_row(chrome_out *out, const chrome_row *row)
{
    put_phase(out, TPROF_PHASE_METADATA);
    CHROME_PUT(out, ",\n    \"name\": \"");
    tp_chrome_text(out, row->name, strlen(row->name));
    CHROME_PUT(out, "\",\n    \"ts\": ");
    chrome_time(out, out->capture->begin_ns);
    put_place(out, row->pid, row->tid);
    CHROME_PUT(out, ",\n    \"args\": {\n      \"");
    tp_chrome_text(out, row->key, strlen(row->key));
    CHROME_PUT(out, "\": ");
    if (row->text)
        tp_chrome_string(out, row->text);
    else
        chrome_int(out, row->number);
    chrome_args_end(out);
}
