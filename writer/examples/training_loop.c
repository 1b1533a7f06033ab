// SPDX-License-Identifier: BSD-3-Clause
// A small network that learns to tell two spirals apart, recorded as a PyTorch program would be:
// modules, operators with shapes, forward and backward, memory, and a data loader that may starve
// it.
//
//     training_loop [--dir DIRECTORY] [--steps N] [--workers N] [--load-us N]
//                   [--per-window] [--plain] [--run-folders] [--stacks]
//
// Workers load batches ahead; without one the training thread loads them itself. --load-us is the
// time that a batch takes to load, on top of making it: more than a step takes starves the
// training.
#include "network.h"

#include "tprof/tprof.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUEUE = 4, MAX_WORKERS = 16 };

typedef struct arguments {
    const char *directory;
    int steps, workers, load_us;
    bool stacks;
    tprof_tensorboard_options files;
} arguments;

// Batches on their way from workers to training.
typedef struct loader {
    const arguments *args;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    batch queue[QUEUE];
    int first, count;
    bool stopping;
    pthread_t threads[MAX_WORKERS];
    int thread_count;
    unsigned next_seed;
} loader;

static void load_batch(const arguments *args, unsigned seed, batch *into)
{
    const struct timespec pause = {args->load_us / 1000000, args->load_us % 1000000 * 1000L};

    TPROF_SCOPE("load batch");
    nanosleep(&pause, NULL);
    batch_make(into, seed);
}

static void *load_ahead(void *arg)
{
    loader *l = arg;
    batch loaded;

    tprof_thread_name("data loader");
    pthread_mutex_lock(&l->lock);
    while (!l->stopping) {
        const unsigned seed = l->next_seed++;
        pthread_mutex_unlock(&l->lock);
        load_batch(l->args, seed, &loaded);
        pthread_mutex_lock(&l->lock);
        while (l->count == QUEUE && !l->stopping)
            pthread_cond_wait(&l->changed, &l->lock);
        if (l->count < QUEUE)
            l->queue[(l->first + l->count++) % QUEUE] = loaded;
        pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static void loader_start(loader *l, const arguments *args)
{
    memset(l, 0, sizeof(*l));
    l->args = args;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    for (int i = 0; i < args->workers; i++)
        if (pthread_create(&l->threads[l->thread_count], NULL, load_ahead, l) == 0)
            l->thread_count++;
}

// The next batch. The wait for it is what viewers call data-loader time.
static void loader_next(loader *l, batch *into)
{
    tprof_scope wait = tprof_dataloader_begin(l->thread_count ? "_MultiProcessingDataLoaderIter"
                                                              : "_SingleProcessDataLoaderIter");
    if (!l->thread_count) {
        load_batch(l->args, l->next_seed++, into);
    } else {
        pthread_mutex_lock(&l->lock);
        while (l->count == 0)
            pthread_cond_wait(&l->changed, &l->lock);
        *into = l->queue[l->first];
        l->first = (l->first + 1) % QUEUE;
        l->count--;
        pthread_cond_broadcast(&l->changed);
        pthread_mutex_unlock(&l->lock);
    }
    tprof_end(&wait);
}

static void loader_stop(loader *l)
{
    pthread_mutex_lock(&l->lock);
    l->stopping = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < l->thread_count; i++)
        pthread_join(l->threads[i], NULL);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
}

static float train_step(network *net, loader *l)
{
    batch data;

    loader_next(l, &data);
    tprof_scope scope = tprof_annotation_begin("forward");
    const float loss = network_forward(net, &data);
    tprof_end(&scope);
    scope = tprof_annotation_begin("backward");
    network_backward(net, &data);
    tprof_end(&scope);
    scope = tprof_annotation_begin("Optimizer.step#SGD.step");
    network_update(net, 0.3f);
    tprof_end(&scope);
    return loss;
}

static int usage(const char *unknown)
{
    fprintf(stderr,
            "training_loop: unknown argument %s; known: --dir DIRECTORY --steps N "
            "--workers N --load-us N --per-window --plain --run-folders --stacks\n",
            unknown);
    return 2;
}

static int parse(int argc, char **argv, arguments *args)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--per-window") == 0)
            args->files.files = TPROF_FILE_PER_WINDOW;
        else if (strcmp(argv[i], "--plain") == 0)
            args->files.plain = true;
        else if (strcmp(argv[i], "--run-folders") == 0)
            args->files.run_folders = true;
        else if (strcmp(argv[i], "--stacks") == 0)
            args->stacks = true;
        else if (value && strcmp(argv[i], "--dir") == 0)
            args->directory = argv[++i];
        else if (value && strcmp(argv[i], "--steps") == 0)
            args->steps = atoi(argv[++i]);
        else if (value && strcmp(argv[i], "--workers") == 0)
            args->workers = atoi(argv[++i]);
        else if (value && strcmp(argv[i], "--load-us") == 0)
            args->load_us = atoi(argv[++i]);
        else
            return usage(argv[i]);
    }
    if (args->workers > MAX_WORKERS)
        args->workers = MAX_WORKERS;
    return 0;
}

static tprof_profiler *start_profiler(const arguments *args)
{
    const tprof_config config = {
        .schedule = {.wait = 1, .warmup = 1, .active = 3, .repeat = 2},
        .on_trace_ready = tprof_tensorboard_trace_handler(args->directory, NULL, &args->files),
        .record_shapes = true,
        .profile_memory = true,
        .with_stack = args->stacks,
        .with_flops = true,
        .with_modules = true,
    };
    const tprof_environment environment = {
        .model = "two spirals",
        .input_shapes = "[[128, 2]]",
        .dtype = "float32",
        .device = "cpu",
        .batch_size = BATCH,
        .threads = 1 + args->workers,
    };
    tprof_profiler *profiler;

    tprof_status status = tprof_create(&config, &profiler);
    if (status == TPROF_OK)
        status = tprof_set_environment(profiler, &environment);
    if (status == TPROF_OK)
        status = tprof_start(profiler);
    if (status == TPROF_OK)
        return profiler;
    fprintf(stderr, "training_loop: not recorded: %s\n", tprof_status_text(status));
    tprof_destroy(profiler);
    return NULL;
}

// Says where the log is, or why there is none.
static int finish_profiler(tprof_profiler *profiler)
{
    char text[4096];

    tprof_stop(profiler);
    const tprof_status status = tprof_flush(profiler);
    if (status == TPROF_OK) {
        tprof_last_file(profiler, text, sizeof(text));
        printf("last trace: %s\n", text);
    } else {
        tprof_error(profiler, text, sizeof(text));
        fprintf(stderr, "training_loop: %s\n", text);
    }
    tprof_destroy(profiler);
    return status == TPROF_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    static network net;
    static loader l;
    arguments args = {.directory = "./log", .steps = 12};
    float first = 0, last = 0;

    const int wrong = parse(argc, argv, &args);
    if (wrong)
        return wrong;
    tprof_profiler *profiler = start_profiler(&args);
    if (!profiler)
        return 1;
    network_init(&net);
    loader_start(&l, &args);
    for (int step = 0; step < args.steps; step++) {
        last = train_step(&net, &l);
        if (step == 0)
            first = last;
        tprof_step(profiler);
    }
    loader_stop(&l);
    network_free(&net);

    printf("loss %.4f -> %.4f\n", (double)first, (double)last);
    const int failed = finish_profiler(profiler);
    return failed || !(last < first);
}
