// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a trace: reading them ends, and gives the same records, metadata and notes for each
// scanner and each size of window, with learned gaps and without, with a thread that reads ahead.
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"

#include "base/id_map.h"
#include "read/read_chrome.h"

#include <string.h>

typedef struct outcome {
    uint64_t events, metadata, notes;
    err_code failed;
    uint64_t lanes[RECORD_TOKENS], categories[RECORD_TOKENS]; // what tokens stand for
} outcome;

static uint64_t mix_text(uint64_t hash, text t)
{
    return hash * 0x9e3779b97f4a7c15u + (t.length ? hash_bytes(t.at, t.length) : 1);
}

static uint64_t mix_whole(uint64_t hash, int64_t value)
{
    return hash * 0x9e3779b97f4a7c15u + (uint64_t)value;
}

static uint64_t mix_real(uint64_t hash, double value)
{
    return hash * 0x9e3779b97f4a7c15u + hash_bytes(&value, sizeof(value));
}

static void expect_one_meaning(uint64_t *known, uint64_t now)
{
    if (*known && *known != now)
        abort();
    *known = now;
}

static void check_tokens(outcome *o, const record *r)
{
    if (r->lane_token)
        expect_one_meaning(&o->lanes[r->lane_token], mix_text(mix_text(1, r->process), r->thread));
    if (r->category_token)
        expect_one_meaning(&o->categories[r->category_token], mix_text(1, r->category));
}

static void on_event(void *self, const record *r)
{
    outcome *o = self;
    const text texts[] = {r->name,     r->category, r->process, r->thread,  r->correlation,
                          r->external, r->device,   r->stream,  r->flow_id, r->shapes,
                          r->types,    r->stack,    r->arg_name};
    // Without its bit a number means nothing.
    const struct {
        uint32_t bit;
        int64_t value;
    } wholes[] = {
        {0,                (int64_t)r->offset},
        {0,                r->fields         },
        {0,                r->phase          },
        {0,                r->time_ns        },
        {0,                r->duration_ns    },
        {FIELD_SEQUENCE,   r->sequence       },
        {FIELD_FWD_THREAD, r->fwd_thread     },
        {FIELD_MODULE_ID,  r->module_id      },
        {FIELD_REGISTERS,  r->registers      },
        {FIELD_SHARED,     r->shared_bytes   },
        {FIELD_BYTES,      r->bytes          },
        {FIELD_GRID,       r->grid[0]        },
        {FIELD_GRID,       r->grid[1]        },
        {FIELD_GRID,       r->grid[2]        },
        {FIELD_BLOCK,      r->block[0]       },
        {FIELD_BLOCK,      r->block[1]       },
        {FIELD_BLOCK,      r->block[2]       },
    };

    check_tokens(o, r);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        o->events = mix_text(o->events, texts[i]);
    for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
        if (!wholes[i].bit || r->fields & wholes[i].bit)
            o->events = mix_whole(o->events, wholes[i].value);
    if (r->fields & FIELD_BLOCKS_SM)
        o->events = mix_real(o->events, r->blocks_per_sm);
    if (r->fields & FIELD_OCCUPANCY)
        o->events = mix_real(o->events, r->occupancy_percent);
}

static void on_metadata(void *self, text key, text raw)
{
    outcome *o = self;
    o->metadata = mix_text(mix_text(o->metadata, key), raw);
}

static void on_note(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    outcome *o = self;
    (void)what;
    o->notes = mix_text(o->notes, text_of(code)) + (uint64_t)severity + offset;
}

static outcome read_all(const char *path, const read_limits *limits, bool background)
{
    outcome o = {0};
    const record_visitor visitor = {&o, on_event, on_metadata, on_note};
    error err = {0};
    input *in;

    if (input_open(path, limits, background, &in, &err))
        abort();
    o.failed = read_chrome(in, limits, &visitor, &err);
    input_close(in);
    return o;
}

static void expect_same(outcome a, outcome b)
{
    if (a.events != b.events || a.metadata != b.metadata || a.notes != b.notes ||
        a.failed != b.failed)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // Where the notes of gzip stand between those of JSON depends on the windows.
    if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
        return 0;
    const memory_file file = memory_file_open(data, size);
    read_limits plain = {
        .scanner = "scalar", .string_bytes = 100, .element_bytes = 2000, .window_bytes = 16 * 1024};
    plain.plain_scan = true;
    read_limits best = plain, small = plain;

    best.scanner = NULL;
    best.plain_scan = false;
    best.gap_values = 16 + (uint32_t)(size % 48);
    small.plain_scan = size % 5 == 0;
    small.scanner = size % 2 ? "sse2" : NULL;
    small.window_bytes = 1 + (uint32_t)(size % 61);
    const outcome reference = read_all(file.path, &plain, false);
    expect_same(reference, read_all(file.path, &best, false));
    best.ahead = AHEAD_ALWAYS;
    best.window_bytes = 100 + (uint32_t)(size % 1000);
    if (size % 4 == 0)
        expect_same(reference, read_all(file.path, &best, true));
    if (size < 4096)
        expect_same(reference, read_all(file.path, &small, size % 3 == 0));
    close(file.fd);
    return 0;
}
