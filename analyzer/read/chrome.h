// SPDX-License-Identifier: BSD-3-Clause
// The state of reading one Chrome-format trace, shared by the files that do it.
#ifndef READ_CHROME_H
#define READ_CHROME_H

#include "read/chrome_field.h"
#include "read/input.h"
#include "read/json_token.h"
#include "read/known_values.h"
#include "read/read_chrome.h"
#include "read/sites.h"

enum { CHROME_NOTES_MAX = 64 };

typedef struct chrome_pending {
    const char *code, *what;
    note_severity severity;
    uint64_t offset;
} chrome_pending;

// Where in the file the next unit stands.
typedef enum chrome_place {
    PLACE_BEFORE, // a document begins
    PLACE_ROOT,   // members of the root object
    PLACE_EVENTS, // elements of the array of events
    PLACE_BEHIND, // a document has ended
} chrome_place;

// What became of a unit: a member of the root, or an event.
typedef enum chrome_step {
    STEP_ON,    // go on with the next
    STEP_MORE,  // the window ends in it; it begins at `mark`
    STEP_ERROR, // json.problem; it began at `mark`
    STEP_OVER,  // no more units in this place, and json.at is behind it
} chrome_step;

// Where to begin again; brackets below are the same.
typedef struct chrome_mark {
    const char *at;
    uint32_t depth;
    json_expect expect;
} chrome_mark;

typedef struct chrome {
    input *in;
    error failure; // of the input
    const record_visitor *visitor;
    record_visitor input_visitor, collector; // the latter holds notes until their unit is complete
    uint32_t string_max, element_max;
    json_reader json;
    chrome_mark mark;
    chrome_place place;
    chrome_part *part;     // NULL: all of the file
    uint32_t events_depth; // of elements of the array of events
    record record;
    scratch scratch;
    chrome_pending notes[CHROME_NOTES_MAX]; // of the unit; more are dropped
    uint32_t note_count;
    sites sites;
    known_values known;
    const struct chrome_log *ahead; // of the window: what another thread has read of it, or NULL
    const char *ahead_from;         // where that begins, or NULL
    const char *gap_brace;          // the '{' of the event that began in the gap; NULL: none did
    bool
        gap_plain; // the gap holds nothing but keys and brackets, all in order; or a value is plain

    // What the verdict is made of.
    bool array_root, has_events, zeros;
    bool cut, cut_noted;      // the document is not complete; and the input said so itself
    const char *gzip_problem; // the first error that the input noted
    const char *broken;       // the first error that could not be mended
    uint64_t broken_offset, zeros_offset;
    char other_key_bytes[64];
    text other_key;           // the first key of the root that is not "traceEvents"
    uint64_t events_document; // the last document, counted from 1, that has had events
    uint64_t documents, objects, events, skipped; // objects: elements of use; events: not metadata
    uint64_t rescanned;                           // bytes read again behind errors
    const char *doubt;                            // why the unit is read a second time
    uint64_t doubt_offset;
} chrome;

// Takes the value of `key` into the record; a value of no use leaves the field's bit clear.
void chrome_take(chrome *c, chrome_key key, const json_token *value);

// The record is complete: hands it on, or notes why not, and hands on the notes of the event.
void chrome_event_end(chrome *c);

// Notes that the element at the mark is none.
void chrome_skip_element(chrome *c, const char *what);

// Hands on the notes of a unit that is complete.
void chrome_commit(chrome *c);

// Notes something outside of units.
void chrome_note_now(chrome *c, const char *at, note_severity severity, const char *code,
                     const char *what);

// Reads events of the window, as one of the variants below does it for some machine.
typedef struct chrome_scanner {
    const char *name;
    bool (*usable)(void); // on this machine
    chrome_step (*events)(chrome *c);
} chrome_scanner;

extern const chrome_scanner CHROME_SCALAR, CHROME_SSE2, CHROME_AVX2, CHROME_NEON;

// The variants of this build, the best first, ended by NULL; the last one is usable everywhere.
extern const chrome_scanner *const CHROME_SCANNERS[];

// An event begins with the '{' at `at`. Clearing all of a record costs more than parsing a number.
static inline void chrome_event_begin(chrome *c, const char *at)
{
    record *r = &c->record;

    r->offset = json_offset(&c->json, at);
    r->fields = 0;
    r->phase = 0;
    r->lane_token = r->category_token = 0;
    r->time_ns = r->duration_ns = 0;
    r->name.length = r->category.length = r->process.length = r->thread.length = 0;
    r->correlation.length = r->external.length = r->device.length = r->stream.length = 0;
    r->flow_id.length = r->shapes.length = r->types.length = r->stack.length = 0;
    r->arg_name.length = 0;
    c->gap_plain &= !c->gap_brace;
    c->gap_brace = at;
}

// Gives the record to whoever wants events, and counts it.
static inline void chrome_hand_on(chrome *c)
{
    const record_visitor *v = c->visitor;

    c->objects++;
    c->events += (c->record.phase != 0) & (c->record.phase != 'M');
    if (v->event)
        v->event(v->self, &c->record);
}

static inline void chrome_set_mark(chrome *c)
{
    c->mark = (chrome_mark){c->json.at, c->json.depth, c->json.expect};
}

static inline void chrome_to_mark(chrome *c)
{
    c->json.at = c->mark.at;
    c->json.depth = c->mark.depth;
    c->json.expect = c->mark.expect;
    c->note_count = 0;
    scratch_reset(&c->scratch);
}

#endif
