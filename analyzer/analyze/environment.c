// SPDX-License-Identifier: BSD-3-Clause
// What a log says of the program, the machine and the recording.
#include "analyze/environment.h"

#include "analyze/device_events.h"
#include "model/json_slice.h"

#include <inttypes.h>
#include <stdio.h>

// How a value of a known key reads.
typedef enum value_form { AS_IT_IS, CUDA_VERSION, HIP_VERSION, FLAG } value_form;

typedef struct known_key {
    const char *object; // top-level object that holds it, or NULL: it is top-level itself
    const char *key;
    const char *shown; // NULL: as `key`
    value_form form;
} known_key;

// In the order of the rows.
static const known_key KNOWN[] = {
    {NULL,              "torch_version",           NULL,                  AS_IT_IS    },
    {NULL,              "recorder",                NULL,                  AS_IT_IS    },
    {NULL,              "host_name",               NULL,                  AS_IT_IS    },
    {NULL,              "cuda_runtime_version",    NULL,                  CUDA_VERSION},
    {NULL,              "cuda_driver_version",     NULL,                  CUDA_VERSION},
    {NULL,              "cupti_version",           NULL,                  AS_IT_IS    },
    {NULL,              "hip_runtime_version",     NULL,                  HIP_VERSION },
    {NULL,              "hip_driver_version",      NULL,                  HIP_VERSION },
    {NULL,              "roctracer_version",       NULL,                  AS_IT_IS    },
    {NULL,              "rocprofiler-sdk_version", NULL,                  AS_IT_IS    },
    {"distributedInfo", "backend",                 "distributed_backend", AS_IT_IS    },
    {"distributedInfo", "rank",                    "rank",                AS_IT_IS    },
    {"distributedInfo", "world_size",              "world_size",          AS_IT_IS    },
    {"distributedInfo", "nccl_version",            "nccl_version",        AS_IT_IS    },
    {NULL,              "record_shapes",           NULL,                  FLAG        },
    {NULL,              "profile_memory",          NULL,                  FLAG        },
    {NULL,              "with_stack",              NULL,                  FLAG        },
    {NULL,              "with_flops",              NULL,                  FLAG        },
    {NULL,              "with_modules",            NULL,                  FLAG        },
    {NULL,              "tprof_gpu_status",        "gpu_status",          AS_IT_IS    },
};

// Top-level keys that say nothing of the environment, or that have rows of their own.
static const char *const LEFT_OUT[] = {
    "schemaVersion",
    "displayTimeUnit",
    "baseTimeNanoseconds",
    "traceName",
    "trace_id",
    "traceEvents",
    "deviceProperties",
    "distributedInfo",
    "environment",
    "tprof_losses",
    "INFO",
    "WARNING",
    "ERROR",
    "STAGE",
};

enum { ROWS_AT_MOST = 100, SHOWN_BYTES = 200 };

typedef struct row_list {
    environment_row *at;
    uint32_t count, capacity;
    arena *arena;
} row_list;

static bool has_row(const row_list *rows, const char *key)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (!strcmp(rows->at[i].key, key))
            return true;
    return false;
}

// The first span that states a key is taken.
static void add_row(row_list *rows, const char *key, const char *value)
{
    if (has_row(rows, key))
        return;
    arena_reserve_one(rows->arena, rows->at, rows->count, rows->capacity);
    rows->at[rows->count++] = (environment_row){key, value};
}

// As people read it: a string without its quotes, cut to a readable length, not inside a character.
static const char *shown_text(text raw, arena *a)
{
    const text t = json_text(raw, a);
    size_t end = t.length < SHOWN_BYTES ? t.length : SHOWN_BYTES;

    while (end && end < t.length && ((unsigned char)t.at[end] & 0xc0) == 0x80)
        end--;
    return arena_printf(a, "%.*s%s", (int)end, t.at, end < t.length ? "..." : "");
}

static const char *value_text(text raw, value_form form, arena *a)
{
    int64_t number;
    if (form == AS_IT_IS || !json_integer(raw, &number))
        return shown_text(raw, a);

    if (form == CUDA_VERSION && number > 0) // 12090 is 12.9
        return arena_printf(a, "%" PRId64 ".%" PRId64, number / 1000, number % 1000 / 10);
    if (form == HIP_VERSION && number > 0) // 60443483 is 6.4.43483
        return arena_printf(a, "%" PRId64 ".%" PRId64 ".%" PRId64, number / 10000000,
                            number / 100000 % 100, number % 100000);
    if (form == FLAG && (number == 0 || number == 1))
        return number ? "yes" : "no";
    return shown_text(raw, a);
}

static void add_known(row_list *rows, const trace *t)
{
    for (size_t i = 0; i < ARRAY_LEN(KNOWN); i++) {
        const known_key *k = &KNOWN[i];
        const text value = k->object ? json_member(trace_metadata(t, k->object), k->key)
                                     : trace_metadata(t, k->key);
        if (value.length)
            add_row(rows, k->shown ? k->shown : k->key, value_text(value, k->form, rows->arena));
    }
}

