// SPDX-License-Identifier: BSD-3-Clause
// The loop over the events of a window, inline, for one vector variant: see json_step.h.
#ifndef READ_CHROME_EVENTS_H
#define READ_CHROME_EVENTS_H

#include "read/chrome_ahead.h"
#include "read/chrome_fast.h"

// An element of the events that is not an object.
static inline chrome_step chrome_other_element(chrome *c, const json_token *token)
{
    if (token->kind == JSON_ARRAY_END) {
        chrome_commit(c);
        return STEP_OVER;
    }
    if (token->kind == JSON_ARRAY) {
        c->json.depth--; // as before the bracket, which json_step_nested() wants to see
        const json_token rest = json_step_nested(&c->json, token->raw.at);
        if (rest.kind == JSON_MORE || rest.kind == JSON_ERROR)
            return rest.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    }
    chrome_skip_element(c, "an element of the events is not an object");
    chrome_commit(c);
    c->json.doubtful = false;
    return STEP_ON;
}

// From between two elements into the next event. STEP_OVER: the array has ended.
static inline chrome_step chrome_enter_event(chrome *c)
{
    json_reader *r = &c->json;

    for (;;) {
        const bool blank = json_step_between(r) == JSON_MORE;
        if (c->note_count)
            chrome_commit(c);
        chrome_set_mark(c);
        if (c->mark.at == c->ahead_from && c->ahead_from && chrome_ahead_replay(c))
            continue;
        if (blank)
            return STEP_MORE;
        const json_token token = json_step(r);
        if (token.kind == JSON_MORE || token.kind == JSON_ERROR)
            return token.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
        if (token.kind == JSON_OBJECT) {
            chrome_event_begin(c, token.raw.at);
            return STEP_ON;
        }
        const chrome_step step = chrome_other_element(c, &token);
        if (step != STEP_ON)
            return step;
    }
}

// What `key` means; an object behind "args" is entered, and its members are read like the event's.
// STEP_ON: the value of *found stands at json.at. STEP_OVER: there is no value to take.
static inline chrome_step chrome_meaning(chrome *c, const json_token *key, chrome_key *found)
{
    json_reader *r = &c->json;
    const text name = json_decode(key, &c->scratch);

    c->gap_plain &= key->bent == 0;
    r->at = scan_space(r->at, r->end);
    if (r->at == r->end)
        return STEP_MORE;
    if (r->depth > c->events_depth + 1) {
        *found = chrome_args_key(name);
        return STEP_ON;
    }
    *found = chrome_event_key(name);
    if (*found != CHROME_ARGS || *r->at != '{')
        return STEP_ON;
    return json_step_open(r, r->at, true).kind == JSON_ERROR ? STEP_ERROR : STEP_OVER;
}

// From behind a value, or between elements, to the next value of an event: ends events and begins
// them on the way. STEP_ON: the value of *found stands at json.at. STEP_OVER: the array has ended.
static inline chrome_step chrome_find_value(chrome *c, chrome_key *found)
{
    json_reader *r = &c->json;

    for (;;) {
        if (r->depth == c->events_depth) {
            const chrome_step step = chrome_enter_event(c);
            if (step != STEP_ON)
                return step;
        }
        const json_token token = json_step(r);
        if (token.kind == JSON_KEY) {
            const chrome_step step = chrome_meaning(c, &token, found);
            if (step != STEP_OVER)
                return step;
        } else if (token.kind == JSON_OBJECT_END) {
            if (r->depth == c->events_depth)
                chrome_event_end(c);
        } else {
            return token.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
        }
    }
}

// The value at json.at, or behind blanks there, whole.
static inline chrome_step chrome_value(chrome *c, chrome_key key)
{
    json_reader *r = &c->json;

    // Behind a site there may be more blanks than the first time.
    r->at = scan_space(r->at, r->end);
    const bool nested = r->at < r->end && (*r->at == '{' || *r->at == '[');
    const json_token value = nested ? json_step_nested(r, r->at) : json_step(r);

    if (value.kind == JSON_MORE || value.kind == JSON_ERROR)
        return value.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    if (key > CHROME_ARGS)
        chrome_take(c, key, &value);
    return STEP_ON;
}

// The same, and the gap is remembered as what follows *last, which becomes its site.
static inline chrome_step chrome_learn(chrome *c, site **last, chrome_key *found)
{
    const json_reader *r = &c->json;
    const char *begin = r->at;
    const bool from_args = r->depth > c->events_depth + 1;

    c->gap_plain = r->depth > c->events_depth && !r->doubtful;
    c->gap_brace = NULL;
    const chrome_step step = chrome_find_value(c, found);
    if (step != STEP_ON)
        return step;
    site_gap gap = {.from_args = from_args,
                    .in_args = r->depth > c->events_depth + 1,
                    .brace = c->gap_brace ? (int)(c->gap_brace - begin) : SITE_NO_BRACE,
                    .key = *found};
    // Whether "args" is entered depends on what stands behind the gap.
    if (c->gap_plain && *found != CHROME_ARGS && r->at - begin <= SITE_BYTES)
        gap.bytes = (text){begin, (size_t)(r->at - begin)};
    *last = sites_learn(&c->sites, *last, &gap, json_offset(r, r->at));
    return STEP_ON;
}

// Never STEP_ON: reads on until something else is to be done.
static inline chrome_step chrome_events(chrome *c)
{
    site *last = c->sites.items; // begins between elements, where no site is known
    chrome_key key;

    sites_pass(&c->sites, json_offset(&c->json, c->json.at));
    for (;;) {
        const bool inside = c->json.depth > c->events_depth && !c->json.doubtful;
        chrome_step step = STEP_ON;
        if (c->sites.off)
            step = chrome_find_value(c, &key);
        else if (inside && chrome_fast(c, &last) == FAST_VALUE)
            key = (chrome_key)last->key;
        else
            step = chrome_learn(c, &last, &key);
        if (step == STEP_ON)
            step = chrome_value(c, key);
        if (step != STEP_ON)
            return step;
    }
}

#endif
