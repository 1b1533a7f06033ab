// SPDX-License-Identifier: BSD-3-Clause
// Whether two traces are the same.
#include "support/same_trace.h"

static bool same_strings(const trace *x, const trace *y)
{
    bool same = x->strings.count == y->strings.count;
    for (uint32_t i = 0; same && i < x->strings.count; i++)
        same = text_equal(strings_text(&x->strings, i), strings_text(&y->strings, i));
    return same;
}

static bool same_words(const char *x, const char *y)
{
    return strcmp(x, y) == 0;
}

static bool same_bytes(const void *x, const void *y, size_t size, size_t count)
{
    return count == 0 || memcmp(x, y, size * count) == 0;
}

static bool same_events(const trace *x, const trace *y)
{
    const events *a = &x->events, *b = &y->events;
    const size_t n = a->count;

    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (event_flags(x, i) != event_flags(y, i))
            return false;
    return same_bytes(a->begin, b->begin, sizeof(*a->begin), n) &&
           same_bytes(a->duration, b->duration, sizeof(*a->duration), n) &&
           same_bytes(a->name, b->name, sizeof(*a->name), n) &&
           same_bytes(a->lane, b->lane, sizeof(*a->lane), n) &&
           same_bytes(a->role, b->role, sizeof(*a->role), n) &&
           same_bytes(a->correlation, b->correlation, sizeof(*a->correlation), n) &&
           same_bytes(a->external, b->external, sizeof(*a->external), n) &&
           same_bytes(a->detail, b->detail, sizeof(*a->detail), n);
}

static bool same_lanes(const trace *x, const trace *y)
{
    if (x->lane_count != y->lane_count)
        return false;
    for (uint32_t i = 0; i < x->lane_count; i++) {
        const lane *const a = &x->lanes[i], *const b = &y->lanes[i];
        if (a->kind != b->kind || a->process != b->process || a->thread != b->thread ||
            a->name != b->name || a->device != b->device || a->events != b->events)
            return false;
    }
    return true;
}

static bool same_devices(const trace *x, const trace *y)
{
    if (x->device_count != y->device_count)
        return false;
    for (uint32_t i = 0; i < x->device_count; i++) {
        const device *const a = &x->devices[i], *const b = &y->devices[i];
        if (a->id != b->id || a->number != b->number || a->name != b->name ||
            a->memory_bytes != b->memory_bytes || a->sm_count != b->sm_count ||
            a->compute_major != b->compute_major || a->compute_minor != b->compute_minor ||
            a->has_work != b->has_work || a->lanes != b->lanes)
            return false;
    }
    return true;
}

static bool same_details(const trace *x, const trace *y)
{
    return x->op_detail_count == y->op_detail_count &&
           x->device_detail_count == y->device_detail_count &&
           same_bytes(x->op_details, y->op_details, sizeof(op_detail), x->op_detail_count) &&
           same_bytes(x->device_details, y->device_details, sizeof(device_detail),
                      x->device_detail_count);
}

static bool same_marks(const trace *x, const trace *y)
{
    if (x->sequence_count != y->sequence_count || x->flow_count != y->flow_count)
        return false;
    for (uint32_t i = 0; i < x->sequence_count; i++) {
        const sequence_mark *const a = &x->sequences[i], *const b = &y->sequences[i];
        if (a->event != b->event || a->number != b->number || a->fwd_thread != b->fwd_thread)
            return false;
    }
    for (uint32_t i = 0; i < x->flow_count; i++) {
        const flow_end *const a = &x->flows[i], *const b = &y->flows[i];
        if (a->id != b->id || a->time_ns != b->time_ns || a->lane != b->lane ||
            a->start != b->start)
            return false;
    }
    return true;
}

static bool same_categories(const trace *x, const trace *y)
{
    if (x->category_count != y->category_count)
        return false;
    for (uint32_t i = 0; i < x->category_count; i++) {
        const category_count *const a = &x->categories[i], *const b = &y->categories[i];
        if (a->word != b->word || a->role != b->role || a->records != b->records ||
            a->total_ns != b->total_ns)
            return false;
    }
    return true;
}

static bool same_notes(const trace *x, const trace *y)
{
    if (x->note_count != y->note_count)
        return false;
    for (uint32_t i = 0; i < x->note_count; i++) {
        const health_note *const a = &x->notes[i], *const b = &y->notes[i];
        if (!same_words(a->code, b->code) || a->severity != b->severity || a->count != b->count ||
            a->byte != b->byte || !same_words(a->text, b->text))
            return false;
    }
    return true;
}

static bool same_metadata(const trace *x, const trace *y)
{
    if (x->log_line_count != y->log_line_count || x->metadata_count != y->metadata_count ||
        !same_bytes(x->metadata, y->metadata, sizeof(metadata_entry), x->metadata_count))
        return false;
    for (uint32_t i = 0; i < x->log_line_count; i++)
        if (!same_words(x->log_lines[i], y->log_lines[i]))
            return false;
    return x->rank == y->rank && x->world_size == y->world_size;
}

static bool same_time(const trace *x, const trace *y)
{
    return x->base_ns == y->base_ns && x->base_known == y->base_known &&
           x->window_begin == y->window_begin && x->window_end == y->window_end &&
           x->window_told == y->window_told;
}

static bool same_whole(const trace *x, const trace *y)
{
    return x->truncated == y->truncated && x->records == y->records;
}

const char *trace_difference(const trace *x, const trace *y)
{
    static const struct {
        const char *name;
        bool (*same)(const trace *x, const trace *y);
    } parts[] = {
        {"strings",    same_strings   },
        {"events",     same_events    },
        {"lanes",      same_lanes     },
        {"devices",    same_devices   },
        {"details",    same_details   },
        {"marks",      same_marks     },
        {"categories", same_categories},
        {"notes",      same_notes     },
        {"metadata",   same_metadata  },
        {"time",       same_time      },
        {"whole",      same_whole     },
    };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (!parts[i].same(x, y))
            return parts[i].name;
    return NULL;
}