static bool is_object(text raw)
{
    return raw.length && raw.at[0] == '{';
}

// What the program states of itself: members of "environment", those of "versions" one by one.
static void add_stated(row_list *rows, text object, const char *prefix)
{
    text inside = json_inside(object), key, value;

    while (rows->count < ROWS_AT_MOST && json_next_member(&inside, &key, &value)) {
        const char *name = arena_printf(rows->arena, "%s%.*s", prefix, (int)key.length, key.at);
        if (is_object(value) && !*prefix)
            add_stated(rows, value, arena_printf(rows->arena, "%s.", name));
        else
            add_row(rows, name, shown_text(value, rows->arena));
    }
}

static bool is_left_out(text key)
{
    for (size_t i = 0; i < ARRAY_LEN(LEFT_OUT); i++)
        if (text_equal(key, text_of(LEFT_OUT[i])))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(KNOWN); i++)
        if (!KNOWN[i].object && text_equal(key, text_of(KNOWN[i].key)))
            return true;
    return false;
}

static void add_user_keys(row_list *rows, const trace *t)
{
    for (uint32_t i = 0; i < t->metadata_count && rows->count < ROWS_AT_MOST; i++) {
        const text key = strings_text(&t->strings, t->metadata[i].key);
        const text value = strings_text(&t->strings, t->metadata[i].json);
        if (!is_left_out(key) && !is_object(value))
            add_row(rows, arena_copy(rows->arena, key.at, key.length),
                    shown_text(value, rows->arena));
    }
}

// Processes with host events.
static int64_t process_count(const trace *t)
{
    arena *scratch = arena_create();
    bool *seen = arena_new(scratch, bool, t->strings.count);
    int64_t count = 0;

    for (uint32_t i = 0; i < t->lane_count; i++) {
        const uint32_t process = t->lanes[i].process;
        if (t->lanes[i].kind != LANE_THREAD || !t->lanes[i].events || process == STRING_NONE)
            continue;
        count += !seen[process];
        seen[process] = true;
    }
    arena_destroy(scratch);
    return count;
}

// "NVIDIA H100, compute capability 9.0, 132 SMs, 85.0 GB", as far as it is known.
static void add_device(row_list *rows, const overview_device *d)
{
    arena *a = rows->arena;
    const char *is = d->name ? d->name : "";

    if (d->compute_capability)
        is = arena_printf(a, "%s, compute capability %s", is, d->compute_capability);
    if (d->sm_count != INT_NONE)
        is = arena_printf(a, "%s, %" PRId64 " SMs", is, d->sm_count);
    if (d->memory_bytes != INT_NONE)
        is = arena_printf(a, "%s, %.1f GB", is, (double)d->memory_bytes / 1e9);
    if (*is)
        add_row(rows, arena_printf(a, "device_%s", d->device), *is == ',' ? is + 2 : is);
}

static void add_counts(row_list *rows, const overview *o, const worker *w)
{
    int64_t processes = 0, working = 0;

    for (uint32_t i = 0; i < w->span_count; i++) {
        const int64_t here = process_count(w->spans[i].trace);
        processes = here > processes ? here : processes;
    }
    for (uint32_t i = 0; i < o->device_count; i++)
        working += o->devices[i].busy_ns != INT_NONE;
    add_row(rows, "devices", arena_printf(rows->arena, "%" PRId64, working));
    for (uint32_t i = 0; i < o->device_count && rows->count < ROWS_AT_MOST; i++)
        add_device(rows, &o->devices[i]);
    add_row(rows, "processes", arena_printf(rows->arena, "%" PRId64, processes));
}

void environment_add(overview *o, const worker *w, arena *a)
{
    row_list rows = {.arena = a};

    for (uint32_t i = 0; i < w->span_count; i++) {
        const trace *t = w->spans[i].trace;
        add_known(&rows, t);
        add_stated(&rows, trace_metadata(t, "environment"), "");
        add_user_keys(&rows, t);
    }
    add_counts(&rows, o, w);
    o->environment = rows.at;
    o->environment_count = rows.count;
}

int64_t environment_batch_size(const worker *w)
{
    static const char *const KEYS[] = {"batch_size", "batch"};
    int64_t size;

    for (uint32_t i = 0; i < w->span_count; i++) {
        const trace *t = w->spans[i].trace;
        for (size_t k = 0; k < ARRAY_LEN(KEYS); k++) {
            if (json_integer(json_member(trace_metadata(t, "environment"), KEYS[k]), &size) &&
                size > 0)
                return size;
            if (json_integer(trace_metadata(t, KEYS[k]), &size) && size > 0)
                return size;
        }
    }
    return -1;
}
