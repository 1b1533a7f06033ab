// SPDX-License-Identifier: BSD-3-Clause
// Several processes that train together, each recording itself: what a launcher such as torchrun,
// srun or mpirun starts. Here the program is its own launcher.
//
//     ranks [DIRECTORY [RANKS]]        default: ./log 2
//
// The ranks average a number at the end of each step. The last one works longer, so the others
// wait.
#include "tprof/tprof.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 5, MAX_RANKS = 64 };

// What the processes share.
typedef struct meeting {
    pthread_barrier_t barrier;
    double values[MAX_RANKS];
} meeting;

static double work(int rank, int ranks)
{
    double x = rank;

    TPROF_SCOPE("work");
    for (int i = 0; i < 100000 * (rank + 1 == ranks ? 3 : 1); i++)
        x = sin(x) + 1;
    return x;
}

// The mean over all ranks. Named and shaped as torch's gloo collectives are, so that viewers know
// it as communication.
static double all_reduce(meeting *m, int rank, int ranks, double value)
{
    const int64_t sizes[] = {1};
    const tprof_input input = {.type = "float", .sizes = sizes, .dimensions = 1};
    const tprof_op op = {.name = "gloo:all_reduce", .inputs = &input, .input_count = 1};
    double sum = 0;

    tprof_scope scope = tprof_op_begin(&op);
    m->values[rank] = value;
    pthread_barrier_wait(&m->barrier);
    for (int i = 0; i < ranks; i++)
        sum += m->values[i];
    pthread_barrier_wait(&m->barrier);
    tprof_end(&scope);
    return sum / ranks;
}

static int run_rank(meeting *m, const char *directory, int rank, int ranks)
{
    char worker[32];
    tprof_profiler *profiler;

    snprintf(worker, sizeof(worker), "host_%d", rank);
    const tprof_tensorboard_options options = {.files = TPROF_FILE_PER_WINDOW};
    const tprof_config config = {
        .schedule = {.warmup = 1, .active = STEPS - 1, .repeat = 1},
        .record_shapes = true,
        .on_trace_ready = tprof_tensorboard_trace_handler(directory, worker, &options),
    };
    tprof_status status = tprof_create(&config, &profiler);
    if (status == TPROF_OK)
        status = tprof_set_distributed(
            profiler, &(tprof_distributed){.backend = "gloo", .rank = rank, .world_size = ranks});
    if (status == TPROF_OK)
        status = tprof_start(profiler);

    // The others wait for this rank whether or not it is recorded.
    double mean = 0;
    for (int step = 0; step < STEPS; step++) {
        mean = all_reduce(m, rank, ranks, work(rank, ranks));
        if (status == TPROF_OK)
            status = tprof_step(profiler);
    }
    if (status == TPROF_OK)
        status = tprof_stop(profiler);
    if (status == TPROF_OK)
        status = tprof_flush(profiler);
    if (status != TPROF_OK)
        fprintf(stderr, "ranks: rank %d: %s\n", rank, tprof_status_text(status));
    tprof_destroy(profiler);
    if (rank == 0)
        printf("mean %.6f\n", mean);
    return status == TPROF_OK ? 0 : 1;
}

static meeting *open_meeting(int ranks)
{
    pthread_barrierattr_t shared;
    meeting *m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (m == MAP_FAILED)
        return NULL;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&m->barrier, &shared, (unsigned)ranks);
    return m;
}

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[1] : "./log";
    const int ranks = argc > 2 ? atoi(argv[2]) : 2;
    pid_t children[MAX_RANKS];
    int failed = 0;

    if (ranks < 1 || ranks > MAX_RANKS) {
        fprintf(stderr, "ranks: 1 to %d ranks\n", MAX_RANKS);
        return 2;
    }
    meeting *m = open_meeting(ranks);
    if (!m) {
        perror("ranks");
        return 1;
    }
    for (int rank = 0; rank < ranks; rank++) {
        children[rank] = fork();
        if (children[rank] == 0)
            return run_rank(m, directory, rank, ranks);
        if (children[rank] < 0) {
            perror("ranks");
            // Without all of them none can go on.
            while (rank > 0)
                kill(children[--rank], SIGTERM);
            return 1;
        }
    }
    for (int status, rank = 0; rank < ranks; rank++)
        failed |= wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return failed;
}
