// SPDX-License-Identifier: BSD-3-Clause
// How times, shares and what they are shares of read in a sentence.
#include "diagnose/wording.h"

#include <inttypes.h>
#include <math.h>

typedef struct scale {
    int64_t from;
    const char *unit;
} scale;

// In the largest unit that is not above `value`.
static const char *scaled(int64_t value, const scale *largest, const char *base, arena *a)
{
    for (; largest->unit; largest++)
        if (value >= largest->from || value <= -largest->from)
            return arena_printf(a, "%.1f %s", (double)value / (double)largest->from, largest->unit);
    return arena_printf(a, "%" PRId64 " %s", value, base);
}

const char *wording_time(int64_t ns, arena *a)
{
    static const scale UNITS[] = {
        {1000000000, "s" },
        {1000000,    "ms"},
        {1000,       "us"},
        {0,          NULL}
    };
    return scaled(ns, UNITS, "ns", a);
}

const char *wording_count(int64_t count, arena *a)
{
    if (count < 1000 && count > -1000)
        return arena_printf(a, "%" PRId64, count);
    const int64_t rest = count % 1000;
    return arena_printf(a, "%s,%03d", wording_count(count / 1000, a),
                        (int)(rest < 0 ? -rest : rest));
}

const char *wording_bytes(int64_t bytes, arena *a)
{
    static const scale UNITS[] = {
        {1000000000, "GB"},
        {1000000,    "MB"},
        {1000,       "KB"},
        {0,          NULL}
    };
    return scaled(bytes, UNITS, "bytes", a);
}

const char *wording_share(double share, arena *a)
{
    return isnan(share) ? "an unknown share" : arena_printf(a, "%.1f %%", share * 100);
}

const char *wording_steps(const facts *f, arena *a)
{
    if (!f->marked)
        return "the whole log (no step marks)";
    return arena_printf(a, "%s%s step%s%s", wording_count(f->steps, a),
                        f->incomplete_too ? "" : " complete", f->steps == 1 ? "" : "s",
                        f->incomplete_too ? ", none of them complete" : "");
}

const char *wording_extent(const facts *f)
{
    return f->all->of_selected_steps ? "the selected steps" : "the log";
}

const char *wording_device(const facts *f, arena *a)
{
    return f->on_host ? "the process" : arena_printf(a, "device %s", f->device);
}
