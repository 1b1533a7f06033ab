// SPDX-License-Identifier: BSD-3-Clause
// A program of someone else's: knows the installed library only. Records a step into a directory.
#include <tprof/tprof.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const tprof_config config = {
        .schedule = {.active = 1, .repeat = 1},
        .on_trace_ready =
            tprof_tensorboard_trace_handler(argc > 1 ? argv[1] : "log", "foreign", NULL),
    };
    tprof_profiler *profiler;

    if (tprof_create(&config, &profiler) != TPROF_OK || tprof_start(profiler) != TPROF_OK)
        return 1;
    {
        TPROF_SCOPE("foreign work");
        printf("%s\n", tprof_version());
    }
    tprof_step(profiler);
    const tprof_status status = tprof_flush(profiler);
    tprof_destroy(profiler);
    return status == TPROF_OK ? 0 : 1;
}
