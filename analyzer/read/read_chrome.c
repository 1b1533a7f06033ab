// SPDX-License-Identifier: BSD-3-Clause
// A Chrome-format trace: bytes -> records.
#include "read/read_chrome.h"

#include "read/chrome_ahead.h"
#include "read/chrome_begin.h"
#include "read/chrome_recover.h"
#include "read/chrome_resync.h"
#include "read/chrome_verdict.h"
#include "read/json_bytes.h"
#include "read/json_copy.h"

enum {
    CUT_BEGINNING = 4096, // enough to see how the root begins
    CUT_SEARCHED = 256 * 1024,
};

// Notes of the input, which come once, are handed on at once.
static void input_note_passed(void *self, const char *code, note_severity severity, uint64_t offset,
                              const char *what)
{
    chrome *c = self;

    if (severity == NOTE_ERROR && !c->gzip_problem)
        c->gzip_problem = what;
    c->cut_noted |= strcmp(code, "truncated") == 0;
    if (c->visitor->note)
        c->visitor->note(c->visitor->self, code, severity, offset, what);
}

// A crash may leave a file with NUL bytes, at its end or as a whole.
static chrome_step skip_blanks(chrome *c)
{
    json_reader *r = &c->json;

    for (; r->at < r->end && (json_is_space(*r->at) || *r->at == 0); r->at++) {
        if (*r->at == 0 && !c->zeros) {
            c->zeros = true;
            c->zeros_offset = json_offset(r, r->at);
        }
    }
    chrome_set_mark(c);
    return r->at == r->end ? STEP_MORE : STEP_ON;
}

static void note_zeros(const chrome *c, const char *code, const char *what)
{
    if (c->visitor->note)
        c->visitor->note(c->visitor->self, code, NOTE_INFO, c->zeros_offset, what);
}

// Some editors put one before UTF-8 text. False where the window may cut it.
static bool skip_byte_order_mark(chrome *c)
{
    json_reader *r = &c->json;

    if ((unsigned char)*r->at != 0xef)
        return true;
    if (r->end - r->at < 3 && !r->last)
        return false;
    if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) {
        chrome_note_now(c, r->at, NOTE_INFO, "byte_order_mark",
                        "a byte order mark before the text");
        r->at += 3;
    }
    return true;
}

static chrome_step step_before(chrome *c)
{
    if (skip_blanks(c) == STEP_MORE || !skip_byte_order_mark(c) || skip_blanks(c) == STEP_MORE)
        return STEP_MORE;
    const char first = *c->json.at;
    if (first != '{' && first != '[')
        return STEP_ERROR;
    if (c->zeros && c->documents == 0)
        note_zeros(c, "leading_zeros", "zero bytes before the JSON text");
    json_next(&c->json);
    c->documents++;
    c->place = first == '{' ? PLACE_ROOT : PLACE_EVENTS;
    c->events_depth = c->json.depth;
    if (first == '[') {
        c->array_root = true;
        chrome_note_now(c, c->mark.at, NOTE_INFO, "array_root", "the root is an array of events");
    }
    return STEP_ON;
}

static void remember_key(chrome *c, text key)
{
    if (c->other_key.at)
        return;
    const size_t length =
        key.length < sizeof(c->other_key_bytes) ? key.length : sizeof(c->other_key_bytes);
    memcpy(c->other_key_bytes, key.at, length);
    c->other_key = (text){c->other_key_bytes, length};
}

static chrome_step step_metadata(chrome *c, text key, const json_token *first)
{
    const json_token value = *first;

    if (value.kind == JSON_MORE || value.kind == JSON_ERROR)
        return value.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    remember_key(c, key);
    text copy;
    if (!json_copy(&value, c->json.doubtful, &c->scratch, &copy))
        json_note(&c->json, value.raw.at, NOTE_WARNING, "unreadable_value",
                  "a value that cannot be understood");
    else if (c->visitor->metadata)
        c->visitor->metadata(c->visitor->self, key, copy);
    return STEP_ON;
}

static chrome_step step_root(chrome *c)
{
    json_reader *r = &c->json;

    chrome_set_mark(c);
    const json_token key = json_next(r);
    if (key.kind == JSON_OBJECT_END) {
        c->place = PLACE_BEHIND;
        return STEP_ON;
    }
    if (key.kind != JSON_KEY)
        return key.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    const text name = json_decode(&key, &c->scratch);
    if (text_equal(name, TEXT("traceEvents"))) {
        json_token value = json_next(r);
        if (value.kind == JSON_ARRAY) {
            if (c->events_document == c->documents)
                json_note(r, c->mark.at, NOTE_WARNING, "duplicate_key",
                          "\"traceEvents\" stands twice in a document; both are read");
            c->events_document = c->documents;
            c->has_events = true;
            c->events_depth = r->depth;
            c->place = PLACE_EVENTS;
            return STEP_ON;
        }
        if (value.kind == JSON_OBJECT) {
            // It may hold all of the file, so it is not taken as a value.
            r->problem = "\"traceEvents\" is an object, expected an array";
            return STEP_ERROR;
        }
        return step_metadata(c, name, &value);
    }
    const json_token value = json_next_whole(r);
    return step_metadata(c, name, &value);
}

