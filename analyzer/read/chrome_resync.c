// SPDX-License-Identifier: BSD-3-Clause
// Finds the way back into a trace behind something that cannot be understood.
#include "read/chrome_resync.h"

#include "read/chrome_ahead.h"
#include "read/json_bytes.h"

enum { BLANKS_MAX = 4096 }; // between brackets; more are not a boundary

typedef enum answer { NO, YES, UNSURE } answer;

bool chrome_more(chrome *c)
{
    input_window w;

    if (c->json.last)
        return false;
    // What was read before a failure is still of use.
    if (input_more(c->in, c->json.at, &c->input_visitor, &w, &c->failure) && c->visitor->note)
        c->visitor->note(c->visitor->self, "read_error", NOTE_ERROR, input_inflated_bytes(c->in),
                         "the file cannot be read further");
    c->json.at = w.begin;
    c->json.end = w.end;
    c->json.end_offset = w.offset + (uint64_t)(w.end - w.begin);
    c->json.last = w.last;
    chrome_ahead_window(c);
    return true;
}

// The byte behind the blanks at `at`; NULL where there are too many.
static const char *skip_blanks(const char *at, const char *end)
{
    const char *limit = end - at > BLANKS_MAX ? at + BLANKS_MAX : end;

    while (at < limit && json_is_space(*at))
        at++;
    return at < limit || at == end ? at : NULL;
}

static bool known_root_key(const char *at, const char *end)
{
    static const text KNOWN[] = {TEXT_INIT("\"traceName\""),
                                 TEXT_INIT("\"displayTimeUnit\""),
                                 TEXT_INIT("\"deviceProperties\""),
                                 TEXT_INIT("\"baseTimeNanoseconds\""),
                                 TEXT_INIT("\"distributedInfo\""),
                                 TEXT_INIT("\"schemaVersion\""),
                                 TEXT_INIT("\"INFO\""),
                                 TEXT_INIT("\"trace_id\"")};

    for (size_t i = 0; i < ARRAY_LEN(KNOWN); i++)
        if (text_starts((text){at, (size_t)(end - at)}, KNOWN[i]))
            return true;
    return false;
}

// Does what stands at `at` follow the bracket that closes the array of events?
static answer root_follows(const json_reader *r, const char *at)
{
    at = skip_blanks(at, r->end);
    if (!at)
        return NO;
    if (at == r->end)
        return r->last ? YES : UNSURE;
    if (*at == '}') {
        at = skip_blanks(at + 1, r->end);
        return at == r->end ? (r->last ? YES : UNSURE) : NO;
    }
    if (*at != ',')
        return NO;
    at = skip_blanks(at + 1, r->end);
    if (!at)
        return NO;
    if (r->end - at < 32 && !r->last)
        return UNSURE;
    return known_root_key(at, r->end);
}

// Is the '}' at `at` the end of an event? *next is then what stands behind it.
static answer is_boundary(const json_reader *r, const char *at, const char **next)
{
    at = skip_blanks(at + 1, r->end);
    if (!at || (at == r->end && r->last))
        return NO;
    if (at == r->end)
        return UNSURE;
    *next = at;
    if (*at == ']')
        return root_follows(r, at + 1);
    if (*at != ',')
        return NO;
    at = skip_blanks(at + 1, r->end);
    if (!at)
        return NO;
    if (at == r->end)
        return r->last ? NO : UNSURE;
    return *at == '{';
}

// Does what stands at `brace` look like an event, not like any object?
static bool looks_like_event(const json_reader *r, const char *brace)
{
    static const text KEYS[] = {TEXT_INIT("\"ph\""),  TEXT_INIT("\"name\""), TEXT_INIT("\"cat\""),
                                TEXT_INIT("\"pid\""), TEXT_INIT("\"tid\""),  TEXT_INIT("\"ts\"")};
    const char *key = skip_blanks(brace + 1, r->end);

    for (size_t i = 0; key && i < ARRAY_LEN(KEYS); i++)
        if (text_starts((text){key, (size_t)(r->end - key)}, KEYS[i]))
            return true;
    return false;
}

const char *chrome_find_event(const json_reader *r)
{
    const char *next = NULL;

    for (const char *at = r->at; at < r->end; at++) {
        at = memchr(at, '}', (size_t)(r->end - at));
        if (!at)
            return NULL;
        if (is_boundary(r, at, &next) != YES || *next != ',')
            continue;
        const char *brace = skip_blanks(next + 1, r->end);
        if (looks_like_event(r, brace))
            return brace;
    }
    return NULL;
}

bool chrome_resync_event(chrome *c)
{
    json_reader *r = &c->json;
    const char *next = NULL;

    for (;;) {
        const char *brace = r->at < r->end ? memchr(r->at, '}', (size_t)(r->end - r->at)) : NULL;
        const answer found = brace ? is_boundary(r, brace, &next) : UNSURE;
        if (found == YES) {
            r->at = next;
            r->depth = c->mark.depth;
            r->expect = JSON_WANT_COMMA_OR_END;
            return true;
        }
        if (found == NO) {
            r->at = brace + 1;
            continue;
        }
        r->at = brace ? brace : r->end;
        if (!chrome_more(c))
            return false;
    }
}

bool chrome_resync_root(chrome *c)
{
    static const char KEY[] = "\"traceEvents\"";
    const size_t length = sizeof(KEY) - 1;
    json_reader *r = &c->json;

    for (;;) {
        const char *key = memmem(r->at, (size_t)(r->end - r->at), KEY, length);
        const char *colon = key ? skip_blanks(key + length, r->end) : NULL;
        if (colon && colon < r->end && *colon == ':') {
            r->at = key;
            r->depth = c->mark.depth;
            r->expect = JSON_WANT_KEY;
            return true;
        }
        if (key && !(colon && colon == r->end && !r->last)) {
            r->at = key + 1;
            continue;
        }
        // The key may be cut by the window's end.
        const size_t left = (size_t)(r->end - r->at);
        r->at = key ? key : left < length ? r->at : r->end - length + 1;
        if (!chrome_more(c))
            return false;
    }
}
