// SPDX-License-Identifier: BSD-3-Clause
// Annotations projected onto devices: from the first to the last work of each stream that was
// launched inside.
#include "window.h"

#include <stdlib.h>

// An annotation of the host.
typedef struct label {
    uint32_t id;
    const char *name;
} label;

static int by_id(const void *a, const void *b)
{
    const uint32_t x = ((const label *)a)->id, y = ((const label *)b)->id;
    return (x > y) - (x < y);
}

// All annotations in order of id; NULL with *count 0 where there are none, or no memory.
static label *collect_labels(const tp_capture *capture, size_t *count)
{
    label *labels = NULL;
    size_t capacity = 0;
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;

    *count = 0;
    while (tp_cursor_next(&cursor, &record)) {
        if (record.kind != TP_ANNOTATION && record.kind != TP_STEP)
            continue;
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            label *more = realloc(labels, capacity * sizeof(*labels));
            if (!more)
                break;
            labels = more;
        }
        labels[(*count)++] = (label){record.id, record.name};
    }
    if (*count)
        qsort(labels, *count, sizeof(*labels), by_id);
    return labels;
}

static bool is_work(const tp_gpu_event *event)
{
    return event->annotation_id && (event->kind == TP_GPU_KERNEL || event->kind == TP_GPU_MEMCPY ||
                                    event->kind == TP_GPU_MEMSET);
}

static int by_projection(const void *a, const void *b)
{
    const tp_gpu_event *x = *(const tp_gpu_event *const *)a, *y = *(const tp_gpu_event *const *)b;

    if (x->annotation_id != y->annotation_id)
        return x->annotation_id < y->annotation_id ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static bool same_projection(const tp_gpu_event *x, const tp_gpu_event *y)
{
    return x->annotation_id == y->annotation_id && x->device == y->device && x->stream == y->stream;
}

// Adds one projection for each run of work with the same annotation, device and stream. A
// nanosecond wider at both ends than the work, as Kineto's are.
static void add_projections(tp_capture *capture, const tp_gpu_event *made, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tp_capture_add_gpu(capture, &made[i]);
}

static size_t make_projections(const tp_gpu_event *const *work, size_t count, const label *labels,
                               size_t label_count, tp_gpu_event *made)
{
    size_t used = 0;

    for (size_t from = 0, to; from < count; from = to) {
        int64_t end_ns = work[from]->end_ns;
        for (to = from + 1; to < count && same_projection(work[from], work[to]); to++)
            if (work[to]->end_ns > end_ns)
                end_ns = work[to]->end_ns;
        const label key = {work[from]->annotation_id, NULL};
        const label *found = bsearch(&key, labels, label_count, sizeof(*labels), by_id);
        if (!found)
            continue; // it was still open when the window ended
        made[used++] = (tp_gpu_event){
            .kind = TP_GPU_ANNOTATION,
            .name = found->name,
            .begin_ns = work[from]->begin_ns - 1,
            .end_ns = end_ns + 1,
            .device = work[from]->device,
            .context = work[from]->context,
            .stream = work[from]->stream,
            .op_id = found->id,
        };
    }
    return used;
}

void tp_capture_project(tp_capture *capture)
{
    size_t label_count, count = 0;

    if (!capture->gpu_count)
        return;
    label *labels = collect_labels(capture, &label_count);
    const tp_gpu_event **work = malloc(capture->gpu_count * sizeof(*work));
    if (work)
        for (size_t i = 0; i < capture->gpu_count; i++)
            if (is_work(&capture->gpu[i]))
                work[count++] = &capture->gpu[i];
    tp_gpu_event *made = count && label_count ? malloc(count * sizeof(*made)) : NULL;
    if (made) {
        qsort(work, count, sizeof(*work), by_projection);
        add_projections(capture, made, make_projections(work, count, labels, label_count, made));
    }
    free(made);
    free(work);
    free(labels);
}
