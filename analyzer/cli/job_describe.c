// SPDX-License-Identifier: BSD-3-Clause
// What a report says of an input, readable or not.
#include "cli/job.h"

static const char *const SEVERITIES[] = {"info", "warning", "error"};

static const char *status_word(const job_input *in)
{
    if (!in->trace)
        return in->code == ERR_EMPTY || in->code == ERR_NOT_TRACE ? "not_a_trace" : "unreadable";
    if (in->trace->truncated)
        return "partial";
    for (uint32_t i = 0; i < in->trace->note_count; i++)
        if (in->trace->notes[i].severity == NOTE_ERROR)
            return "partial";
    return "ok";
}

static report_note *copy_notes(const trace *t, arena *a)
{
    report_note *notes = arena_new(a, report_note, t->note_count);

    for (uint32_t i = 0; i < t->note_count; i++) {
        const health_note *n = &t->notes[i];
        notes[i] = (report_note){
            .code = n->code,
            .severity = SEVERITIES[n->severity],
            .count = (int64_t)n->count,
            .byte = n->byte == ERROR_NO_OFFSET ? INT_NONE : n->byte,
            .text = arena_printf(a, "%s", n->text),
        };
    }
    return notes;
}

static report_note *failure_note(const job_input *in, arena *a)
{
    static const char *const CODES[] = {
        [ERR_NONE] = "none",           [ERR_IO] = "cannot_read", [ERR_EMPTY] = "empty",
        [ERR_GZIP] = "broken_gzip",    [ERR_JSON] = "not_json",  [ERR_NOT_TRACE] = "not_a_trace",
        [ERR_LIMIT] = "limit_reached", [ERR_USAGE] = "usage",    [ERR_WRITE] = "cannot_write",
    };
    report_note *note = arena_new(a, report_note, 1);

    *note = (report_note){
        .code = CODES[in->code],
        .severity = SEVERITIES[NOTE_ERROR],
        .count = 1,
        .byte = in->failure.offset == ERROR_NO_OFFSET ? INT_NONE : in->failure.offset,
        .text = in->failure.message,
    };
    return note;
}

static int64_t known_rank(const job_input *in)
{
    if (in->trace && in->trace->rank >= 0)
        return in->trace->rank;
    return rank_in_name(in->file.worker);
}

void job_describe(job_input *in, arena *a)
{
    const trace *t = in->trace;

    in->seen = (report_input){
        .path = in->file.path,
        .run = in->file.run,
        .worker = in->file.worker,
        .span = in->file.span,
        .rank = known_rank(in),
        .world_size = t ? t->world_size : -1,
        .status = status_word(in),
        .bytes = t              ? (int64_t)t->stored_bytes
                 : in->size < 0 ? INT_NONE
                                : in->size,
        .events = t ? (int64_t)t->records : INT_NONE,
        .notes = t ? copy_notes(t, a) : failure_note(in, a),
        .note_count = t ? t->note_count : 1,
    };
}