static chrome_step step_behind(chrome *c)
{
    const bool zeros_before = c->zeros;
    const chrome_step blanks = skip_blanks(c);

    if (c->zeros && !zeros_before)
        note_zeros(c, "trailing_zeros", "zero bytes behind the JSON text");
    if (blanks == STEP_MORE)
        return STEP_MORE;
    if (*c->json.at != '{' && *c->json.at != '[') {
        chrome_note_now(c, c->json.at, NOTE_WARNING, "trailing_garbage",
                        "bytes behind the JSON text ignored");
        return STEP_OVER;
    }
    chrome_note_now(c, c->json.at, NOTE_WARNING, "concatenated_documents",
                    "another JSON text behind the first; both are read");
    chrome_begin_document(c);
    return STEP_ON;
}

static chrome_step step(chrome *c, const chrome_scanner *scanner)
{
    switch (c->place) {
    case PLACE_BEFORE:
        return step_before(c);
    case PLACE_ROOT:
        return step_root(c);
    case PLACE_BEHIND:
        return step_behind(c);
    case PLACE_EVENTS:
        break;
    }
    const chrome_step found = scanner->events(c);
    if (found != STEP_OVER)
        return found;
    c->place = c->json.depth ? PLACE_ROOT : PLACE_BEHIND;
    return STEP_ON;
}

static err_code run(chrome *c, const chrome_scanner *scanner, error *err)
{
    bool going = true;

    while (going) {
        switch (step(c, scanner)) {
        case STEP_ON:
            chrome_commit(c);
            c->json.doubtful = false;
            break;
        case STEP_MORE:
            going = chrome_want_more(c);
            break;
        case STEP_ERROR:
            if (c->place == PLACE_BEFORE && c->documents == 0)
                return chrome_verdict_beginning(c, err);
            going = chrome_recover(c);
            break;
        case STEP_OVER:
            going = false;
        }
    }
    return chrome_verdict(c, err);
}

err_code read_chrome_part(input *in, chrome_part *part, const read_limits *limits,
                          const record_visitor *visitor, error *err)
{
    static const read_limits NONE;
    arena *a = arena_create();
    chrome *c = arena_new(a, chrome, 1);

    *err = (error){.offset = ERROR_NO_OFFSET, .path = input_path(in)};
    limits = limits ? limits : &NONE;
    chrome_begin(c, a, limits, visitor);
    c->in = in;
    c->input_visitor = (record_visitor){.self = c, .note = input_note_passed};
    c->failure = *err;
    c->part = part;
    if (part && part->inside)
        chrome_begin_inside(c, part->array_root);
    chrome_ahead *const ahead = chrome_ahead_begin(in, limits);
    chrome_more(c);
    err_code failed = run(c, chrome_pick_scanner(limits->scanner), err);
    chrome_ahead_end(ahead);
    if (part)
        part->strained = chrome_is_strained(c);
    if (part && (part->inside || part->joined) && failed != ERR_IO) {
        err->code = ERR_NONE;
        failed = ERR_NONE;
    }
    arena_destroy(a);
    return failed;
}

err_code read_chrome(input *in, const read_limits *limits, const record_visitor *visitor,
                     error *err)
{
    return read_chrome_part(in, NULL, limits, visitor, err);
}

bool chrome_find_cut(const char *path, uint64_t near, uint64_t *cut, bool *array_root)
{
    const input_part beginning = {0, CUT_BEGINNING}, middle = {near, near + CUT_SEARCHED};
    json_reader r = {.last = true};
    input_window w;
    error err = {0};
    input *in;

    if (input_open_part(path, &beginning, NULL, &in, &err))
        return false;
    input_more(in, NULL, NULL, &w, &err);
    const char *first = w.begin;
    while (first < w.end && (json_is_space(*first) || strchr("\xef\xbb\xbf", *first)))
        first++;
    *array_root = first < w.end && *first == '[';
    input_close(in);
    if (input_open_part(path, &middle, NULL, &in, &err))
        return false;
    input_more(in, NULL, NULL, &w, &err);
    r.at = w.begin;
    r.end = w.end;
    const char *event = chrome_find_event(&r);
    if (event)
        *cut = w.offset + (uint64_t)(event - w.begin);
    input_close(in);
    return event != NULL;
}
