// SPDX-License-Identifier: BSD-3-Clause
// A Chrome-format trace: bytes -> records.
#include "read/read_chrome.h"

#include "read/chrome.h"
#include "read/chrome_resync.h"
#include "read/chrome_verdict.h"
#include "read/json_bytes.h"
#include "read/json_copy.h"

enum {
    DEPTH_DEFAULT = 512,
    STRING_DEFAULT = 16 * 1024 * 1024,
    ELEMENT_DEFAULT = 64 * 1024 * 1024,
    RESCAN_FACTOR = 16, // broken input costs at most so many times its length
    RESCAN_FREE = 1024 * 1024,
    CUT_EVENT_MAX = 64 * 1024, // an event that is longer when the text ends has swallowed others
};

static void collect_note(void *self, const char *code, note_severity severity, uint64_t offset,
                         const char *what)
{
    chrome *c = self;
    if (c->note_count < CHROME_NOTES_MAX)
        c->notes[c->note_count++] = (chrome_note){code, what, severity, offset};
}

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

static void note(chrome *c, const char *at, note_severity severity, const char *code,
                 const char *what)
{
    json_note(&c->json, at, severity, code, what);
    chrome_commit(c);
}

static void begin_document(chrome *c)
{
    c->place = PLACE_BEFORE;
    c->json.depth = 0;
    c->json.expect = JSON_WANT_VALUE;
    c->json.doubtful = false;
}

// A crash may leave a file with NUL bytes, at its end or as a whole.
static chrome_step skip_blanks(chrome *c)
{
    json_reader *r = &c->json;

    for (; r->at < r->end && (json_is_space(*r->at) || *r->at == 0); r->at++)
        c->zeros |= *r->at == 0;
    chrome_set_mark(c);
    return r->at == r->end ? STEP_MORE : STEP_ON;
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
        note(c, r->at, NOTE_INFO, "byte_order_mark", "a byte order mark before the text");
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
    json_next(&c->json);
    c->documents++;
    c->place = first == '{' ? PLACE_ROOT : PLACE_EVENTS;
    if (first == '[') {
        c->array_root = true;
        note(c, c->mark.at, NOTE_INFO, "array_root", "the root is an array of events");
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
    if (c->visitor->metadata)
        c->visitor->metadata(c->visitor->self, key,
                             json_copy(&value, c->json.doubtful, &c->scratch));
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
            c->has_events = true;
            c->place = PLACE_EVENTS;
            return STEP_ON;
        }
        if (value.kind == JSON_OBJECT)
            return STEP_ERROR;
        return step_metadata(c, name, &value);
    }
    const json_token value = json_next_whole(r);
    return step_metadata(c, name, &value);
}

