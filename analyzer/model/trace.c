// SPDX-License-Identifier: BSD-3-Clause
// One trace file in memory: notes, and what is asked for by name.
#include "model/trace.h"

void trace_destroy(trace *t)
{
    if (t)
        arena_destroy(t->arena); // which holds the trace itself
}

int64_t raw_duration(const trace *t, uint32_t event)
{
    uint32_t low = 0, high = t->clipped_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->clipped[middle].event < event)
            low = middle + 1;
        else
            high = middle;
    }
    const bool clipped = low < t->clipped_count && t->clipped[low].event == event;
    return clipped ? t->clipped[low].raw_ns : t->events.duration[event];
}

// There are few kinds; a code is nearly always the very literal that made the note.
static health_note *note_of(trace *t, const char *code)
{
    for (uint32_t i = 0; i < t->note_count; i++)
        if (t->notes[i].code == code)
            return &t->notes[i];
    for (uint32_t i = 0; i < t->note_count; i++)
        if (strcmp(t->notes[i].code, code) == 0)
            return &t->notes[i];

    arena_reserve_one(t->arena, t->notes, t->note_count, t->note_capacity);
    t->notes[t->note_count] = (health_note){.code = code, .byte = ERROR_NO_OFFSET};
    return &t->notes[t->note_count++];
}

void trace_note_seen(trace *t, const health_note *seen)
{
    health_note *const note = note_of(t, seen->code);
    if (note->count == 0)
        *note = *seen;
    else
        note->count += seen->count;
}

void trace_note(trace *t, const char *code, note_severity severity, int64_t byte, const char *what)
{
    trace_note_seen(t, &(health_note){code, severity, 1, byte, what});
}

void trace_note_many(trace *t, const char *code, note_severity severity, uint64_t count,
                     const char *what)
{
    if (count)
        trace_note_seen(t, &(health_note){code, severity, count, ERROR_NO_OFFSET, what});
}

text trace_metadata(const trace *t, const char *key)
{
    const uint32_t id = strings_find(&t->strings, text_of(key));
    for (uint32_t i = 0; id != STRING_NONE && i < t->metadata_count; i++)
        if (t->metadata[i].key == id)
            return strings_text(&t->strings, t->metadata[i].json);
    return (text){"", 0};
}
