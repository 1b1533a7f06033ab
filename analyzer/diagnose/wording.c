// SPDX-License-Identifier: BSD-3-Clause
// How times, shares and what they are shares of read in a sentence.
#include "diagnose/wording.h"

#include <inttypes.h>
#include <math.h>

const char *wording_time(int64_t ns, arena *a)
{
    static const struct {
        int64_t from;
        double ns;
        const char *unit;
    } units[] = {
        {1000000000, 1e9, "s" },
        {1000000,    1e6, "ms"},
        {1000,       1e3, "us"},
    };

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (ns >= units[i].from || ns <= -units[i].from)
            return arena_printf(a, "%.1f %s", (double)ns / units[i].ns, units[i].unit);
    return arena_printf(a, "%" PRId64 " ns", ns);
}

const char *wording_share(double share, arena *a)
{
    return isnan(share) ? "an unknown share" : arena_printf(a, "%.1f %%", share * 100);
}

const char *wording_steps(const facts *f, arena *a)
{
    if (!f->marked)
        return "the whole log, which has no step marks";
    return arena_printf(a, "%" PRId64 "%s step%s%s", f->steps, f->incomplete_too ? "" : " complete",
                        f->steps == 1 ? "" : "s",
                        f->incomplete_too ? ", none of them complete" : "");
}

const char *wording_device(const facts *f, arena *a)
{
    return f->on_host ? "the process" : arena_printf(a, "device %s", f->device);
}
