// SPDX-License-Identifier: BSD-3-Clause
// Reading ahead.
#include "read/chrome_ahead.h"

#include "read/chrome_begin.h"
#include "read/chrome_resync.h"
#include "read/ring.h"

#include <stddef.h>

enum {
    LOG_FACTOR = 2,     // how much longer than the text a log may be
    FAILURES_MAX = 8,   // in a row; then there is nothing to be gained
    TOKENS = SITES_MAX, // below are the reader's own
    EVENTS_DEPTH = 2,   // in the root's object
};

struct chrome_ahead {
    arena *arena;
    input *in;
    const chrome_scanner *scanner;
    record_visitor logger;
    chrome chrome;     // a reader of its own
    uint64_t prepared; // bytes of slots so far
    uint32_t failures; // in a row

    chrome_log logs[RING_SLOTS]; // take turns: who meets one again has given its slot back
    uint32_t next_log;
    size_t capacity; // of a log, bytes
    chrome_log *log; // that is being made, of the slot
    const ring_slot *slot;
    bool spoiled, full;
};

static void keep(chrome_ahead *a, text *t)
{
    const char *const begin = a->slot->bytes;

    if (t->length == 0 || (t->at >= begin && t->at < begin + a->slot->size))
        return;
    char *const copy = scratch_take(&a->log->texts, t->length);
    memcpy(copy, t->at, t->length);
    t->at = copy;
}

static void keep_common(chrome_ahead *a, record *r)
{
    keep(a, &r->name);
    keep(a, &r->category);
    keep(a, &r->process);
    keep(a, &r->thread);
    keep(a, &r->correlation);
    keep(a, &r->external);
}

static void keep_rare(chrome_ahead *a, record *r)
{
    keep(a, &r->device);
    keep(a, &r->stream);
    keep(a, &r->flow_id);
    keep(a, &r->shapes);
    keep(a, &r->types);
    keep(a, &r->stack);
    keep(a, &r->arg_name);
}

static size_t logged_size(const record *r)
{
    return r->fields & RECORD_RARE ? sizeof(record) : offsetof(record, device);
}

static void log_record(chrome_ahead *a, const record *r)
{
    const size_t size = logged_size(r);
    record *const copy = (record *)(void *)(a->log->bytes + a->log->used);

    memcpy(copy, r, offsetof(record, device));
    copy->offset -= a->prepared;
    copy->lane_token = r->lane_token ? (uint16_t)(r->lane_token + TOKENS) : 0;
    copy->category_token = r->category_token ? (uint16_t)(r->category_token + TOKENS) : 0;
    keep_common(a, copy);
    if (size == sizeof(record)) {
        memcpy(&copy->device, &r->device, sizeof(record) - offsetof(record, device));
        keep_rare(a, copy);
    }
    a->log->used += size;
    a->log->count++;
}

static void log_event(void *self, const record *r)
{
    chrome_ahead *const a = self;

    if (a->full)
        return;
    if (a->log->used + sizeof(record) <= a->capacity) {
        log_record(a, r);
        return;
    }
    a->full = true;
    a->log->to =
        (chrome_mark){a->slot->bytes + (r->offset - a->prepared), EVENTS_DEPTH, JSON_WANT_ITEM};
}

static void log_note(void *self, const char *code, note_severity severity, uint64_t offset,
                     const char *what)
{
    chrome_ahead *const a = self;

    (void)code;
    (void)severity;
    (void)offset;
    (void)what;
    a->spoiled = true;
}

static void begin_log(chrome_ahead *a, const ring_slot *slot)
{
    chrome_log *const log = &a->logs[a->next_log++ % RING_SLOTS];

    if (!log->bytes) {
        log->bytes = arena_alloc_array(a->arena, 1, a->capacity, _Alignof(record));
        log->texts.arena = a->arena;
    }
    log->used = log->count = 0;
    scratch_reset(&log->texts);
    a->log = log;
    a->slot = slot;
    a->spoiled = a->full = false;
}

// Before the first event of the slot; false where none is found.
static bool begin_reading(chrome_ahead *a)
{
    chrome *const c = &a->chrome;

    chrome_begin_document(c);
    chrome_begin_inside(c, false);
    c->json.at = a->slot->bytes;
    c->json.end = a->slot->bytes + a->slot->size;
    c->json.end_offset = a->prepared + a->slot->size;
    c->note_count = 0;
    c->gap_brace = NULL;
    scratch_reset(&c->scratch);
    a->log->from = c->json.at = chrome_find_event(&c->json);
    return a->log->from != NULL;
}

static void read_slot(void *self, ring_slot *slot)
{
    chrome_ahead *const a = self;

    if (a->failures == FAILURES_MAX || slot->size == 0)
        return;
    memset(slot->bytes + slot->size, 0xff, RING_BEHIND_BYTES);
    begin_log(a, slot);
    a->spoiled = !begin_reading(a) || a->scanner->events(&a->chrome) != STEP_MORE || a->spoiled;
    if (!a->full)
        a->log->to = a->chrome.mark;
    a->prepared += slot->size;
    a->failures = a->spoiled ? a->failures + 1 : 0;
    if (!a->spoiled && a->log->count)
        slot->log = a->log;
}

chrome_ahead *chrome_ahead_begin(input *in, const read_limits *limits)
{
    if (limits->plain_scan || !input_has_thread(in))
        return NULL;
    arena *const own = arena_create();
    chrome_ahead *const a = arena_new(own, chrome_ahead, 1);

    a->arena = own;
    a->in = in;
    a->scanner = chrome_pick_scanner(limits->scanner);
    a->logger = (record_visitor){.self = a, .event = log_event, .note = log_note};
    a->capacity = input_slot_bytes(in) * LOG_FACTOR + sizeof(record);
    chrome_begin(&a->chrome, own, limits, &a->logger);
    input_prepare(in, read_slot, a, limits->ahead == AHEAD_ALWAYS);
    return a;
}

void chrome_ahead_end(chrome_ahead *a)
{
    if (!a)
        return;
    input_prepare(a->in, NULL, NULL, false);
    arena_destroy(a->arena); // which holds `a` itself
}

void chrome_ahead_window(chrome *c)
{
    const ring_slot *const slot = input_slot(c->in);

    c->ahead = slot ? slot->log : NULL;
    c->ahead_from = c->ahead ? c->ahead->from : NULL;
}

// As the record before the rare fields were set, or with them.
static const char *take_logged(record *r, const char *at)
{
    const record *const logged = (const record *)(const void *)at;
    const size_t size = logged_size(logged);

    if (size < sizeof(record) && r->fields & RECORD_RARE)
        memset(&r->device, 0, sizeof(record) - offsetof(record, device));
    memcpy(r, logged, size);
    return at + size;
}

bool chrome_ahead_replay(chrome *c)
{
    const chrome_log *const log = c->ahead;
    const ring_slot *const slot = input_slot(c->in);
    const uint64_t base = json_offset(&c->json, slot->bytes);
    const char *at = log->bytes;

    c->ahead = NULL;
    c->ahead_from = NULL;
    if (c->events_depth != EVENTS_DEPTH || c->json.expect != JSON_WANT_ITEM)
        return false;
    for (uint32_t i = 0; i < log->count; i++) {
        at = take_logged(&c->record, at);
        c->record.offset += base;
        chrome_hand_on(c);
    }
    c->gap_plain = false; // the gap holds events by now
    c->json.at = log->to.at;
    c->json.depth = log->to.depth;
    c->json.expect = log->to.expect;
    return true;
}
