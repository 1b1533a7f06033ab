// SPDX-License-Identifier: BSD-3-Clause
// One finished window: made by the profiler, walked by encoders, freed by its last owner.
#include "window.h"

#include "out/json_writer.h"

#include <stdlib.h>
#include <string.h>

void *tp_grown(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return realloc(array, (count ? 2 * count : 1) * size);
}

tp_capture *tp_capture_create(void)
{
    tp_capture *capture = calloc(1, sizeof(*capture));
    tp_window *window = calloc(1, sizeof(*window));

    if (!capture || !window) {
        free(capture);
        free(window);
        return NULL;
    }
    atomic_init(&window->owners, 1);
    pthread_mutex_init(&window->lock, NULL);
    capture->window = window;
    capture->first_step = -1;
    capture->last_step = -1;
    return capture;
}

void tp_capture_fill(tp_capture *capture, const tp_taken *taken)
{
    tp_window *window = capture->window;

    window->parts = taken->parts;
    window->map = taken->map;
    window->filter_ticks = taken->filter_ticks;
    window->totals = taken->totals;
    window->first_id = tp_ids_take((uint32_t)taken->slots);
}

tp_capture *tp_capture_retain(tp_capture *capture)
{
    atomic_fetch_add_explicit(&capture->window->owners, 1, memory_order_relaxed);
    return capture;
}

void tp_capture_release(tp_capture *capture)
{
    if (!capture ||
        atomic_fetch_sub_explicit(&capture->window->owners, 1, memory_order_acq_rel) > 1)
        return;

    tp_window *window = capture->window;
    if (!window->prepared)
        tp_capture_count(capture);
    tp_parts_release(window->parts);
    while (window->step_names) {
        tp_step_name *next = window->step_names->next;
        free(window->step_names);
        window->step_names = next;
    }
    for (uint32_t i = 0; i < capture->metadata_count; i++) {
        free(capture->metadata[i].key);
        free(capture->metadata[i].json);
    }
    pthread_mutex_destroy(&window->lock);
    free(window);
    free(capture->metadata);
    free(capture->threads);
    free(capture->devices);
    free(capture->gpu);
    free(capture);
}

bool tp_capture_add_gpu(tp_capture *capture, const tp_gpu_event *event)
{
    if (capture->gpu_count == capture->gpu_capacity) {
        const size_t capacity = capture->gpu_capacity ? 2 * capture->gpu_capacity : 256;
        tp_gpu_event *gpu = realloc(capture->gpu, capacity * sizeof(*gpu));
        if (!gpu) {
            capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS]++;
            return false;
        }
        capture->gpu = gpu;
        capture->gpu_capacity = capacity;
    }
    capture->gpu[capture->gpu_count++] = *event;
    return true;
}

bool tp_capture_add_device(tp_capture *capture, const tp_device_info *device)
{
    tp_device_info *devices = tp_grown(capture->devices, capture->device_count, sizeof(*devices));
    if (!devices)
        return false;
    capture->devices = devices;
    devices[capture->device_count++] = *device;
    return true;
}

// Where the key stands or would stand.
static uint32_t metadata_place(const tp_capture *capture, const char *key, bool *found)
{
    uint32_t at = 0;
    int order = -1;

    while (at < capture->metadata_count && (order = strcmp(capture->metadata[at].key, key)) < 0)
        at++;
    *found = at < capture->metadata_count && order == 0;
    return at;
}

bool tp_capture_add_json(tp_capture *capture, const char *key, const char *json)
{
    bool found;
    const uint32_t at = metadata_place(capture, key, &found);
    char *copy = strdup(json);
    char *key_copy = found ? NULL : strdup(key);
    tp_metadata *metadata = capture->metadata;

    if (!found && copy && key_copy)
        metadata = tp_grown(metadata, capture->metadata_count, sizeof(*metadata));
    if (!copy || (!found && (!key_copy || !metadata))) {
        free(copy);
        free(key_copy);
        return false;
    }

    capture->metadata = metadata;
    if (found) {
        free(metadata[at].json);
        metadata[at].json = copy;
        return true;
    }
    memmove(metadata + at + 1, metadata + at, (capture->metadata_count - at) * sizeof(*metadata));
    metadata[at] = (tp_metadata){key_copy, copy};
    capture->metadata_count++;
    return true;
}

bool tp_capture_add_text(tp_capture *capture, const char *key, const char *text)
{
    const size_t length = strlen(text);
    char *json = malloc(TP_ESCAPE_ROOM * (length + 1) + 1);
    if (!json)
        return false;
    *tp_text_quoted(json, text, length) = '\0';
    const bool added = tp_capture_add_json(capture, key, json);
    free(json);
    return added;
}

// Without threads there are no events either.
static const tp_thread *thread_at(const tp_capture *capture, uint32_t place)
{
    return capture->threads ? capture->threads + place : NULL;
}

tp_cursor tp_cursor_begin(const tp_capture *capture)
{
    const tp_window *window = capture->window;
    tp_cursor cursor = {.capture = capture, .part = window->parts, .next_id = window->first_id};

    if (cursor.part) {
        cursor.at = cursor.part->from;
        cursor.thread = thread_at(capture, cursor.part->thread);
    }
    return cursor;
}

static void fill_record(tp_cursor *cursor, const tp_event *event, tp_record *record)
{
    const tp_clock_map *map = &cursor->capture->window->map;

    record->kind = (tp_kind)event->kind;
    record->id = event->id ? event->id : cursor->next_id;
    record->name = event->name;
    record->thread = cursor->thread;
    record->begin_ns = tp_clock_ns(map, event->begin);
    record->op = NULL;
    record->function = NULL;
    record->memory = NULL;
    record->mark = NULL;
    if (event->kind < TP_INSTANT) {
        record->end_ns = tp_clock_ns(map, event->end);
    } else {
        record->end_ns = record->begin_ns;
        memcpy(&record->value, &event->end, sizeof(event->end));
    }
}

static void fill_detail(const tp_event *event, tp_record *record)
{
    const void *detail = event + 1;

    switch ((tp_detail)event->detail) {
    case TP_DETAIL_NONE:
        break;
    case TP_DETAIL_OP:
        record->op = detail;
        break;
    case TP_DETAIL_FUNCTION:
        record->function = detail;
        break;
    case TP_DETAIL_MEMORY:
        record->memory = detail;
        break;
    case TP_DETAIL_MARK:
        record->mark = detail;
        break;
    }
}

bool tp_cursor_next(tp_cursor *cursor, tp_record *record)
{
    const tp_capture *capture = cursor->capture;

    while (cursor->part) {
        if (cursor->at == cursor->part->to) {
            cursor->part = cursor->part->next;
            if (cursor->part) {
                cursor->at = cursor->part->from;
                cursor->thread = thread_at(capture, cursor->part->thread);
            }
            continue;
        }
        const tp_event *event = &cursor->part->chunk->slots[cursor->at];
        cursor->at += 1u + event->slots;
        if (event->kind == TP_THREAD) {
            cursor->thread = thread_at(capture, event->id);
            continue;
        }
        if (event->begin < capture->window->filter_ticks)
            continue;
        fill_record(cursor, event, record);
        fill_detail(event, record);
        cursor->next_id++;
        return true;
    }
    return false;
}
