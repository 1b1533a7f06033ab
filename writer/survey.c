// SPDX-License-Identifier: BSD-3-Clause
// The first look at a capture's events: threads, counts, names of steps.
#include "window.h"

#include "out/json_text.h"

#include <stdlib.h>
#include <string.h>

// What the first look at the events needs.
typedef struct survey {
    tp_capture *capture;
    uint32_t *places;     // by hash of the thread: 1 + its place in the array
    uint32_t place_count; // a power of two, 0: none
    bool failed;          // no memory: later threads are counted as the first
} survey;

static uint32_t *place_of(const survey *s, int64_t tid)
{
    uint32_t slot = (uint32_t)((uint64_t)tid * 0x9e3779b97f4a7c15u >> 32) & (s->place_count - 1);
    while (s->places[slot] && s->capture->threads[s->places[slot] - 1].tid != tid)
        slot = (slot + 1) & (s->place_count - 1);
    return &s->places[slot];
}

static bool more_places(survey *s)
{
    const uint32_t count = s->place_count ? 2 * s->place_count : 64;
    uint32_t *places = calloc(count, sizeof(*places));
    if (!places)
        return false;
    free(s->places);
    s->places = places;
    s->place_count = count;
    for (uint32_t i = 0; i < s->capture->thread_count; i++)
        *place_of(s, s->capture->threads[i].tid) = i + 1;
    return true;
}

static uint32_t thread_place(survey *s, int64_t tid, const char *name)
{
    tp_capture *capture = s->capture;

    if (2 * capture->thread_count >= s->place_count && !more_places(s)) {
        s->failed = true;
        return 0;
    }
    uint32_t *place = place_of(s, tid);
    if (!*place) {
        tp_thread *threads = tp_grown(capture->threads, capture->thread_count, sizeof(*threads));
        if (!threads) {
            s->failed = true;
            return 0;
        }
        capture->threads = threads;
        threads[capture->thread_count++] = (tp_thread){tid, name};
        *place = capture->thread_count;
    }
    capture->threads[*place - 1].name = name; // the last one it had
    return *place - 1;
}

static void name_step(tp_capture *capture, tp_event *event)
{
    const int64_t step = ((const tp_function_detail *)(const void *)(event + 1))->module;
    tp_step_name *name = malloc(sizeof(*name));

    if (!name)
        return;
    const size_t prefix = sizeof(TPROF_NAME_STEP_PREFIX) - 1;
    memcpy(name->text, TPROF_NAME_STEP_PREFIX, prefix);
    *tp_text_int(name->text + prefix, step) = '\0';
    name->next = capture->window->step_names;
    capture->window->step_names = name;
    event->name = name->text;
    if (capture->first_step < 0 || step < capture->first_step)
        capture->first_step = step;
    if (step > capture->last_step)
        capture->last_step = step;
}

static void look_at_detail(tp_capture *capture, const tp_event *event)
{
    const tp_op_detail *op = (const void *)(event + 1);

    if (event->detail != TP_DETAIL_OP)
        return;
    capture->has_sequences |= op->sequence > 0;
    capture->losses[TPROF_LOSS_CUT_DETAILS] += op->cut;
}

// Whose events come next. A thread is only noted with its first event.
typedef struct writer {
    int64_t tid;
    const char *name;
    uint32_t *place; // where its place in the array is to be written; NULL once it is
} writer;

// The thread that writes slot part->from.
static writer first_writer(tp_part *part)
{
    writer first = {part->chunk->tid, part->chunk->thread_name, &part->thread};

    for (uint32_t at = 0; at < part->from; at += 1u + part->chunk->slots[at].slots)
        if (part->chunk->slots[at].kind == TP_THREAD) {
            first.tid = (int64_t)part->chunk->slots[at].begin;
            first.name = part->chunk->slots[at].name;
        }
    return first;
}

static void look_at_event(survey *s, writer *by, tp_event *event)
{
    tp_capture *capture = s->capture;

    if (event->begin < capture->window->filter_ticks) {
        capture->losses[TPROF_LOSS_CUT_EVENTS]++;
        return;
    }
    if (by->place) {
        *by->place = thread_place(s, by->tid, by->name);
        by->place = NULL;
    }
    capture->event_count++;
    look_at_detail(capture, event);
    if (event->kind == TP_STEP)
        name_step(capture, event);
}

// The slots of a part belong to this capture alone, so they may be changed.
static void look_at_part(survey *s, tp_part *part)
{
    writer by = first_writer(part);

    for (uint32_t at = part->from; at < part->to;) {
        tp_event *event = &part->chunk->slots[at];
        at += 1u + event->slots;
        if (event->kind == TP_THREAD)
            by = (writer){(int64_t)event->begin, event->name, &event->id};
        else
            look_at_event(s, &by, event);
    }
}

static void add_to_totals(const tp_capture *capture)
{
    tp_totals *totals = capture->window->totals;

    if (!totals)
        return;
    atomic_fetch_add_explicit(&totals->events, capture->event_count, memory_order_relaxed);
    atomic_fetch_add_explicit(&totals->cut, capture->losses[TPROF_LOSS_CUT_EVENTS],
                              memory_order_relaxed);
}

void tp_capture_count(tp_capture *capture)
{
    for (const tp_part *part = capture->window->parts; part; part = part->next)
        for (uint32_t at = part->from; at < part->to;) {
            const tp_event *event = &part->chunk->slots[at];
            at += 1u + event->slots;
            if (event->kind == TP_THREAD)
                continue;
            if (event->begin < capture->window->filter_ticks)
                capture->losses[TPROF_LOSS_CUT_EVENTS]++;
            else
                capture->event_count++;
        }
    add_to_totals(capture);
}

void tp_capture_prepare(tp_capture *capture)
{
    tp_window *window = capture->window;
    survey s = {.capture = capture};

    pthread_mutex_lock(&window->lock);
    if (!window->prepared) {
        for (tp_part *part = window->parts; part; part = part->next)
            look_at_part(&s, part);
        free(s.places);
        if (s.failed && capture->thread_count == 0) {
            // Not even one thread could be noted: there is nothing to attribute events to.
            capture->losses[TPROF_LOSS_DROPPED_EVENTS] += capture->event_count;
            capture->event_count = 0;
            tp_parts_release(window->parts);
            window->parts = NULL;
        }
        tp_capture_check_owners(capture);
        tp_capture_project(capture);
        add_to_totals(capture);
        window->prepared = true;
    }
    pthread_mutex_unlock(&window->lock);
}
