// SPDX-License-Identifier: BSD-3-Clause
// Threads that record side by side: two that train a model each, and helpers that come and go.
//
//     threads [DIRECTORY]        default: ./log
#include "tprof/tprof.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { TRAINERS = 2, STEPS = 4, PASSES = 3 };

static double spin(double x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = cos(x) + 0.5;
    return x;
}

static void *help(void *result)
{
    TPROF_SCOPE("help");
    *(double *)result = spin(0.25, 20000);
    return NULL;
}

// A few passes; each has a helper thread of its own.
static void *train(void *which)
{
    const int number = (int)(intptr_t)which;
    char name[32];

    snprintf(name, sizeof(name), "trainer %d", number);
    tprof_thread_name(name);
    for (int pass = 0; pass < PASSES; pass++) {
        double helped = 0;
        pthread_t helper;
        snprintf(name, sizeof(name), "model%d pass", number);
        tprof_scope scope = tprof_begin_copy(name);
        const int failed = pthread_create(&helper, NULL, help, &helped);
        const double x = spin(0.5, 40000 * (1 + number));
        if (!failed)
            pthread_join(helper, NULL);
        tprof_counter(number ? "model1 value" : "model0 value", x + helped);
        tprof_end(&scope);
    }
    return NULL;
}

static void one_step(void)
{
    pthread_t threads[TRAINERS];
    int started = 0;

    while (started < TRAINERS &&
           pthread_create(&threads[started], NULL, train, (void *)(intptr_t)started) == 0)
        started++;
    TPROF_SCOPE("wait for trainers");
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    const tprof_tensorboard_options options = {.files = TPROF_FILE_PER_WINDOW};
    const tprof_config config = {
        .schedule = {.warmup = 1, .active = STEPS - 1, .repeat = 1},
        .on_trace_ready =
            tprof_tensorboard_trace_handler(argc > 1 ? argv[1] : "./log", "threads", &options),
    };
    tprof_profiler *profiler;
    tprof_stats stats;

    tprof_status status = tprof_create(&config, &profiler);
    if (status == TPROF_OK)
        status = tprof_start(profiler);
    for (int step = 0; status == TPROF_OK && step < STEPS; step++) {
        one_step();
        status = tprof_step(profiler);
    }
    if (status == TPROF_OK)
        status = tprof_stop(profiler);
    if (status == TPROF_OK)
        status = tprof_flush(profiler);
    if (status != TPROF_OK) {
        fprintf(stderr, "threads: %s\n", tprof_status_text(status));
        tprof_destroy(profiler);
        return 1;
    }
    tprof_get_stats(profiler, &stats);
    printf("%llu events, %llu dropped, %llu files\n", (unsigned long long)stats.events,
           (unsigned long long)stats.dropped_events, (unsigned long long)stats.files);
    tprof_destroy(profiler);
    return 0;
}
