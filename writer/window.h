// SPDX-License-Identifier: BSD-3-Clause
// How a capture is made: what the profiler and the handler know of it beyond encoders.
#ifndef WRITER_WINDOW_H
#define WRITER_WINDOW_H

#include "capture.h"
#include "recorder.h"

#include <pthread.h>

// A name that a step's event got from tp_capture_prepare().
typedef struct tp_step_name {
    struct tp_step_name *next;
    char text[40];
} tp_step_name;

// What all captures of one profiler come to; each counts itself once. Outlives them.
typedef struct tp_totals {
    _Atomic uint64_t events, cut;
} tp_totals;

// The private part of a capture.
typedef struct tp_window {
    _Atomic uint32_t owners;
    tp_part *parts;
    tp_clock_map map;
    uint64_t filter_ticks; // events that began before are left out
    uint32_t first_id;
    tp_totals *totals; // NULL: it is not counted
    pthread_mutex_t lock;
    bool prepared;
    tp_step_name *step_names;
} tp_window;

// What the recorder gave for a window.
typedef struct tp_taken {
    tp_part *parts;
    uint64_t slots;
    tp_clock_map map;
    uint64_t filter_ticks;
    tp_totals *totals;
} tp_taken;

// Room for one more element behind `count`, growing in powers of two. NULL leaves the old array.
void *tp_grown(void *array, size_t count, size_t size);

// A capture with one owner and all fields zero; NULL on lack of memory.
tp_capture *tp_capture_create(void);

// Gives it the events, which it owns from now on.
void tp_capture_fill(tp_capture *capture, const tp_taken *taken);

// Looks at every event once: threads, counts, names of steps, annotations on devices. Before the
// first encoder, on a thread that may take its time; any number of calls, from any thread.
void tp_capture_prepare(tp_capture *capture);

// For one that is released without that: only counts its events.
void tp_capture_count(tp_capture *capture);

// Device work whose owner is no event of the window gets none: it would name what no reader finds.
void tp_capture_check_owners(tp_capture *capture);

// The part of it that concerns devices: adds TP_GPU_ANNOTATION events.
void tp_capture_project(tp_capture *capture);

#endif
