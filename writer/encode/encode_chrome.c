// SPDX-License-Identifier: BSD-3-Clause
// The Kineto-compatible JSON trace: order of keys and events as its newest writers have it.
#include "encode/chrome_out.h"
#include "encode/encoder.h"

#include <stdio.h>
#include <stdlib.h>

static void put_device(chrome_out *out, const tp_device_info *device)
{
    const struct {
        const char *key;
        int64_t value;
    } fields[] = {
        {"totalGlobalMem",              device->total_global_memory             },
        {"computeMajor",                device->compute_major                   },
        {"computeMinor",                device->compute_minor                   },
        {"maxThreadsPerBlock",          device->max_threads_per_block           },
        {"maxThreadsPerMultiprocessor", device->max_threads_per_multiprocessor  },
        {"regsPerBlock",                device->registers_per_block             },
        {"warpSize",                    device->warp_size                       },
        {"sharedMemPerBlock",           device->shared_memory_per_block         },
        {"numSms",                      device->multiprocessors                 },
        {"regsPerMultiprocessor",       device->registers_per_multiprocessor    },
        {"sharedMemPerBlockOptin",      device->shared_memory_per_block_optin   },
        {"sharedMemPerMultiprocessor",  device->shared_memory_per_multiprocessor},
    };

    CHROME_PUT(out, "\n    {\n      \"id\": ");
    chrome_int(out, device->id);
    CHROME_PUT(out, ", \"name\": ");
    tp_chrome_string(out, device->name);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        CHROME_PUT(out, ", \"");
        tp_chrome_text(out, fields[i].key, strlen(fields[i].key));
        CHROME_PUT(out, "\": ");
        chrome_int(out, fields[i].value);
    }
    CHROME_PUT(out, "\n    }");
}

static void put_key(chrome_out *out, const char *key)
{
    CHROME_PUT(out, ",\n  ");
    tp_chrome_string(out, key);
    CHROME_PUT(out, ": ");
}

static void put_flag(chrome_out *out, tprof_key key, bool on)
{
    if (!on)
        return;
    put_key(out, tprof_key_word(key));
    CHROME_PUT(out, "1");
}

static void put_losses(chrome_out *out)
{
    const uint64_t *losses = out->capture->losses;
    bool any = false;

    for (int i = 0; i < TPROF_LOSS_COUNT; i++) {
        if (!losses[i])
            continue;
        if (any) {
            CHROME_PUT(out, ", ");
        } else {
            put_key(out, tprof_key_word(TPROF_KEY_LOSSES));
            CHROME_PUT(out, "{");
        }
        any = true;
        tp_chrome_string(out, tprof_loss_word((tprof_loss)i));
        CHROME_PUT(out, ": ");
        chrome_uint(out, losses[i]);
    }
    if (any)
        CHROME_PUT(out, "}");
}

static void put_metadata(chrome_out *out)
{
    const tp_capture *capture = out->capture;

    put_flag(out, TPROF_KEY_RECORD_SHAPES, capture->record_shapes);
    put_flag(out, TPROF_KEY_PROFILE_MEMORY, capture->profile_memory);
    put_flag(out, TPROF_KEY_WITH_STACK, capture->with_stack);
    put_flag(out, TPROF_KEY_WITH_FLOPS, capture->with_flops);
    put_flag(out, TPROF_KEY_WITH_MODULES, capture->with_modules);
    for (uint32_t i = 0; i < capture->metadata_count; i++) {
        put_key(out, capture->metadata[i].key);
        tp_chrome_text(out, capture->metadata[i].json, strlen(capture->metadata[i].json));
    }
    put_losses(out);
}

