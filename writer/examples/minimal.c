// SPDX-License-Identifier: BSD-3-Clause
// The smallest program that records itself: a few steps of work, one log.
//
//     minimal [DIRECTORY]        default: ./log
#include "tprof/tprof.h"

#include <math.h>
#include <stdio.h>

static double work(double x)
{
    TPROF_SCOPE("work");
    for (int i = 0; i < 200000; i++)
        x = sin(x) + 1.0;
    return x;
}

int main(int argc, char **argv)
{
    const tprof_config config = {
        .schedule = {.wait = 1, .warmup = 1, .active = 3},
        .on_trace_ready = tprof_tensorboard_trace_handler(argc > 1 ? argv[1] : "./log", NULL, NULL),
    };
    tprof_profiler *profiler;
    double x = 0.5;
    char path[4096];

    tprof_status status = tprof_create(&config, &profiler);
    if (status == TPROF_OK)
        status = tprof_start(profiler);
    if (status != TPROF_OK) {
        fprintf(stderr, "minimal: %s\n", tprof_status_text(status));
        return 1;
    }
    for (int step = 0; step < 5; step++) {
        x = work(x);
        tprof_step(profiler);
    }
    tprof_stop(profiler);

    status = tprof_flush(profiler);
    if (status != TPROF_OK) {
        tprof_error(profiler, path, sizeof(path));
        fprintf(stderr, "minimal: %s\n", path);
    } else {
        tprof_last_file(profiler, path, sizeof(path));
        printf("result %.6f, last trace %s\n", x, path);
    }
    tprof_destroy(profiler);
    return status == TPROF_OK ? 0 : 1;
}
