// SPDX-License-Identifier: BSD-3-Clause
// What recording a launch costs the host beside what CUPTI itself costs, on the stand-ins of driver
// and CUPTI: launches in ranges with a profiler that records, less launches between calls of CUPTI
// alone. What the end of a window does with the records counts, too.
#include "bench_ratio.h"
#include "tprof/tprof.h"

#include "fake_cuda.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <dlfcn.h>
#include <string.h>

enum { LAUNCHES = 20000, BUFFER_BYTES = 4 << 20 };

static const fake_kernel KERNEL = {"_Z4gemmPfS_S_i", 10, 32, 0};

// Time of this thread on a processor: waiting for the devices is no cost.
static double thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void launch(void)
{
    const dim3 one = {1, 1, 1};
    cudaLaunchKernel(&KERNEL, one, one, NULL, 0, NULL);
}

// ---- CUPTI alone, as the simplest client would use it

#define FUNCTIONS(X)                                                                               \
    X(cuptiActivityRegisterCallbacks)                                                              \
    X(cuptiActivityEnable)                                                                         \
    X(cuptiActivityDisable)                                                                        \
    X(cuptiActivityFlushAll)                                                                       \
    X(cuptiActivityPushExternalCorrelationId)                                                      \
    X(cuptiActivityPopExternalCorrelationId)

static struct {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
} cupti;

static void find_cupti(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "bench_gpu: %s\n", dlerror());
        exit(1);
    }
#define X(name)                                                                                    \
    void *name##_address = dlsym(library, #name);                                                  \
    memcpy(&cupti.name, &name##_address, sizeof(name##_address));
    FUNCTIONS(X)
#undef X
}

static uint8_t *spare;

static void CUPTIAPI request(uint8_t **data, size_t *size, size_t *most)
{
    *data = spare ? spare : malloc(BUFFER_BYTES);
    spare = NULL;
    *size = BUFFER_BYTES;
    *most = 0;
}

static void CUPTIAPI complete(CUcontext context, uint32_t stream, uint8_t *data, size_t size,
                              size_t valid)
{
    (void)context;
    (void)stream;
    (void)size;
    (void)valid;
    free(spare);
    spare = data;
}

static const CUpti_ActivityKind KINDS[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                           CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                           CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};

static double alone(void)
{
    uint64_t id;
    cupti.cuptiActivityRegisterCallbacks(request, complete);
    for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
        cupti.cuptiActivityEnable(KINDS[i]);

    const double begin = thread_ns();
    for (uint64_t i = 0; i < LAUNCHES; i++) {
        cupti.cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, i);
        launch();
        cupti.cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &id);
    }
    cudaDeviceSynchronize();
    cupti.cuptiActivityFlushAll(0);
    const double time = thread_ns() - begin;
    for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
        cupti.cuptiActivityDisable(KINDS[i]);
    return time / LAUNCHES;
}

// ---- A profiler that records

static double recorded(void)
{
    const tprof_config config = {0};
    tprof_profiler *profiler = NULL;
    if (tprof_create(&config, &profiler) != TPROF_OK)
        exit(1);

    double time = 0;
    for (int window = 0; window < 2; window++) { // the first one brings the memory in
        if (tprof_start(profiler) != TPROF_OK)
            exit(1);
        const double begin = thread_ns();
        for (int i = 0; i < LAUNCHES; i++) {
            TPROF_SCOPE("launch");
            launch();
        }
        cudaDeviceSynchronize();
        tprof_stop(profiler);
        time = thread_ns() - begin;
    }
    tprof_destroy(profiler);
    return time / LAUNCHES;
}

int main(void)
{
    static const bench_limit limit = {"G1", "a recorded launch in a range, us beside CUPTI's own",
                                      1.0, 0.5, 0};
    double difference[BENCH_ROUNDS];

    find_cupti(getenv("TPROF_CUPTI_PATH"));
    cuInit(0);
    alone();
    recorded();
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        const double theirs = alone();
        difference[i] = (recorded() - theirs) / 1000;
    }
    return !bench_row(&limit, bench_median(difference, BENCH_ROUNDS), "");
}
