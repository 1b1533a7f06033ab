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
    while (!json_is_delimiter(*at))
        if (!json_in_number(*at++))
            return NULL;
    return at;
}

// Behind null, true, or false.
static __attribute__((noinline)) const char *fast_word_end(const char *at)
{
    const size_t length = *at == 'f' ? 5 : 4;
    const bool known =
        memcmp(at, "null", 4) == 0 || memcmp(at, "true", 4) == 0 || memcmp(at, "false", 5) == 0;
    return known && json_is_delimiter(at[length]) ? at + length : NULL;
}

// Puts the reader where the fast way stands.
static __attribute__((noinline)) void fast_leave(chrome *c, const char *at, bool in_args,
                                                 json_expect expect)
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
static __attribute__((noinline)) const char *fast_new_nested(chrome *c, const site *s,
                                                             const char *at)
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

static __attribute__((noinline)) const char *fast_nested(chrome *c, const site *s, const char *at)
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

// Three digits, as nearly all print behind the point.
static inline bool fast_thousandths(const char *at, uint64_t *value)
{
    const uint32_t a = (uint32_t)at[0] - '0', b = (uint32_t)at[1] - '0', c = (uint32_t)at[2] - '0';
    *value = a * 100 + b * 10 + c;
    return a < 10 && b < 10 && c < 10 && json_is_delimiter(at[3]);
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
    if (*end == '.' && fast_thousandths(end + 1, &fraction)) {
        end += 4;
    } else {
        if (*end == '.') {
            const uint32_t digits = scan_digits(end + 1);
            if (digits == 0 || digits > 3)
                return NULL;
            fraction = scan_number(end + 1, digits) * SCALE[digits];
            end += 1 + digits;
        }
        if (!json_is_delimiter(*end))
            return NULL;
    }
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
static __attribute__((noinline)) const char *fast_triple(const char *at, const char *window_end,
                                                         int32_t *three)
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

static inline const char *fast_raw(chrome *c, const site *s, const char *at)
{
    return *at == '[' ? fast_nested(c, s, at) : NULL;
}

// Takes the value at `at`. Returns what is behind it; NULL where it is not plain, nothing taken.
static inline const char *fast_value(chrome *c, const site *s, const char *at)
{
    void *to = (char *)&c->record + s->offset;
    const char *end = NULL;

    if (c->record.fields & s->bit)
        return NULL;
    switch ((take_kind)s->take) {
    case TAKE_NOTHING:
    case TAKE_ARGS:
        return fast_skip(c, s, at);
    case TAKE_PHASE:
        return fast_phase(c, at);
    case TAKE_RAW:
        return fast_raw(c, s, at);
    case TAKE_TEXT:
        end = fast_text(c, at, to);
        break;
    case TAKE_TIME:
        end = fast_time(at, to);
        break;
    case TAKE_WHOLE:
        end = fast_whole(at, to);
        break;
    case TAKE_TRIPLE:
        end = fast_triple(at, c->json.end, to);
        break;
    case TAKE_REAL:
        break;
    default:
        __builtin_unreachable();
    }
    if (end)
        c->record.fields |= s->bit;
    else if (*at == 'n')
        end = fast_word_end(at);
    return end;
}

static inline site *fast_follower(const site *s, const char *at)
{
    site *next;

    for (site *const *f = s->followers; (next = *f); f++)
        if (scan_match(at, next->literal, next->length))
            break;
    return next;
}

// Takes what a literal holds of values.
static inline void fast_constants(chrome *c, const site *s, const char *at)
{
    if (s->phase)
        c->record.phase = s->phase;
    for (uint32_t i = 0; i < s->constant_count; i++) {
        const site_constant *k = &s->constants[i];
        *(text *)(void *)((char *)&c->record + k->offset) = (text){at + k->at, k->length};
    }
    c->record.fields |= s->constant_bits;
    c->record.lane_token |= s->lane_token;
    c->record.category_token |= s->category_token;
}

// At the literal of a site in which an event begins or values stand. False, with nothing done,
// where a key stands twice, which the slow way tells of, or another thread has read on.
static inline bool fast_special(chrome *c, const site *s, const char *at)
{
    if (s->brace != SITE_NO_BRACE) {
        if (at + s->brace == c->ahead_from)
            return false;
        chrome_event_end(c);
        c->mark = (chrome_mark){at + s->brace, c->events_depth, JSON_WANT_ITEM};
        chrome_event_begin(c, c->mark.at);
    } else if (c->record.fields & s->constant_bits) {
        return false;
    }
    if (s->joined)
        fast_constants(c, s, at);
    return true;
}

// Goes on from json.at, behind the value of *s, as far as all is plain. *s is then the last site.
static __attribute__((noinline)) fast_stop chrome_fast(chrome *c, site **last)
{
    const char *at = c->json.at, *value = at;
    site *s = *last;
    const bool watched = c->sites.watched != 0;

    for (;;) {
        site *next = fast_follower(s, at);
        if (!next || (next->special && !fast_special(c, next, at))) {
            fast_leave(c, at, s->in_args, JSON_WANT_COMMA_OR_END);
            *last = s;
            return FAST_GAP;
        }
        if (watched && at != value)
            sites_see(&c->sites, s, (text){value, (size_t)(at - value)}, next);
        s = next;
        value = at + s->length;
        // Numbers of no use are many.
        const bool is_skipped = s->take == TAKE_NOTHING && json_is_digit(*value);
        const char *end = is_skipped ? fast_number_end(value) : fast_value(c, s, value);
        if (!end) {
            fast_leave(c, value, s->in_args, JSON_WANT_VALUE);
            *last = s;
            return FAST_VALUE;
        }
        at = end;
    }
}

#endif
