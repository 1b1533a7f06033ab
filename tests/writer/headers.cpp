// SPDX-License-Identifier: BSD-3-Clause
// The public headers as a C++ program sees them.
#include "tprof/trace_format.h"

#include "tprof/tprof.h"

static int failures;

static void scopes_close_at_the_end_of_their_block()
{
    TPROF_SCOPE("outer");
    {
        TPROF_SCOPE("inner");
    }
}

int main()
{
    tprof_config config = {};
    config.activities = TPROF_CPU;
    tprof_profiler *profiler = nullptr;
    tprof_stats stats;

    failures += tprof_create(&config, &profiler) != TPROF_OK;
    failures += tprof_start(profiler) != TPROF_OK;
    scopes_close_at_the_end_of_their_block();
    failures += tprof_stop(profiler) != TPROF_OK;
    tprof_get_stats(profiler, &stats);
    failures += stats.events != 2;
    tprof_destroy(profiler);
    return failures;
}
