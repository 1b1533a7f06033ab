// SPDX-License-Identifier: BSD-3-Clause
// Event-file records through protobuf-c. Messages are built on the stack and packed into one
// buffer, which is written as a whole.
#include "encode/encode_tfevents.h"

#include "encode/run_summary.h"
#include "event.pb-c.h"
#include "out/tfrecord.h"
#include "tprof/tprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The version of event files that all readers know.
#define FILE_VERSION "brain.Event:2"

enum { SCALARS_MAX = 3, TAG_MAX = 64 };

static void out_of_memory(tp_sink *sink)
{
    if (sink->status == TPROF_OK)
        sink->status = TPROF_ERR_MEMORY;
}

static void write_event(const Tprof__Event *event, tp_sink *sink)
{
    const size_t size = tprof__event__get_packed_size(event);
    uint8_t *bytes = malloc(size);

    if (!bytes) {
        out_of_memory(sink);
        return;
    }
    tp_tfrecord_write(sink, bytes, tprof__event__pack(event, bytes));
    free(bytes);
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static double milliseconds(int64_t ns)
{
    return (double)ns / 1e6;
}

// Protobuf-c's structs have no const; it only reads what it packs.
static char *text_of(const char *text)
{
    return (char *)(uintptr_t)text;
}

void tp_tfevents_begin(tp_sink *sink, int64_t wall_ns)
{
    char writer[32];
    Tprof__SourceMetadata source = TPROF__SOURCE_METADATA__INIT;
    Tprof__Event event = TPROF__EVENT__INIT;

    snprintf(writer, sizeof(writer), "libtprof %s", tprof_version());
    source.writer = writer;
    event.wall_time = seconds(wall_ns);
    event.what_case = TPROF__EVENT__WHAT_FILE_VERSION;
    event.file_version = text_of(FILE_VERSION);
    event.source_metadata = &source;
    write_event(&event, sink);
}

static void write_summary(const tp_step_mark *step, Tprof__Summary *summary, tp_sink *sink)
{
    Tprof__Event event = TPROF__EVENT__INIT;

    event.wall_time = seconds(step->end_ns);
    event.step = step->number;
    event.what_case = TPROF__EVENT__WHAT_SUMMARY;
    event.summary = summary;
    write_event(&event, sink);
}

typedef struct scalar {
    char tag[TAG_MAX];
    float value;
    const char *meaning;
} scalar;

static void write_scalars(const tp_step_mark *step, const scalar *scalars, size_t count,
                          tp_sink *sink)
{
    Tprof__Summary summary = TPROF__SUMMARY__INIT;
    Tprof__Summary__Value values[SCALARS_MAX], *list[SCALARS_MAX];
    Tprof__SummaryMetadata metadata[SCALARS_MAX];

    for (size_t i = 0; i < count; i++) {
        metadata[i] = (Tprof__SummaryMetadata)TPROF__SUMMARY_METADATA__INIT;
        metadata[i].summary_description = text_of(scalars[i].meaning);
        values[i] = (Tprof__Summary__Value)TPROF__SUMMARY__VALUE__INIT;
        values[i].tag = text_of(scalars[i].tag);
        values[i].value_case = TPROF__SUMMARY__VALUE__VALUE_SIMPLE_VALUE;
        values[i].simple_value = scalars[i].value;
        values[i].metadata = &metadata[i];
        list[i] = &values[i];
    }
    summary.n_value = count;
    summary.value = list;
    write_summary(step, &summary, sink);
}

static scalar scalar_of(const char *tag, double value, const char *meaning)
{
    scalar s = {.value = (float)value, .meaning = meaning};
    snprintf(s.tag, sizeof(s.tag), "%s", tag);
    return s;
}

static void write_step(const tp_step_costs *costs, size_t at, int64_t batch_size, tp_sink *sink)
{
    const tp_step_mark *step = &costs->steps[at];
    const int64_t step_ns = step->end_ns - step->begin_ns;
    scalar scalars[SCALARS_MAX];
    size_t count = 0;

    scalars[count++] = scalar_of(TP_TAG_STEP_TIME, milliseconds(step_ns),
                                 "Time of the step on the thread that trains.");
    scalars[count++] = scalar_of(TP_TAG_LOADER_WAIT, milliseconds(costs->loader_ns[at]),
                                 "Time in the step that this thread waited for the data loader.");
    if (batch_size > 0 && step_ns > 0)
        scalars[count++] = scalar_of(TP_TAG_THROUGHPUT, (double)batch_size / seconds(step_ns),
                                     "Batch size over the time of the step.");
    write_scalars(step, scalars, count, sink);
}

static void write_devices(const tp_step_costs *costs, size_t at, tp_sink *sink)
{
    const tp_step_mark *step = &costs->steps[at];
    const double step_ns = (double)(step->end_ns - step->begin_ns);

    for (size_t d = 0; d < costs->device_count && step_ns > 0; d++) {
        const double busy_ns = (double)costs->busy_ns[d * costs->count + at];
        scalar s =
            scalar_of("", 100.0 * busy_ns / step_ns,
                      "Share of the step in which the device ran kernels, copies or memsets.");
        snprintf(s.tag, sizeof(s.tag), TP_TAG_DEVICE_BUSY "/%u", costs->devices[d]);
        write_scalars(step, &s, 1, sink);
    }
}

// TensorBoard's text dashboard wants a tensor of strings, and to be told that it is text.
static void write_text(const tp_step_mark *step, const char *text, size_t size, tp_sink *sink)
{
    ProtobufCBinaryData string = {size, (uint8_t *)text_of(text)};
    Tprof__TensorShape shape = TPROF__TENSOR_SHAPE__INIT;
    Tprof__Tensor tensor = TPROF__TENSOR__INIT;
    Tprof__SummaryMetadata__PluginData plugin = TPROF__SUMMARY_METADATA__PLUGIN_DATA__INIT;
    Tprof__SummaryMetadata metadata = TPROF__SUMMARY_METADATA__INIT;
    Tprof__Summary__Value value = TPROF__SUMMARY__VALUE__INIT, *list = &value;
    Tprof__Summary summary = TPROF__SUMMARY__INIT;

    tensor.dtype = TPROF__DATA_TYPE__DT_STRING;
    tensor.tensor_shape = &shape;
    tensor.n_string_val = 1;
    tensor.string_val = &string;
    plugin.plugin_name = text_of("text");
    metadata.plugin_data = &plugin;
    metadata.data_class = TPROF__DATA_CLASS__DATA_CLASS_TENSOR;
    value.tag = text_of(TP_TAG_SUMMARY);
    value.value_case = TPROF__SUMMARY__VALUE__VALUE_TENSOR;
    value.tensor = &tensor;
    value.metadata = &metadata;
    summary.n_value = 1;
    summary.value = &list;
    write_summary(step, &summary, sink);
}

static void write_run_summary(const tp_capture *capture, const tp_run_totals *totals,
                              const tp_step_mark *step, tp_sink *sink)
{
    tp_text text = {0};

    tp_run_summary_write(capture, totals, &text);
    if (text.failed)
        out_of_memory(sink);
    else
        write_text(step, text.data, text.size, sink);
    free(text.data);
}

void tp_tfevents_window(const tp_capture *capture, tp_run_totals *totals, tp_sink *sink)
{
    tp_step_costs costs;

    if (!tp_step_costs_make(capture, &costs)) {
        out_of_memory(sink);
        return;
    }
    tp_run_totals_add(totals, capture, &costs);
    for (size_t i = 0; i < costs.count; i++) {
        write_step(&costs, i, capture->batch_size, sink);
        write_devices(&costs, i, sink);
    }
    if (costs.count)
        write_run_summary(capture, totals, &costs.steps[costs.count - 1], sink);
    tp_step_costs_free(&costs);
}
