// SPDX-License-Identifier: BSD-3-Clause
// Folded stacks, from the averages grouped by whole stacks.
#include "encode/encode_stacks.h"

#include "encode/encode_averages.h"
#include "encode/text_buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// What separates frames, and frames from the number, must not stand in a frame.
static void add_frame(tp_text *line, const char *frame, size_t size)
{
    const size_t from = line->size;

    tp_text_append(line, frame, size);
    for (size_t i = from; i < line->size; i++)
        if (strchr(" ;\t\n", line->data[i]))
            line->data[i] = '_';
}

static void add_frames_reversed(tp_text *line, const char *stack)
{
    size_t end = strlen(stack);

    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && stack[begin - 1] != ';')
            begin--;
        if (line->size)
            tp_text_add(line, ";");
        add_frame(line, stack + begin, end - begin);
        end = begin > 0 ? begin - 1 : 0;
    }
}

typedef int64_t (*row_metric)(const tprof_average *row);

static int64_t self_cpu(const tprof_average *row)
{
    return row->self_cpu_total_ns;
}

static int64_t self_device(const tprof_average *row)
{
    return row->self_device_total_ns;
}

static void write_lines(const tprof_averages *averages, row_metric metric, tp_sink *sink)
{
    tp_text line = {0};

    for (size_t i = 0; i < averages->count; i++) {
        const tprof_average *row = &averages->rows[i];
        const int64_t us = metric(row) / 1000;
        if (us <= 0 || !*row->stack)
            continue;
        tp_text_clear(&line);
        add_frames_reversed(&line, row->stack);
        tp_text_print(&line, " %" PRId64 "\n", us);
        if (!line.failed)
            tp_sink_write(sink, line.data, line.size);
    }
    if (line.failed && sink->status == TPROF_OK)
        sink->status = TPROF_ERR_MEMORY;
    free(line.data);
}

static void encode(const tp_capture *capture, row_metric metric, tp_sink *sink)
{
    const tprof_averages_options by_stack = {.group_by_stack_n = TP_WHOLE_STACK};
    tprof_averages *averages;

    const tprof_status status = tp_averages_make(capture, &by_stack, &averages);
    if (status == TPROF_OK)
        write_lines(averages, metric, sink);
    else if (sink->status == TPROF_OK)
        sink->status = status;
    tprof_averages_free(averages);
}

static void encode_self_cpu(const tp_capture *capture, const char *trace_name, tp_sink *sink)
{
    (void)trace_name;
    encode(capture, self_cpu, sink);
}

static void encode_self_device(const tp_capture *capture, const char *trace_name, tp_sink *sink)
{
    (void)trace_name;
    encode(capture, self_device, sink);
}

const tp_encoder *tp_stacks_encoder(const char *metric)
{
    static const tp_encoder encoders[] = {
        {"self_cpu_time_total",    ".stacks", encode_self_cpu   },
        {"self_cuda_time_total",   ".stacks", encode_self_device},
        {"self_device_time_total", ".stacks", encode_self_device},
        {"self_xpu_time_total",    ".stacks", encode_self_device},
    };

    for (size_t i = 0; i < sizeof(encoders) / sizeof(*encoders); i++)
        if (strcmp(encoders[i].name, metric) == 0)
            return &encoders[i];
    return NULL;
}
