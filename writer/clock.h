// SPDX-License-Identifier: BSD-3-Clause
// Ticks now, calibration, and ticks -> ns since the epoch.
#ifndef WRITER_CLOCK_H
#define WRITER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "ticks_x86.h"
#else
#include "ticks_generic.h"
#endif

// Whether ticks are the processor's counter; else they are ns of CLOCK_MONOTONIC. Set once, before
// the first event, by tp_clock_init().
extern bool tp_clock_counter;

// Chooses the clock. Any number of calls.
void tp_clock_init(void);

// Ticks of the system's clock.
uint64_t tp_clock_system_ticks(void);

static inline uint64_t tp_clock_ticks(void)
{
    return __builtin_expect(tp_clock_counter, 1) ? tp_ticks_read() : tp_clock_system_ticks();
}

// The same moment in ticks, CLOCK_MONOTONIC and CLOCK_REALTIME.
typedef struct tp_clock_anchor {
    uint64_t ticks;
    int64_t monotonic_ns;
    int64_t realtime_ns;
} tp_clock_anchor;

tp_clock_anchor tp_clock_anchor_now(void);

// A line through two anchors: ns = origin_ns + (ticks - origin_ticks) * scale / 2^32. Its offset to
// CLOCK_REALTIME is that of the first anchor, so that steps of the system's time in between move
// nothing.
typedef struct tp_clock_map {
    uint64_t origin_ticks;
    int64_t origin_ns;
    uint64_t scale;
} tp_clock_map;

// `first` is kept from the profiler's beginning where the window is too short for a good slope.
tp_clock_map tp_clock_map_between(tp_clock_anchor first, tp_clock_anchor begin,
                                  tp_clock_anchor end);

__extension__ typedef __int128 tp_wide;

static inline int64_t tp_clock_ns(const tp_clock_map *map, uint64_t ticks)
{
    const tp_wide distance = (tp_wide)ticks - map->origin_ticks;
    return map->origin_ns + (int64_t)((distance * (tp_wide)map->scale) >> 32);
}

// Tells the clock at which moment a window began.
void tp_clock_window_begins(tp_clock_anchor begin);

// A CLOCK_REALTIME reading of now-ish, as CUPTI gives them, in the clock of the window that runs.
int64_t tp_clock_from_realtime(int64_t realtime_ns);

#endif
