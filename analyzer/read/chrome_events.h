// SPDX-License-Identifier: BSD-3-Clause
// The loop over the events of a window, inline, for one vector variant: see json_step.h.
#ifndef READ_CHROME_EVENTS_H
#define READ_CHROME_EVENTS_H

#include "read/chrome.h"
#include "read/json_step.h"

// The members of an event, and of its "args" where it comes to that; `{` is behind.
static inline chrome_step chrome_members(chrome *c, uint32_t depth)
{
    json_reader *r = &c->json;

    for (;;) {
        json_token key = json_step(r);
        if (key.kind == JSON_OBJECT_END) {
            if (r->depth < depth)
                return STEP_ON;
            continue;
        }
        if (key.kind != JSON_KEY)
            return key.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
        const bool in_args = r->depth > depth;
        const text name = json_decode(&key, &c->scratch);
        const chrome_key found = in_args ? chrome_args_key(name) : chrome_event_key(name);
        json_token value;
        if (found == CHROME_ARGS) {
            value = json_step(r);
            if (value.kind == JSON_OBJECT)
                continue;
            // Something else than an object is skipped like any other value.
            if (value.kind == JSON_ARRAY)
                value = json_step_rest(r, &value);
        } else {
            value = json_step_over(r);
        }
        if (value.kind == JSON_MORE || value.kind == JSON_ERROR)
            return value.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
        if (found > CHROME_ARGS)
            chrome_take(c, found, &value);
    }
}

static inline chrome_step chrome_element(chrome *c)
{
    const json_token token = json_step(&c->json);

    if (token.kind == JSON_OBJECT) {
        c->record = (record){.offset = json_offset(&c->json, token.raw.at)};
        const chrome_step step = chrome_members(c, c->json.depth);
        if (step == STEP_ON)
            chrome_event_end(c);
        return step;
    }
    if (token.kind == JSON_MORE || token.kind == JSON_ERROR)
        return token.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    if (token.kind == JSON_ARRAY_END)
        return STEP_OVER;
    if (token.kind == JSON_ARRAY) {
        const json_token rest = json_step_rest(&c->json, &token);
        if (rest.kind == JSON_MORE || rest.kind == JSON_ERROR)
            return rest.kind == JSON_MORE ? STEP_MORE : STEP_ERROR;
    }
    chrome_skip_element(c, "an element of the events is not an object");
    return STEP_ON;
}

// Never STEP_ON: reads on until something else is to be done.
static inline chrome_step chrome_events(chrome *c)
{
    for (;;) {
        const bool blank = json_step_between(&c->json) == JSON_MORE;
        if (c->note_count)
            chrome_commit(c);
        chrome_set_mark(c);
        if (blank)
            return STEP_MORE;
        const chrome_step step = chrome_element(c);
        if (step == STEP_ON || step == STEP_OVER) {
            chrome_commit(c);
            c->json.doubtful = false;
        }
        if (step != STEP_ON)
            return step;
    }
}

#endif
