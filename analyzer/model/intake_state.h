// SPDX-License-Identifier: BSD-3-Clause
// What an intake keeps while a trace is being made, for the files that take records and join
// intakes.
#ifndef MODEL_INTAKE_STATE_H
#define MODEL_INTAKE_STATE_H

#include "model/category_table.h"
#include "model/detail_table.h"
#include "model/health.h"
#include "model/id_keys.h"
#include "model/intake.h"
#include "model/lanes.h"
#include "model/open_ranges.h"
#include "model/time_frame.h"

// Bound that keeps every sum of times inside int64_t: 36 years for all durations together.
#define DURATIONS_MAX ((int64_t)1 << 60)

// A top-level key of a later part of the file, or a note behind one: it counts only once all before
// it is known.
typedef struct late_word {
    bool is_note;
    text key, raw_json; // copies
    health_note note;
} late_word;

struct intake {
    trace *trace;
    arena *scratch; // ends with the intake
    lane_table lanes;
    detail_table details;
    id_keys ids;
    uint32_t token_lanes[RECORD_TOKENS];     // lane + 1, by the record's lane_token; 0: not known
    category_use *token_uses[RECORD_TOKENS]; // by the record's category_token, or NULL
    uint32_t flags_capacity;                 // of trace.name_flags
    category_table categories;
    open_ranges ranges;
    window_marks marks;
    int64_t durations; // sum so far
    role_census census;
    uint64_t zero_times;   // events at the time 0 ...
    uint64_t mended_times; // ... and those that were moved
    bool ordered;          // intake_order() was called ...
    uint32_t *order;       // ... and gave this, see events_order()

    bool later;    // a part of the file that is not its beginning
    bool joinable; // false: what came before must be known, or comes after must know it
    late_word *late;
    uint32_t late_count, late_capacity;
};

// Makes room for the flags of a name.
void intake_reserve_flags(intake *in, uint32_t name);

// The earliest begin that is not 0; INT64_MAX without one.
int64_t intake_first_time(const intake *in);

// Where all others begin more than a day later, events at the time 0 are moved to `first`, their
// beginning. Orders again what was ordered.
void intake_mend_zero_times(intake *in, int64_t first);

// What is said beside the events.
void intake_take_metadata(intake *in, text key, text raw_json);
void intake_take_note(intake *in, const health_note *note);

#endif
