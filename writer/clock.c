// SPDX-License-Identifier: BSD-3-Clause
// Choice and calibration of the clock.
#include "clock.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

bool tp_clock_counter;

// Realtime minus monotonic when the window began; the trace keeps this offset.
static int64_t window_offset_ns;

// A virtual machine may be moved to a host whose counter runs at another rate; the system knows and
// then does not use the counter itself.
static bool system_trusts_counter(void)
{
    char name[16] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (!file)
        return false;
    const bool read = fgets(name, sizeof(name), file) != NULL;
    fclose(file);
    return read && strcmp(name, "tsc\n") == 0;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose_clock(void)
{
    tp_clock_counter = tp_ticks_usable() && system_trusts_counter();
}

void tp_clock_init(void)
{
    pthread_once(&once, choose_clock);
}

static int64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t tp_clock_system_ticks(void)
{
    return (uint64_t)read_ns(CLOCK_MONOTONIC);
}

tp_clock_anchor tp_clock_anchor_now(void)
{
    tp_clock_anchor best = {0, 0, 0};
    uint64_t narrowest = UINT64_MAX;

    // Of several readings the one that was interrupted least; the clock's reading is thought to lie
    // in the middle of the two of the ticks.
    for (int i = 0; i < 8; i++) {
        const uint64_t before = tp_clock_ticks();
        const int64_t monotonic = read_ns(CLOCK_MONOTONIC);
        const uint64_t after = tp_clock_ticks();
        if (after - before >= narrowest)
            continue;
        narrowest = after - before;
        best.ticks = before + (after - before) / 2;
        best.monotonic_ns = monotonic;
    }
    narrowest = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        const int64_t before = read_ns(CLOCK_MONOTONIC);
        const int64_t realtime = read_ns(CLOCK_REALTIME);
        const int64_t after = read_ns(CLOCK_MONOTONIC);
        if ((uint64_t)(after - before) >= narrowest)
            continue;
        narrowest = (uint64_t)(after - before);
        best.realtime_ns = realtime - (before + (after - before) / 2) + best.monotonic_ns;
    }
    if (!tp_clock_counter)
        best.ticks = (uint64_t)best.monotonic_ns;
    return best;
}

tp_clock_map tp_clock_map_between(tp_clock_anchor first, tp_clock_anchor begin, tp_clock_anchor end)
{
    enum { LONG_ENOUGH_NS = 20 * 1000 * 1000 };
    tp_clock_map map = {begin.ticks, begin.realtime_ns, (uint64_t)1 << 32};

    if (!tp_clock_counter)
        return map;
    const tp_clock_anchor from =
        end.monotonic_ns - begin.monotonic_ns >= LONG_ENOUGH_NS ? begin : first;
    if (end.ticks > from.ticks && end.monotonic_ns > from.monotonic_ns)
        map.scale = (uint64_t)(((tp_wide)(end.monotonic_ns - from.monotonic_ns) << 32) /
                               (end.ticks - from.ticks));
    return map;
}

void tp_clock_window_begins(tp_clock_anchor begin)
{
    window_offset_ns = begin.realtime_ns - begin.monotonic_ns;
}

int64_t tp_clock_from_realtime(int64_t realtime_ns)
{
    const tp_clock_anchor now = tp_clock_anchor_now();
    return realtime_ns - (now.realtime_ns - now.monotonic_ns) + window_offset_ns;
}
