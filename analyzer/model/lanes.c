// SPDX-License-Identifier: BSD-3-Clause
// Threads, streams and devices of a trace while it is being made.
#include "model/lanes.h"

#include "model/json_slice.h"

#include <stdlib.h>

// Two ids as one key: interned, so that ids of any look are equal as numbers when equal as texts.
static uint64_t pair(uint32_t x, uint32_t y)
{
    return (uint64_t)x << 32 | y;
}

static uint32_t add_lane(lane_table *l, lane made, uint32_t written_thread)
{
    trace *const t = l->trace;
    const uint32_t id = t->lane_count;

    arena_reserve_one(l->scratch, l->written_thread, id, l->written_capacity);
    arena_reserve_one(t->arena, t->lanes, id, t->lane_capacity);
    l->written_thread[id] = written_thread;
    t->lanes[id] = made;
    t->lane_count++;
    return id;
}

lane_table lanes_begin(trace *t, arena *scratch)
{
    lane_table made = {.trace = t, .scratch = scratch};
    for (size_t i = 0; i < ARRAY_LEN(made.recent_threads); i++) // of no text
        made.recent_threads[i].outer.length = made.recent_streams[i].outer.length = UINT64_MAX;
    return made;
}

static uint32_t recent_place(text_key outer, text_key inner)
{
    outer.head += inner.head;
    outer.tail += inner.tail * 3;
    return text_key_place(outer, RECENT_LANE_BITS);
}

static bool is_recent(const recent_lane *r, text_key outer, text_key inner)
{
    return text_keys_equal(r->inner, inner) && text_keys_equal(r->outer, outer);
}

static uint32_t keep_recent(recent_lane *place, text_key outer, text_key inner, uint32_t id)
{
    if (outer.length <= TEXT_KEY_WHOLE && inner.length <= TEXT_KEY_WHOLE)
        *place = (recent_lane){outer, inner, id};
    return id;
}

static uint32_t find_thread(lane_table *l, text process, text thread)
{
    const uint32_t pid = strings_intern(&l->trace->strings, process);
    const uint32_t tid = strings_intern(&l->trace->strings, thread);
    const uint32_t next = l->trace->lane_count;
    const uint32_t known = *id_map_entry(&l->threads, l->scratch, pair(pid, tid), next);

    if (known < next)
        return known;
    return add_lane(l,
                    (lane){.kind = LANE_THREAD,
                           .process = pid,
                           .thread = tid,
                           .name = STRING_NONE,
                           .device = UINT32_MAX},
                    tid);
}

uint32_t lanes_thread(lane_table *l, text process, text thread)
{
    const text_key outer = text_key_of(process), inner = text_key_of(thread);
    recent_lane *const place = &l->recent_threads[recent_place(outer, inner)];

    if (is_recent(place, outer, inner))
        return place->lane;
    return keep_recent(place, outer, inner, find_thread(l, process, thread));
}

uint32_t lanes_device(lane_table *l, text id)
{
    trace *const t = l->trace;
    const uint32_t name = strings_intern(&t->strings, id);
    const uint32_t known = *id_map_entry(&l->devices, l->scratch, name, t->device_count);
    device made = {.id = name,
                   .number = INT64_MAX,
                   .name = STRING_NONE,
                   .memory_bytes = -1,
                   .sm_count = -1,
                   .compute_major = -1,
                   .compute_minor = -1};

    if (known < t->device_count)
        return known;
    json_integer(id, &made.number); // stays as it is where the id is no number
    arena_reserve_one(t->arena, t->devices, t->device_count, t->device_capacity);
    t->devices[t->device_count] = made;
    return t->device_count++;
}

// Known by device and stream; of a new one it is kept under what it was written.
static uint32_t find_stream(lane_table *l, text device_id, text stream_id, text process,
                            text thread)
{
    strings *const s = &l->trace->strings;
    const uint32_t on = lanes_device(l, device_id);
    const uint32_t id = strings_intern(s, stream_id);
    const uint32_t *known =
        id_map_entry(&l->streams, l->scratch, pair(on, id), l->trace->lane_count);

    if (*known < l->trace->lane_count)
        return *known;
    l->trace->devices[on].has_work = true;
    l->trace->devices[on].lanes++;
    return add_lane(l,
                    (lane){.kind = LANE_STREAM,
                           .process = strings_intern(s, process),
                           .thread = id,
                           .name = STRING_NONE,
                           .device = on},
                    strings_intern(s, thread));
}

uint32_t lanes_stream(lane_table *l, text process, text thread, text device_id, text stream_id)
{
    const text on = device_id.length ? device_id : process;
    const text id = stream_id.length ? stream_id : thread;
    const text_key outer = text_key_of(on), inner = text_key_of(id);
    recent_lane *const place = &l->recent_streams[recent_place(outer, inner)];

    if (is_recent(place, outer, inner))
        return place->lane;
    return keep_recent(place, outer, inner, find_stream(l, on, id, process, thread));
}

void lanes_name_thread(lane_table *l, text process, text thread, text name)
{
    strings *const s = &l->trace->strings;
    const uint64_t key = pair(strings_intern(s, process), strings_intern(s, thread));
    id_map_put(&l->thread_names, l->scratch, key, strings_intern(s, name));
}

typedef struct placed {
    device device;
    text id;
    uint32_t was;
} placed;

static int by_number_then_text(const void *x, const void *y)
{
    const placed *const a = x, *const b = y;
    if (a->device.number != b->device.number)
        return a->device.number < b->device.number ? -1 : 1;

    const size_t shorter = a->id.length < b->id.length ? a->id.length : b->id.length;
    const int order = memcmp(a->id.at, b->id.at, shorter);
    if (order)
        return order;
    return a->id.length < b->id.length ? -1 : a->id.length > b->id.length;
}

// In the order in which people count them, whatever ran first.
static void order_devices(lane_table *l)
{
    trace *const t = l->trace;
    placed *const at = arena_new(l->scratch, placed, t->device_count);
    uint32_t *const place = arena_new(l->scratch, uint32_t, t->device_count);

    for (uint32_t i = 0; i < t->device_count; i++)
        at[i] = (placed){t->devices[i], strings_text(&t->strings, t->devices[i].id), i};
    qsort(at, t->device_count, sizeof(*at), by_number_then_text);
    for (uint32_t i = 0; i < t->device_count; i++) {
        t->devices[i] = at[i].device;
        place[at[i].was] = i;
    }
    for (uint32_t i = 0; i < t->lane_count; i++)
        if (t->lanes[i].kind == LANE_STREAM)
            t->lanes[i].device = place[t->lanes[i].device];
}

// Names may come before or after the events of their thread, so they are given out at the end.
void lanes_finish(lane_table *l)
{
    trace *const t = l->trace;
    for (uint32_t i = 0; i < t->lane_count; i++) {
        const uint64_t written = pair(t->lanes[i].process, l->written_thread[i]);
        t->lanes[i].name = id_map_get(&l->thread_names, written); // ID_NONE is STRING_NONE
    }
    order_devices(l);
}