static void put_beginning(chrome_out *out)
{
    const tp_capture *capture = out->capture;

    CHROME_PUT(out, "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [");
    for (uint32_t i = 0; i < capture->device_count; i++) {
        if (i)
            CHROME_PUT(out, ",");
        put_device(out, &capture->devices[i]);
    }
    CHROME_PUT(out, "]");
    put_metadata(out);
    CHROME_PUT(out, ",\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": ");
    chrome_int(out, capture->base_ns);
    CHROME_PUT(out, ",\n  \"traceEvents\": [");
}

void tp_chrome_rows(chrome_out *out)
{
    const tp_capture *capture = out->capture;
    const int64_t pid = capture->pid;
    char name[128];

    tp_chrome_put_row(out, &(chrome_row){"process_name", "name", pid, 0, capture->process_name, 0});
    tp_chrome_put_row(out, &(chrome_row){"process_labels", "labels", pid, 0, "CPU", 0});
    tp_chrome_put_row(out, &(chrome_row){"process_sort_index", "sort_index", pid, 0, NULL, pid});
    for (uint32_t i = 0; i < capture->thread_count; i++) {
        const tp_thread *thread = &capture->threads[i];
        snprintf(name, sizeof(name), "thread %lld (%.80s)", (long long)thread->tid, thread->name);
        tp_chrome_put_row(out, &(chrome_row){"thread_name", "name", pid, thread->tid, name, 0});
        tp_chrome_put_row(out, &(chrome_row){"thread_sort_index", "sort_index", pid, thread->tid,
                                             NULL, thread->tid});
    }
}

// The window as a range of its own, on rows that are no process.
static void put_span(chrome_out *out)
{
    const tp_capture *capture = out->capture;

    CHROME_PUT(out, ",\n  {\n    \"ph\": \"X\",\n    \"cat\": \"Trace\",\n    \"name\": "
                    "\"" TPROF_NAME_SPAN "\",\n    \"pid\": \"Spans\",\n    \"tid\": \"PyTorch "
                    "Profiler\",\n    \"ts\": ");
    chrome_time(out, capture->begin_ns);
    CHROME_PUT(out, ",\n    \"dur\": ");
    chrome_duration(out, capture->begin_ns, capture->end_ns);
    chrome_args(out);
    CHROME_PUT(out, "\"Op count\": 0");
    chrome_args_end(out);
    CHROME_PUT(out, ",\n  {\n    \"ph\": \"M\",\n    \"name\": \"process_sort_index\",\n    "
                    "\"ts\": ");
    chrome_time(out, capture->begin_ns);
    CHROME_PUT(out, ",\n    \"pid\": \"Spans\",\n    \"tid\": 0");
    chrome_args(out);
    CHROME_PUT(out, "\"sort_index\": ");
    chrome_int(out, TPROF_SORT_SPANS);
    chrome_args_end(out);
    CHROME_PUT(out, ",\n  {\n    \"ph\": \"i\",\n    \"s\": \"g\",\n    \"name\": "
                    "\"" TPROF_NAME_WINDOW_BEGIN "\",\n    \"pid\": \"Traces\",\n    \"tid\": "
                    "\"Trace PyTorch Profiler\",\n    \"ts\": ");
    chrome_time(out, capture->begin_ns);
    chrome_end(out);
}

static void put_ending(chrome_out *out, const char *trace_name)
{
    CHROME_PUT(out, ",\n  {\n    \"ph\": \"i\",\n    \"s\": \"g\",\n    \"name\": "
                    "\"" TPROF_NAME_WINDOW_END "\",\n    \"pid\": \"\",\n    \"tid\": \"\",\n    "
                    "\"ts\": ");
    chrome_time(out, out->capture->end_ns);
    chrome_end(out);
    CHROME_PUT(out, "\n  ],\n  \"traceName\": ");
    tp_chrome_string(out, trace_name);
    CHROME_PUT(out, "\n}\n");
}

static void encode(const tp_capture *capture, const char *trace_name, tp_sink *sink)
{
    chrome_out *out = malloc(sizeof(*out));

    if (!out) {
        sink->status = TPROF_ERR_MEMORY;
        return;
    }
    out->capture = capture;
    out->sink = sink;
    out->at = out->buffer;
    out->event_index = 0;
    out->flushes = 0;
    out->any_event = false;
    put_beginning(out);
    tp_chrome_rows(out);
    tp_chrome_host(out);
    put_span(out);
    tp_chrome_device(out);
    put_ending(out, trace_name);
    tp_chrome_flush(out);
    free(out);
}

const tp_encoder tp_encoder_chrome = {
    .name = "chrome trace",
    .suffix = TPROF_TRACE_SUFFIX,
    .encode = encode,
};