static chrome_step step_behind(chrome *c)
{
    const bool zeros = c->zeros;

    c->zeros = false;
    const chrome_step step = skip_blanks(c);
    if (c->zeros)
        note(c, c->json.at, NOTE_INFO, "trailing_zeros", "zero bytes behind the JSON text");
    c->zeros |= zeros;
    if (step == STEP_MORE)
        return STEP_MORE;
    if (*c->json.at != '{' && *c->json.at != '[') {
        note(c, c->json.at, NOTE_WARNING, "trailing_garbage", "bytes behind the JSON text ignored");
        return STEP_OVER;
    }
    note(c, c->json.at, NOTE_WARNING, "concatenated_documents",
         "another JSON text behind the first; both are read");
    begin_document(c);
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

// Behind an error, or where the text ends inside a unit: gives the unit up and finds the next.
// False: there is none.
static bool recover(chrome *c, const char *code, const char *problem)
{
    json_reader *r = &c->json;
    const bool in_events = c->place == PLACE_EVENTS;

    c->json.doubtful = false;
    c->note_count = 0;
    if (!c->broken) {
        c->broken = problem;
        c->broken_offset = json_offset(r, r->at);
    }
    note(c, r->at, NOTE_ERROR, code, problem);
    c->skipped += in_events;
    if (c->place == PLACE_BEFORE || (!in_events && c->has_events))
        return false;
    const uint64_t again = (uint64_t)(r->at - c->mark.at);
    if (c->rescanned + again <= RESCAN_FREE + RESCAN_FACTOR * json_offset(r, r->at)) {
        c->rescanned += again;
        r->at = c->mark.at + 1;
    }
    if (in_events)
        return chrome_resync_event(c);
    return chrome_resync_root(c);
}

// A unit that makes no sense may do so when each quote is doubted; once.
static bool doubt(chrome *c)
{
    const uint64_t again = (uint64_t)(c->json.at - c->mark.at);

    if (c->json.doubtful || c->place == PLACE_BEFORE ||
        c->rescanned + again > RESCAN_FREE + RESCAN_FACTOR * json_offset(&c->json, c->json.at))
        return false;
    c->rescanned += again;
    chrome_to_mark(c);
    c->json.doubtful = true;
    return true;
}

// The text ended. False where nothing is left to do.
static bool at_end(chrome *c)
{
    const bool long_rest = c->json.end - c->mark.at > CUT_EVENT_MAX;

    if (c->place == PLACE_BEHIND || c->place == PLACE_BEFORE)
        return false;
    c->json.at = c->json.end;
    if (c->mark.at < c->json.end && doubt(c))
        return true;
    if (c->place == PLACE_EVENTS && long_rest &&
        recover(c, "broken_element", "an event has no end"))
        return true;
    c->cut = true;
    c->note_count = 0;
    c->json.at = c->json.end;
    if (!c->cut_noted)
        note(c, c->json.end, NOTE_ERROR, "truncated", "the text ends inside the JSON document");
    return false;
}

// True: go on.
static bool want_more(chrome *c)
{
    if (c->json.last)
        return at_end(c);
    if (c->json.end - c->mark.at > (int64_t)c->element_max) {
        c->json.at = c->json.end;
        return recover(c, "long_element", "an element beyond the limit was skipped");
    }
    chrome_to_mark(c);
    return chrome_more(c);
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
            going = want_more(c);
            break;
        case STEP_ERROR:
            if (c->place == PLACE_BEFORE && c->documents == 0)
                return chrome_verdict_beginning(c, err);
            going = doubt(c) || recover(c, "broken_element", c->json.problem);
            break;
        case STEP_OVER:
            going = false;
        }
    }
    return chrome_verdict(c, err);
}

static const chrome_scanner *pick_scanner(const char *name)
{
    const chrome_scanner *const *s = CHROME_SCANNERS;

    for (; s[1]; s++)
        if (name ? strcmp(name, (*s)->name) == 0 : (*s)->usable())
            break;
    return *s;
}

static void begin(chrome *c, input *in, const read_limits *limits, const record_visitor *visitor)
{
    const uint32_t depth = limits->depth ? limits->depth : DEPTH_DEFAULT;

    c->in = in;
    c->visitor = visitor;
    c->input_visitor = (record_visitor){.self = c, .note = input_note_passed};
    c->collector = (record_visitor){.self = c, .note = collect_note};
    c->string_max = limits->string_bytes ? limits->string_bytes : STRING_DEFAULT;
    c->element_max = limits->element_bytes ? limits->element_bytes : ELEMENT_DEFAULT;
    c->json.visitor = &c->collector;
    c->json.depth_max = depth < JSON_DEPTH_MAX ? depth : JSON_DEPTH_MAX;
    begin_document(c);
}

err_code read_chrome(input *in, const read_limits *limits, const record_visitor *visitor,
                     error *err)
{
    static const read_limits NONE;
    arena *a = arena_create();
    chrome *c = arena_new(a, chrome, 1);

    *err = (error){.offset = ERROR_NO_OFFSET, .path = input_path(in)};
    c->scratch.arena = a;
    begin(c, in, limits ? limits : &NONE, visitor);
    c->failure = *err;
    const err_code failed = run(c, pick_scanner(limits ? limits->scanner : NULL), err);
    arena_destroy(a);
    return failed;
}
