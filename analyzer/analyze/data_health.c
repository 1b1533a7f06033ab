// SPDX-License-Identifier: BSD-3-Clause
// What a recording holds and lacks.
#include "analyze/data_health.h"

#include "model/json_slice.h"

enum { LOG_LINES_SHOWN = 4 };

static void count_events(data_health *r, const trace *t)
{
    const events *e = &t->events;

    r->device_events += t->work_count;
    for (uint32_t i = 0; i < e->count; i++)
        if (role_is_call((role)e->role[i]) && event_flags(t, i) & NAME_LAUNCH_CALL)
            r->launch_calls++;
    if (t->device_count > r->listed_devices)
        r->listed_devices = t->device_count;
}

static data_note *note_of(data_health *r, const char *code)
{
    for (uint32_t i = 0; i < r->note_count; i++)
        if (!strcmp(r->notes[i].code, code))
            return &r->notes[i];
    r->notes[r->note_count] = (data_note){.code = code};
    return &r->notes[r->note_count++];
}

static void add_notes(data_health *r, const trace *t, arena *a)
{
    for (uint32_t i = 0; i < t->note_count; i++) {
        const health_note *from = &t->notes[i];
        data_note *note = note_of(r, from->code);
        if (!note->text) {
            note->code = arena_copy(a, from->code, strlen(from->code));
            note->text = arena_copy(a, from->text, strlen(from->text));
            note->severity = from->severity;
            note->byte = from->byte;
        }
        note->count += from->count;
    }
}

static void add_log_lines(data_health *r, const trace *t, const char **lines, arena *a)
{
    for (uint32_t i = 0; i < t->log_line_count && r->log_lines.count < LOG_LINES_SHOWN; i++)
        lines[r->log_lines.count++] = arena_copy(a, t->log_lines[i], strlen(t->log_lines[i]));
}

data_health data_health_analyze(const worker *w, arena *a)
{
    size_t notes = 0;
    for (uint32_t i = 0; i < w->span_count; i++)
        notes += w->spans[i].trace->note_count;

    const char **lines = arena_new(a, const char *, LOG_LINES_SHOWN);
    data_health r = {
        .spans = w->span_count,
        .notes = arena_new(a, data_note, notes),
        .log_lines = {.at = lines},
    };
    for (uint32_t i = 0; i < w->span_count; i++) {
        const trace *t = w->spans[i].trace;
        const text status = trace_metadata(t, "tprof_gpu_status");
        count_events(&r, t);
        add_notes(&r, t, a);
        add_log_lines(&r, t, lines, a);
        if (status.length && !r.gpu_status) {
            const text words = json_text(status, a);
            r.gpu_status = arena_copy(a, words.at, words.length);
        }
    }
    return r;
}
