// SPDX-License-Identifier: BSD-3-Clause
// One input: bytes -> a linked trace.
#include "cli/job.h"

#include "link/link.h"
#include "model/trace_halves.h"

static read_limits limits_of(const options *o)
{
    read_limits limits = o->reading;

    if (o->depth != NUMBER_NONE)
        limits.depth = (uint32_t)o->depth;
    if (o->string_bytes != NUMBER_NONE)
        limits.string_bytes = (uint32_t)o->string_bytes;
    if (o->inflate_ratio != NUMBER_NONE)
        limits.inflate_ratio = (uint32_t)o->inflate_ratio;
    return limits;
}

// With --strict what was bent or lost is a failure; the first such note says where.
static err_code refuse_bent(const trace *t, error *err)
{
    for (uint32_t i = 0; i < t->note_count; i++)
        if (t->notes[i].severity != NOTE_INFO && t->notes[i].byte != ERROR_NO_OFFSET)
            return error_at(err, ERR_JSON, t->notes[i].byte, "%s (%s, refused by --strict)",
                            t->notes[i].text, t->notes[i].code);
    return ERR_NONE;
}

// False where the input is to be read whole.
static bool read_halves(job_input *in, const read_limits *limits,
                        void (*publish)(void *, job_reading), void *self)
{
    const uint64_t size = in->size > 0 ? (uint64_t)in->size : 0;
    trace_halves h;

    if (!trace_halves_open(&h, in->file.path, size, limits))
        return false;
    publish(self, (job_reading){
                      {h.first, h.second},
                      h.cut
    });
    const bool done = trace_halves_load(&h, limits, &in->trace);
    publish(self, (job_reading){0});
    trace_halves_close(&h);
    return done;
}

static void read_whole(job_input *in, const read_limits *limits, bool background,
                       void (*publish)(void *, job_reading), void *self)
{
    input *file = NULL;

    in->code = input_open(in->file.path, limits, background, &file, &in->failure);
    if (in->code == ERR_NONE) {
        publish(self, (job_reading){{file}, 0});
        in->code = trace_load(file, limits, background, &in->trace, &in->failure);
        publish(self, (job_reading){0});
    }
    input_close(file);
}

void job_read(const job *j, job_input *in, bool two_threads, void (*publish)(void *, job_reading),
              void *self)
{
    const read_limits limits = limits_of(j->options);

    in->failure.path = in->file.path;
    if (!two_threads || !read_halves(in, &limits, publish, self))
        read_whole(in, &limits, two_threads, publish, self);
    if (in->code == ERR_NONE && j->options->strict)
        in->code = refuse_bent(in->trace, &in->failure);
    if (in->code == ERR_NONE) {
        // Behind gzip data the file may go on.
        if (in->size > 0)
            in->trace->stored_bytes = (uint64_t)in->size;
        trace_link(in->trace, two_threads);
        return;
    }
    in->failure.path = in->file.path;
    trace_destroy(in->trace);
    in->trace = NULL;
}
