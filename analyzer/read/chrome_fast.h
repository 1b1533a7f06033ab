// SPDX-License-Identifier: BSD-3-Clause
// The fast way over events that look like those before: gaps by their sites, plain values in place.
// Whatever is not plain is left to chrome_events.h, which reads each value and gap alike.
// Inline, for one vector variant: see json_step.h.
#ifndef READ_CHROME_FAST_H
#define READ_CHROME_FAST_H

#include "read/chrome.h"
#include "read/json_step.h"

// What chrome_fast() left to be read.
typedef enum fast_stop {
    FAST_GAP,   // json.at is behind a value
    FAST_VALUE, // json.at is at the value of the site
} fast_stop;

// Does the quote at `at` close a value, beyond doubt?
static inline bool fast_closes(const char *at, const char *end)
{
    if (*at != '"')
        return false;
    return json_ends_value(at[1]) ||
           (json_is_space(at[1]) && json_ends_value(*scan_space(at + 1, end)));
}

// Behind the number at `at`; NULL if it is none, or not plain.
static inline const char *fast_number_end(const char *at)
{
    const char *digits = at + (*at == '-');

    if (!json_is_digit(*digits))
        return NULL;
    at = digits + scan_digits(digits);
    while (json_in_number(*at))
        at++;
    return json_is_delimiter(*at) ? at : NULL;
}

// Behind null, true, or false.
static inline const char *fast_word_end(const char *at)
{
    const size_t length = *at == 'f' ? 5 : 4;
    const bool known =
        memcmp(at, "null", 4) == 0 || memcmp(at, "true", 4) == 0 || memcmp(at, "false", 5) == 0;
    return known && json_is_delimiter(at[length]) ? at + length : NULL;
}

// Puts the reader where the fast way stands.
static inline void fast_leave(chrome *c, const char *at, bool in_args, json_expect expect)
{
    json_reader *r = &c->json;

    r->at = at;
    r->depth = c->events_depth;
    json_push(r, true);
    if (in_args)
        json_push(r, true);
    r->expect = expect;
}

// An object or array that was not seen before is read as anywhere, and kept.
static inline const char *fast_new_nested(chrome *c, const site *s, const char *at)
{
    const uint32_t bit = s->bit;

    fast_leave(c, at, s->in_args, JSON_WANT_VALUE);
    c->gap_plain = true;
    const json_token value = json_step_nested(&c->json, at);
    if (value.kind == JSON_MORE || value.kind == JSON_ERROR)
        return NULL;
    if (s->key > CHROME_ARGS)
        chrome_take(c, (chrome_key)s->key, &value);
    // A known value is taken wherever it stands, so no limit of depth may be near.
    const bool shallow = value.raw.length / 2 + 2 + c->json.depth < c->json.depth_max;
    const text *compact = (const text *)(const void *)((const char *)&c->record + s->offset);
    if (c->gap_plain && shallow && (bit == 0 || (s->take == TAKE_RAW && c->record.fields & bit)))
        known_values_add(&c->known, value.raw, bit ? *compact : (text){"", 0});
    return c->json.at;
}

static inline const char *fast_nested(chrome *c, const site *s, const char *at)
{
    const known_value *known = known_values_find(&c->known, at, (size_t)(c->json.end - at));

    if (!known || (s->take == TAKE_RAW && known->compact.length == 0))
        return fast_new_nested(c, s, at);
    if (s->take == TAKE_RAW) {
        *(text *)(void *)((char *)&c->record + s->offset) = known->compact;
        c->record.fields |= s->bit;
    }
    return at + known->raw.length;
}

static inline const char *fast_skip(chrome *c, const site *s, const char *at)
{
    if (*at == '"') {
        const char *close = scan_string(at + 1, c->json.end);
        return fast_closes(close, c->json.end) ? close + 1 : NULL;
    }
    if (*at == '{' || *at == '[')
        return fast_nested(c, s, at);
    return *at == '-' || json_is_digit(*at) ? fast_number_end(at) : fast_word_end(at);
}

static inline const char *fast_phase(chrome *c, const char *at)
{
    if (at[0] != '"' || at[2] != '"' || json_is_special(at[1]) || !json_ends_value(at[3]))
        return NULL;
    c->record.phase = at[1];
    return at + 3;
}

