// SPDX-License-Identifier: BSD-3-Clause
// What the profiler and the injection library ask of the recording calls.
#ifndef WRITER_ANNOTATE_H
#define WRITER_ANNOTATE_H

#include "event.h"

#include <stdbool.h>
#include <stdint.h>

// Bits of tprof_recording_; TP_MODE_RECORD is set whenever any is.
typedef enum tp_mode {
    TP_MODE_RECORD = 1 << 0,
    TP_MODE_LINKS = 1 << 1, // the GPU source wants to know what launches belong to
    TP_MODE_STACK = 1 << 2,
    TP_MODE_SHAPES = 1 << 3,
    TP_MODE_FLOPS = 1 << 4,
    TP_MODE_MODULES = 1 << 5,
    TP_MODE_MEMORY = 1 << 6,
} tp_mode;

// Begins and ends recording: 0, or tp_mode bits.
void tp_annotate_set_mode(int mode);

static inline int tp_annotate_mode(void)
{
    return __atomic_load_n(&tprof_recording_, __ATOMIC_RELAXED);
}

// Whether totals of memory are kept. Turning it on begins with all at 0.
void tp_annotate_track_memory(bool on);

// The mark of a step. It is no scope: ranges may be open when a step ends, and go on in the next.
typedef struct tp_step_mark {
    uint64_t begin; // ticks
    int64_t step;
    uint32_t id; // 0: launches are not linked to it
    bool open;
} tp_step_mark;

// Begins and ends it, on the thread that steps. While nothing is recorded it is not open, and
// ending what is not open does nothing. `end` is in ticks, 0 for this moment.
void tp_annotate_step_begin(tp_step_mark *mark, int64_t step);
void tp_annotate_step_end(tp_step_mark *mark, uint64_t end);

// Records something that others measured, on the calling thread: TP_ANNOTATION from `begin` to
// `end` in ticks, or TP_INSTANT. `id` is what launches were linked to, or 0; texts are interned.
void tp_annotate_mark(tp_kind kind, const char *name, const uint64_t times[2], uint32_t id,
                      const tp_mark_detail *mark);

// Rows that have no thread: their numbers are above those of the system's threads.
#define TP_LANE_TID  (1 << 30)
#define TP_LANE_NAME "ranges across threads"

// The same, on the calling thread's row for `lane` 0, else on the row of that number that has no
// thread: for ranges that do not nest with those of a thread. One thread at a time has a row.
void tp_annotate_mark_in_lane(tp_kind kind, const char *name, const uint64_t times[2], uint32_t id,
                              const tp_mark_detail *mark, int lane);

#endif
