// SPDX-License-Identifier: BSD-3-Clause
// A plain file becomes a trace by two threads.
#include "model/trace_halves.h"

#include "base/both.h"
#include "model/intake.h"

// Below, threads cost more than they save.
static const uint32_t SMALLEST_BYTES = 4000000;

bool trace_halves_open(trace_halves *h, const char *path, uint64_t size, const read_limits *limits)
{
    error err = {0};

    *h = (trace_halves){0};
    const uint32_t smallest =
        limits && limits->halved_bytes ? limits->halved_bytes : SMALLEST_BYTES;
    if (size < smallest || !chrome_find_cut(path, size / 2, &h->cut, &h->array_root))
        return false;
    const input_part parts[] = {
        {0,      h->cut    },
        {h->cut, UINT64_MAX}
    };
    if (input_open_part(path, &parts[0], limits, &h->first, &err) == ERR_NONE &&
        input_open_part(path, &parts[1], limits, &h->second, &err) == ERR_NONE)
        return true;
    trace_halves_close(h);
    return false;
}

void trace_halves_close(trace_halves *h)
{
    input_close(h->first);
    input_close(h->second);
    *h = (trace_halves){0};
}

typedef struct half {
    input *in;
    chrome_part part;
    intake *intake;
    err_code failed;
} half;

typedef struct halves_work {
    half first, second;
    const read_limits *limits;
} halves_work;

static void read_half(half *h, const read_limits *limits)
{
    const record_visitor visitor = intake_visitor(h->intake);
    error err = {0};
    h->failed = read_chrome_part(h->in, &h->part, limits, &visitor, &err);
    intake_order(h->intake, false);
}

static void read_first(void *self)
{
    halves_work *const w = self;
    read_half(&w->first, w->limits);
}

static void read_second(void *self)
{
    halves_work *const w = self;
    read_half(&w->second, w->limits);
}

bool trace_halves_load(const trace_halves *h, const read_limits *limits, trace **out)
{
    halves_work w = {
        .first = {.in = h->first,                                        .intake = intake_create()},
        .second = { .in = h->second,
                  .part = {.inside = true, .array_root = h->array_root},
                  .intake = intake_create_later()},
        .limits = limits,
    };

    *out = NULL;
    do_both(true, read_first, read_second, &w);
    const bool whole = !w.first.failed && !w.second.failed && w.first.part.joined &&
                       !w.first.part.strained && !w.second.part.strained;
    if (!whole || !intake_join(w.first.intake, w.second.intake)) {
        intake_drop(w.first.intake);
        intake_drop(w.second.intake);
        return false;
    }
    trace *const t = intake_finish(w.first.intake, true);
    input_drain(h->second);
    t->stored_bytes = input_stored_bytes(h->second);
    t->inflated_bytes = input_inflated_bytes(h->second);
    if (t->events.count) {
        *out = t;
        return true;
    }
    trace_destroy(t);
    return false;
}