static inline const char *fast_text(chrome *c, const char *at, text *to)
{
    const bool quoted = *at == '"';
    const char *end = quoted ? scan_string(at + 1, c->json.end) : fast_number_end(at);

    if (!end || (quoted && !fast_closes(end, c->json.end)))
        return NULL;
    *to = (text){at + quoted, (size_t)(end - at) - quoted};
    return to->length <= c->string_max ? end + quoted : NULL;
}

// Up to 16 digits, and up to 3 behind a point.
static inline const char *fast_time(const char *at, int64_t *ns)
{
    static const uint32_t SCALE[] = {1000, 100, 10, 1};
    const uint32_t whole_digits = scan_digits(at);
    const uint64_t whole = scan_number(at, whole_digits);
    const char *end = at + whole_digits;
    uint64_t fraction = 0;

    if (whole_digits == 0 || whole > INT64_MAX / 1001)
        return NULL;
    if (*end == '.') {
        const uint32_t digits = scan_digits(end + 1);
        if (digits == 0 || digits > 3)
            return NULL;
        fraction = scan_number(end + 1, digits) * SCALE[digits];
        end += 1 + digits;
    }
    if (!json_is_delimiter(*end))
        return NULL;
    *ns = (int64_t)(whole * 1000 + fraction);
    return end;
}

static inline const char *fast_whole(const char *at, int64_t *value)
{
    const bool negative = *at == '-';
    const uint32_t digits = scan_digits(at + negative);
    const char *end = at + negative + digits;

    if (digits == 0 || !json_is_delimiter(*end))
        return NULL;
    const int64_t magnitude = (int64_t)scan_number(at + negative, digits);
    *value = negative ? -magnitude : magnitude;
    return end;
}

// Three counts in brackets.
static inline const char *fast_triple(const char *at, const char *window_end, int32_t *three)
{
    if (*at != '[')
        return NULL;
    for (int i = 0; i < 3; i++) {
        at = scan_space(at + 1, window_end);
        const uint32_t digits = scan_digits(at);
        if (digits == 0 || digits > 9)
            return NULL;
        three[i] = (int32_t)scan_number(at, digits);
        at = scan_space(at + digits, window_end);
        if (*at != (i < 2 ? ',' : ']'))
            return NULL;
    }
    return at + 1;
}

static inline const char *fast_field(chrome *c, const site *s, const char *at)
{
    void *to = (char *)&c->record + s->offset;

    switch ((take_kind)s->take) {
    case TAKE_TEXT:
        return fast_text(c, at, to);
    case TAKE_TIME:
        return fast_time(at, to);
    case TAKE_WHOLE:
        return fast_whole(at, to);
    case TAKE_TRIPLE:
        return fast_triple(at, c->json.end, to);
    default:
        return NULL;
    }
}

// Takes the value at `at`. Returns what is behind it; NULL where it is not plain, nothing taken.
static inline const char *fast_value(chrome *c, const site *s, const char *at)
{
    if (s->bit == 0)
        return s->take == TAKE_PHASE ? fast_phase(c, at) : fast_skip(c, s, at);
    if (c->record.fields & s->bit)
        return NULL;
    if (s->take == TAKE_RAW)
        return *at == '[' ? fast_nested(c, s, at) : NULL;
    const char *end = fast_field(c, s, at);
    if (end)
        c->record.fields |= s->bit;
    else if (*at == 'n')
        end = fast_word_end(at);
    return end;
}

static inline site *fast_follower(const sites *t, const site *s, const char *at)
{
    for (uint32_t i = 0; i < s->follower_count; i++) {
        site *next = &t->items[s->followers[i]];
        if (scan_match(at, next->literal, next->want))
            return next;
    }
    return NULL;
}

// Goes on from json.at, behind the value of *s, as far as all is plain. *s is then the last site.
static inline fast_stop chrome_fast(chrome *c, site **last)
{
    const char *at = c->json.at;
    site *s = *last;

    for (;;) {
        site *next = fast_follower(&c->sites, s, at);
        if (!next) {
            fast_leave(c, at, s->in_args, JSON_WANT_COMMA_OR_END);
            *last = s;
            return FAST_GAP;
        }
        s = next;
        if (s->brace != SITE_NO_BRACE) {
            chrome_event_end(c);
            c->mark = (chrome_mark){at + s->brace, c->events_depth, JSON_WANT_ITEM};
            chrome_event_begin(c, c->mark.at);
        }
        at += s->length;
        const char *end = fast_value(c, s, at);
        if (!end) {
            fast_leave(c, at, s->in_args, JSON_WANT_VALUE);
            *last = s;
            return FAST_VALUE;
        }
        at = end;
    }
}

#endif
