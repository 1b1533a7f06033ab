// SPDX-License-Identifier: BSD-3-Clause
// Annotations projected onto devices: from the first to the last work of each stream that was
// launched inside, be it in an annotation within.
#include "window.h"

#include <stdlib.h>

// An annotation of the host.
typedef struct label {
    uint32_t id;
    uint32_t outer;  // id of the one around it on its thread, 0: none
    size_t outer_at; // 1 + its index while they are in order of nesting
    const char *name;
    const tp_thread *thread;
    int64_t begin_ns, end_ns;
} label;

typedef struct labels {
    label *all; // in order of id
    size_t count;
} labels;

static int by_id(const void *a, const void *b)
{
    const uint32_t x = ((const label *)a)->id, y = ((const label *)b)->id;
    return (x > y) - (x < y);
}

// Thread by thread, outer ones before those that they hold.
static int by_nesting(const void *a, const void *b)
{
    const label *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return by_id(y, x); // the later one lies inside
}

static bool holds(const label *outer, const label *inner)
{
    return outer->thread == inner->thread && outer->begin_ns <= inner->begin_ns &&
           inner->end_ns <= outer->end_ns;
}

// All annotations; none where there is no memory.
static labels collect_labels(const tp_capture *capture)
{
    labels found = {NULL, 0};
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;

    while (tp_cursor_next(&cursor, &record)) {
        // Not steps: viewers take a step's projection for one more step of the host.
        if (record.kind != TP_ANNOTATION)
            continue;
        label *more = tp_grown(found.all, found.count, sizeof(*more));
        if (!more)
            break;
        found.all = more;
        more[found.count++] = (label){.id = record.id,
                                      .name = record.name,
                                      .thread = record.thread,
                                      .begin_ns = record.begin_ns,
                                      .end_ns = record.end_ns};
    }
    return found;
}

static label *find_label(const labels *known, uint32_t id)
{
    const label key = {.id = id};
    return known->count ? bsearch(&key, known->all, known->count, sizeof(key), by_id) : NULL;
}

// In order of nesting the one around is the one before, or one of those around that.
static void find_outer_labels(labels *found)
{
    label *all = found->all;
    if (!found->count)
        return;

    qsort(all, found->count, sizeof(*all), by_nesting);
    for (size_t i = 0; i < found->count; i++) {
        size_t at = i; // 1 + the index of the candidate; 0: none is left
        while (at && !holds(&all[at - 1], &all[i]))
            at = all[at - 1].outer_at;
        all[i].outer_at = at;
        all[i].outer = at ? all[at - 1].id : 0;
    }
    qsort(all, found->count, sizeof(*all), by_id);
}

// A piece of work, as part of one of the annotations around its launch.
typedef struct part {
    const label *label;
    const tp_gpu_event *work;
} part;

static bool is_work(const tp_gpu_event *event)
{
    return event->annotation_id && (event->kind == TP_GPU_KERNEL || event->kind == TP_GPU_MEMCPY ||
                                    event->kind == TP_GPU_MEMSET);
}

// Work of an annotation that was still open when the window ended has no label, and is left out.
static part *collect_parts(const tp_capture *capture, const labels *known, size_t *count)
{
    part *parts = NULL;

    *count = 0;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const tp_gpu_event *work = &capture->gpu[i];
        const label *l = is_work(work) ? find_label(known, work->annotation_id) : NULL;
        for (; l; l = find_label(known, l->outer)) {
            part *more = tp_grown(parts, *count, sizeof(*more));
            if (!more)
                return parts;
            parts = more;
            parts[(*count)++] = (part){l, work};
        }
    }
    return parts;
}

static int by_projection(const void *a, const void *b)
{
    const part *p = a, *q = b;
    const tp_gpu_event *x = p->work, *y = q->work;

    if (p->label != q->label)
        return p->label->id < q->label->id ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static bool same_projection(const part *p, const part *q)
{
    return p->label == q->label && p->work->device == q->work->device &&
           p->work->stream == q->work->stream;
}

// One projection for each run of work with the same annotation, device and stream. A nanosecond
// wider at both ends than the work, as Kineto's are.
static size_t make_projections(const part *parts, size_t count, tp_gpu_event *made)
{
    size_t used = 0;

    for (size_t from = 0, to; from < count; from = to) {
        const tp_gpu_event *first = parts[from].work;
        int64_t end_ns = first->end_ns;
        for (to = from + 1; to < count && same_projection(&parts[from], &parts[to]); to++)
            if (parts[to].work->end_ns > end_ns)
                end_ns = parts[to].work->end_ns;
        made[used++] = (tp_gpu_event){
            .kind = TP_GPU_ANNOTATION,
            .name = parts[from].label->name,
            .begin_ns = first->begin_ns - 1,
            .end_ns = end_ns + 1,
            .device = first->device,
            .context = first->context,
            .stream = first->stream,
            .op_id = parts[from].label->id,
        };
    }
    return used;
}

void tp_capture_project(tp_capture *capture)
{
    size_t count;

    if (!capture->gpu_count)
        return;
    labels known = collect_labels(capture);
    find_outer_labels(&known);
    part *parts = collect_parts(capture, &known, &count);
    tp_gpu_event *made = count ? malloc(count * sizeof(*made)) : NULL;
    if (made) {
        qsort(parts, count, sizeof(*parts), by_projection);
        const size_t used = make_projections(parts, count, made);
        for (size_t i = 0; i < used; i++)
            tp_capture_add_gpu(capture, &made[i]);
    }
    free(made);
    free(parts);
    free(known.all);
}
