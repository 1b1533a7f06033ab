// SPDX-License-Identifier: BSD-3-Clause
// Threads that are always within NVTX's functions, beside one that forks: each child must get
// through the same functions. Exit status 1 where one does not.
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CATEGORY = 3, FORKS = 200, PATIENCE_S = 5 };

static void have_crossing_range(void)
{
    nvtxRangeEnd(nvtxRangeStartA("crossing"));
}

static void have_step(void)
{
    nvtxRangePushA("step");
    nvtxRangePop();
}

static void have_category(void)
{
    nvtxEventAttributes_t range = {0};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.category = CATEGORY;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = "in a category";
    nvtxRangePushEx(&range);
    nvtxRangePop();
}

static void (*const KINDS[])(void) = {have_crossing_range, have_step, have_category};
enum { KINDS_COUNT = sizeof(KINDS) / sizeof(KINDS[0]) };

static int stop;

static void *have_ranges(void *kind)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        (*(void (*const *)(void))kind)();
    return NULL;
}

// The child is ended by its alarm where it waits for what nobody will give back.
static int child_gets_through(void)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        alarm(PATIENCE_S);
        for (int i = 0; i < KINDS_COUNT; i++)
            KINDS[i]();
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

int main(void)
{
    pthread_t threads[KINDS_COUNT];
    int through = 0;

    nvtxNameCategoryA(CATEGORY, "named");
    have_step();
    for (int i = 0; i < KINDS_COUNT; i++)
        pthread_create(&threads[i], NULL, have_ranges, (void *)&KINDS[i]);
    while (through < FORKS && child_gets_through()) {
        const struct timespec time = {0, (100 + through * 37 % 700) * 1000};
        nanosleep(&time, NULL);
        through++;
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < KINDS_COUNT; i++)
        pthread_join(threads[i], NULL);
    if (through < FORKS)
        fprintf(stderr, "child %d hangs\n", through);
    return through < FORKS;
}
