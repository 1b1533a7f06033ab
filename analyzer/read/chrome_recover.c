// SPDX-License-Identifier: BSD-3-Clause
// What to do where a unit of a trace cannot be read on.
#include "read/chrome_recover.h"

#include "read/chrome_resync.h"

enum {
    RESCAN_FACTOR = 16, // broken input costs at most so many times its length
    RESCAN_FREE = 1024 * 1024,
    CUT_EVENT_MAX = 64 * 1024, // an event that is longer when the text ends has swallowed others
};

// May what was read from the mark on be read again?
static bool afford_again(chrome *c)
{
    const uint64_t again = (uint64_t)(c->json.at - c->mark.at);

    if (c->rescanned + again > RESCAN_FREE + RESCAN_FACTOR * json_offset(&c->json, c->json.at))
        return false;
    c->rescanned += again;
    return true;
}

bool chrome_is_strained(const chrome *c)
{
    return c->rescanned > RESCAN_FREE / 2; // two parts that are not stay within what is free
}

// A unit that makes no sense may do so when each quote is doubted. Once; the first reason is kept.
static bool doubt(chrome *c, const char *problem)
{
    if (c->json.doubtful || c->place == PLACE_BEFORE)
        return false;
    c->doubt = problem;
    c->doubt_offset = json_offset(&c->json, c->json.at);
    if (!afford_again(c))
        return false;
    chrome_to_mark(c);
    c->json.doubtful = true;
    return true;
}

// Gives the unit up and finds the next. False: there is none.
static bool give_up(chrome *c, const char *code)
{
    const bool in_events = c->place == PLACE_EVENTS;

    c->json.doubtful = false;
    c->note_count = 0;
    if (!c->broken) {
        c->broken = c->doubt;
        c->broken_offset = c->doubt_offset;
    }
    if (c->visitor->note)
        c->visitor->note(c->visitor->self, code, NOTE_ERROR, c->doubt_offset, c->doubt);
    c->skipped += in_events;
    if (c->place == PLACE_BEFORE || (!in_events && c->has_events))
        return false;
    // Its end may be near its beginning, if a string ran away.
    if (afford_again(c))
        c->json.at = c->mark.at + 1;
    return in_events ? chrome_resync_event(c) : chrome_resync_root(c);
}

bool chrome_recover(chrome *c)
{
    return doubt(c, c->json.problem) || give_up(c, "broken_element");
}

// Does the part that is read end where it should, before an event?
static bool end_of_part(chrome *c)
{
    return c->part && c->place == PLACE_EVENTS && c->documents == 1 && c->mark.at == c->json.end &&
           c->mark.expect == JSON_WANT_ITEM;
}

// What whoever reads all of the file finds behind the cut decides what becomes of the unit.
static bool is_cut_by_part(const chrome *c)
{
    return c->part && !c->part->inside;
}

// The text ended inside a unit.
static bool end_inside(chrome *c)
{
    const bool long_rest = c->json.end - c->mark.at > CUT_EVENT_MAX;

    if (is_cut_by_part(c))
        return false;
    c->json.at = c->json.end;
    if (c->mark.at < c->json.end && doubt(c, "an event has no end"))
        return true;
    if (c->place == PLACE_EVENTS && long_rest && give_up(c, "broken_element"))
        return true;
    c->cut = true;
    c->note_count = 0;
    if (!c->cut_noted)
        chrome_note_now(c, c->json.end, NOTE_ERROR, "truncated",
                        "the text ends inside the JSON document");
    return false;
}

bool chrome_want_more(chrome *c)
{
    const bool between = c->place == PLACE_BEHIND || c->place == PLACE_BEFORE;

    if (c->json.last && end_of_part(c)) {
        c->part->joined = true;
        return false;
    }
    if (c->json.last)
        return !between && end_inside(c);
    if (c->json.end - c->mark.at > (int64_t)c->element_max) {
        c->json.at = c->json.end;
        c->doubt = "an element beyond the limit was skipped";
        c->doubt_offset = json_offset(&c->json, c->mark.at);
        return give_up(c, "long_element");
    }
    chrome_to_mark(c);
    return chrome_more(c);
}
