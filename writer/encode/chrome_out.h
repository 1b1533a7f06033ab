// SPDX-License-Identifier: BSD-3-Clause
// Text of a Chrome trace in the making: a large buffer, and the pieces that all its events share.
#ifndef ENCODE_CHROME_OUT_H
#define ENCODE_CHROME_OUT_H

#include "capture.h"
#include "out/json_text.h"
#include "out/sink.h"

#include <stdbool.h>
#include <string.h>

enum {
    CHROME_BUFFER = 64 * 1024,
    CHROME_ROOM = 512, // always left behind a call, for what the next one puts without asking
};

typedef struct chrome_out {
    const tp_capture *capture;
    tp_sink *sink;
    char *at;
    uint64_t event_index; // "Ev Idx" of the next host event
    uint64_t flushes;
    bool any_event; // the next one is not the first
    bool any_arg;   // the same of args
    char buffer[CHROME_BUFFER];
} chrome_out;

void tp_chrome_flush(chrome_out *out);

static inline void chrome_room(chrome_out *out, size_t size)
{
    if ((size_t)(out->buffer + CHROME_BUFFER - out->at) < size + CHROME_ROOM)
        tp_chrome_flush(out);
}

// `size` is a constant below CHROME_ROOM, so the copy is a few moves.
static inline void chrome_put(chrome_out *out, const char *text, size_t size)
{
    memcpy(out->at, text, size);
    out->at += size;
    chrome_room(out, 0);
}

// A literal; a macro for its length.
#define CHROME_PUT(out, literal) chrome_put(out, literal, sizeof(literal) - 1)

static inline void chrome_int(chrome_out *out, int64_t value)
{
    out->at = tp_text_int(out->at, value);
    chrome_room(out, 0);
}

static inline void chrome_uint(chrome_out *out, uint64_t value)
{
    out->at = tp_text_uint(out->at, value);
    chrome_room(out, 0);
}

static inline void chrome_double(chrome_out *out, double value)
{
    out->at = tp_text_double(out->at, value);
    chrome_room(out, 0);
}

// A moment, as microseconds since the base; never before it.
static inline void chrome_time(chrome_out *out, int64_t ns)
{
    const int64_t since = ns - out->capture->base_ns;
    out->at = tp_text_micros(out->at, since < 0 ? 0 : since);
    chrome_room(out, 0);
}

static inline void chrome_duration(chrome_out *out, int64_t begin_ns, int64_t end_ns)
{
    out->at = tp_text_micros(out->at, end_ns < begin_ns ? 0 : end_ns - begin_ns);
    chrome_room(out, 0);
}

// Text of any length as it is, and as a JSON string.
void tp_chrome_text(chrome_out *out, const char *text, size_t length);
void tp_chrome_string(chrome_out *out, const char *text);

// The beginning of an event up to its time, with the comma after the one before.
// A category of TPROF_CATEGORY_COUNT is none; `scope`, of instants, is 0 or the letter.
typedef struct chrome_head {
    char phase;
    char scope;
    tprof_category category;
    const char *name;
    int64_t pid, tid;
    int64_t begin_ns;
} chrome_head;

void tp_chrome_begin(chrome_out *out, const chrome_head *head);

// The end of an event without args.
static inline void chrome_end(chrome_out *out)
{
    CHROME_PUT(out, "\n  }");
}

// The opening of args, and the end of them and the event.
static inline void chrome_args(chrome_out *out)
{
    CHROME_PUT(out, ",\n    \"args\": {\n      ");
}

static inline void chrome_args_end(chrome_out *out)
{
    CHROME_PUT(out, "\n    }\n  }");
}

// An arrow's start ('s') or end ('f').
typedef struct chrome_flow {
    char phase;
    tprof_category category;
    uint64_t id;
    int64_t pid, tid;
    int64_t ns;
} chrome_flow;

void tp_chrome_put_flow(chrome_out *out, const chrome_flow *flow);

// The parts of a document, in this order.
void tp_chrome_rows(chrome_out *out);   // processes and threads
void tp_chrome_host(chrome_out *out);   // host events
void tp_chrome_device(chrome_out *out); // device events and their rows

// A metadata event: process_name, thread_name and so on. A text of NULL means the number.
typedef struct chrome_row {
    const char *name, *key;
    int64_t pid, tid;
    const char *text;
    int64_t number;
} chrome_row;

void tp_chrome_put_row(chrome_out *out, const chrome_row *row);

#endif
