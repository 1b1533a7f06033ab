// SPDX-License-Identifier: BSD-3-Clause
// The state of reading as it is at the beginning.
#include "read/chrome_begin.h"

enum {
    DEPTH_DEFAULT = 512,
    STRING_DEFAULT = 16 * 1024 * 1024,
    ELEMENT_DEFAULT = 64 * 1024 * 1024,
};

static void collect_note(void *self, const char *code, note_severity severity, uint64_t offset,
                         const char *what)
{
    chrome *c = self;

    c->gap_plain = false;
    if (c->note_count < CHROME_NOTES_MAX)
        c->notes[c->note_count++] = (chrome_pending){code, what, severity, offset};
}

void chrome_begin_document(chrome *c)
{
    c->place = PLACE_BEFORE;
    c->json.depth = 0;
    c->json.expect = JSON_WANT_VALUE;
    c->json.doubtful = false;
}

void chrome_begin(chrome *c, arena *a, const read_limits *limits, const record_visitor *visitor)
{
    const uint32_t depth = limits->depth ? limits->depth : DEPTH_DEFAULT;

    c->visitor = visitor;
    c->collector = (record_visitor){.self = c, .note = collect_note};
    c->string_max = limits->string_bytes ? limits->string_bytes : STRING_DEFAULT;
    c->element_max = limits->element_bytes ? limits->element_bytes : ELEMENT_DEFAULT;
    c->json.visitor = &c->collector;
    c->json.depth_max = depth < JSON_DEPTH_MAX ? depth : JSON_DEPTH_MAX;
    c->scratch.arena = a;
    known_values_begin(&c->known, a);
    if (limits->plain_scan)
        c->sites.off = true;
    else
        sites_begin(&c->sites, a, limits->gap_values);
    chrome_begin_document(c);
}

void chrome_begin_inside(chrome *c, bool array_root)
{
    if (!array_root)
        json_push(&c->json, true);
    json_push(&c->json, false);
    c->json.expect = JSON_WANT_ITEM;
    c->place = PLACE_EVENTS;
    c->events_depth = c->json.depth;
    c->array_root = array_root;
    c->has_events = !array_root;
    c->documents = c->events_document = 1;
}

const chrome_scanner *chrome_pick_scanner(const char *name)
{
    const chrome_scanner *const *s = CHROME_SCANNERS;

    for (; s[1]; s++)
        if (name ? strcmp(name, (*s)->name) == 0 : (*s)->usable())
            break;
    return *s;
}
