// SPDX-License-Identifier: BSD-3-Clause
// Threads, streams and devices of a trace while it is being made.
#ifndef MODEL_LANES_H
#define MODEL_LANES_H

#include "model/trace.h"

// A lane met lately, by the two texts that it is known by. No longer texts than keys hold.
typedef struct recent_lane {
    text_key outer, inner; // process and thread, or device and stream
    uint32_t lane;
} recent_lane;

enum { RECENT_LANE_BITS = 5 };

// Ids are texts, compared as written. Starts as
// lanes_begin() gives it; the scratch arena must live as long.
typedef struct lane_table {
    trace *trace;
    arena *scratch;
    id_map threads, streams;  // of two string ids -> lane
    id_map devices;           // string id -> device
    id_map thread_names;      // of two string ids, as written -> string id
    uint32_t *written_thread; // of each lane: string id of its first event's tid
    uint32_t written_capacity;
    recent_lane recent_threads[1 << RECENT_LANE_BITS]; // by the place of both keys
    recent_lane recent_streams[1 << RECENT_LANE_BITS];
} lane_table;

lane_table lanes_begin(trace *t, arena *scratch);

// The lane of a host thread.
uint32_t lanes_thread(lane_table *l, text process, text thread);

// The lane of a device's stream, whose work was written under `process` and `thread`. Empty texts
// for the last two stand for those two.
uint32_t lanes_stream(lane_table *l, text process, text thread, text device_id, text stream_id);

// The device of this id, made if it is new.
uint32_t lanes_device(lane_table *l, text id);

// Keeps the name of a thread or stream, of a metadata record; a later one holds.
void lanes_name_thread(lane_table *l, text process, text thread, text name);

// Gives lanes their names and brings devices into order. Once, at the end.
void lanes_finish(lane_table *l);

#endif
