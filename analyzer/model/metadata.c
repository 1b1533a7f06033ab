// SPDX-License-Identifier: BSD-3-Clause
// Top-level keys beside traceEvents: what they say of the trace.
#include "model/metadata.h"

#include "model/json_slice.h"

#include <stdio.h>

typedef struct loss {
    const char *key, *what;
} loss;

// Members of "tprof_losses", which our own recorder writes where something was lost.
static const loss LOSSES[] = {
    {"dropped_events",      "events were lost while recording: there was no room for more"},
    {"cut_events",          "ranges were open at an end of the recording"                 },
    {"dropped_gpu_records", "device records were lost by the driver or its buffers"       },
    {"cut_gpu_records",     "device records lay partly outside the recording"             },
    {"cut_details",         "operators lost their shapes or stacks while recording"       },
};

static int64_t integer_or(text raw, int64_t otherwise)
{
    int64_t value;
    return json_integer(raw, &value) ? value : otherwise;
}

static int64_t first_integer(text object, const char *key, const char *other_key)
{
    const int64_t value = integer_or(json_member(object, key), -1);
    return value >= 0 ? value : integer_or(json_member(object, other_key), -1);
}

// What is listed without an id is told by its place in the list.
static void take_device(lane_table *l, text properties, uint32_t place)
{
    trace *const t = l->trace;
    char number[16];
    snprintf(number, sizeof(number), "%u", place);
    const text id = json_text(json_member(properties, "id"), l->scratch);
    const text name = json_text(json_member(properties, "name"), l->scratch);
    const uint32_t at = lanes_device(l, id.length ? id : text_of(number));
    device *const d = &t->devices[at];

    if (name.length)
        d->name = strings_intern(&t->strings, name);
    d->memory_bytes = first_integer(properties, "totalGlobalMem", "globalMemSize");
    d->sm_count = first_integer(properties, "numSms", "maxComputeUnits");
    d->compute_major = integer_or(json_member(properties, "computeMajor"), -1);
    d->compute_minor = integer_or(json_member(properties, "computeMinor"), -1);
}

static void take_devices(lane_table *l, text raw)
{
    text inside = json_inside(raw), properties;
    for (uint32_t place = 0; json_next_element(&inside, &properties); place++)
        if (properties.length && properties.at[0] == '{')
            take_device(l, properties, place);
}

static void take_distributed(trace *t, text raw)
{
    t->rank = integer_or(json_member(raw, "rank"), t->rank);
    t->world_size = integer_or(json_member(raw, "world_size"), t->world_size);
}

static void take_log_lines(trace *t, text raw)
{
    text inside = json_inside(raw), line;
    while (json_next_element(&inside, &line)) {
        const text words = json_text(line, t->arena);
        arena_reserve_one(t->arena, t->log_lines, t->log_line_count, t->log_line_capacity);
        t->log_lines[t->log_line_count++] = arena_copy(t->arena, words.at, words.length);
    }
}

static void take_losses(trace *t, text raw)
{
    for (size_t i = 0; i < ARRAY_LEN(LOSSES); i++) {
        const int64_t count = integer_or(json_member(raw, LOSSES[i].key), 0);
        trace_note_many(t, LOSSES[i].key, NOTE_WARNING, count > 0 ? (uint64_t)count : 0,
                        LOSSES[i].what);
    }
}

// The last of equal keys holds.
static void keep(trace *t, text key, text raw)
{
    const metadata_entry entry = {strings_intern(&t->strings, key),
                                  strings_intern(&t->strings, raw)};
    for (uint32_t i = 0; i < t->metadata_count; i++)
        if (t->metadata[i].key == entry.key) {
            t->metadata[i] = entry;
            return;
        }
    arena_reserve_one(t->arena, t->metadata, t->metadata_count, t->metadata_capacity);
    t->metadata[t->metadata_count++] = entry;
}

static bool is_log(text key)
{
    return text_equal(key, TEXT("INFO")) || text_equal(key, TEXT("WARNING")) ||
           text_equal(key, TEXT("ERROR")) || text_equal(key, TEXT("STAGE"));
}

void metadata_take(lane_table *lanes, text key, text raw_json)
{
    trace *const t = lanes->trace;

    if (text_equal(key, TEXT("deviceProperties")) || text_equal(key, TEXT("computeProperties"))) {
        take_devices(lanes, raw_json);
        return;
    }
    if (is_log(key) && raw_json.length && raw_json.at[0] == '[') {
        take_log_lines(t, raw_json);
        return;
    }
    if (text_equal(key, TEXT("distributedInfo")))
        take_distributed(t, raw_json);
    else if (text_equal(key, TEXT("baseTimeNanoseconds")))
        t->base_known = json_integer(raw_json, &t->base_ns);
    else if (text_equal(key, TEXT("tprof_losses")))
        take_losses(t, raw_json);
    keep(t, key, raw_json);
}
