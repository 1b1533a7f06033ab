// SPDX-License-Identifier: BSD-3-Clause
// A CUDA program for a real GPU: two streams with kernels of a known length, copies both ways, a
// graph and waits, timed by CUDA's own events. Prints what check_real.py compares its trace with.
// Loads the driver itself, so that it builds everywhere; 77 where there is no GPU.
#include <cuda.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, KERNELS = 50, NODES = 10, COPY_BYTES = 64 << 20 };

// Spins for a number of the processor's cycles.
static const char PTX[] = ".version 6.4\n"
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".visible .entry spin(.param .u64 cycles)\n"
                          "{\n"
                          "    .reg .u64 %r<5>;\n"
                          "    .reg .pred %p;\n"
                          "    ld.param.u64 %r1, [cycles];\n"
                          "    mov.u64 %r2, %clock64;\n"
                          "again:\n"
                          "    mov.u64 %r3, %clock64;\n"
                          "    sub.u64 %r4, %r3, %r2;\n"
                          "    setp.lt.u64 %p, %r4, %r1;\n"
                          "    @%p bra again;\n"
                          "    ret;\n"
                          "}\n";

#define FUNCTIONS(X)                                                                               \
    X(cuInit)                                                                                      \
    X(cuDeviceGet)                                                                                 \
    X(cuDeviceGetCount)                                                                            \
    X(cuDevicePrimaryCtxRetain)                                                                    \
    X(cuCtxSetCurrent)                                                                             \
    X(cuCtxSynchronize)                                                                            \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleGetFunction)                                                                         \
    X(cuMemAlloc)                                                                                  \
    X(cuMemAllocHost)                                                                              \
    X(cuMemcpyHtoDAsync)                                                                           \
    X(cuMemcpyDtoHAsync)                                                                           \
    X(cuStreamCreate)                                                                              \
    X(cuStreamSynchronize)                                                                         \
    X(cuStreamBeginCapture)                                                                        \
    X(cuStreamEndCapture)                                                                          \
    X(cuGraphInstantiateWithFlags)                                                                 \
    X(cuGraphLaunch)                                                                               \
    X(cuLaunchKernel)                                                                              \
    X(cuEventCreate)                                                                               \
    X(cuEventRecord)                                                                               \
    X(cuEventSynchronize)                                                                          \
    X(cuEventElapsedTime)

// cuda.h may map a name to a versioned one: what stands here is looked up as mapped.
#define TEXT_OF(name) #name
#define TEXT(name)    TEXT_OF(name)

static struct {
#define X(name) __typeof__(name) *name##_;
    FUNCTIONS(X)
#undef X
} driver;

static int skip(const char *why)
{
    fprintf(stderr, "skipped: %s\n", why);
    return SKIPPED;
}

static void must(CUresult result, int line)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "real_program.c:%d: CUDA error %d\n", line, (int)result);
    exit(1);
}

#define MUST(call) must(driver.call, __LINE__)

static const char *load_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return "no CUDA driver on this machine";
#define X(name)                                                                                    \
    void *name##_address = dlsym(library, TEXT(name));                                             \
    if (!name##_address)                                                                           \
        return "the CUDA driver has no " TEXT(name);                                               \
    memcpy(&driver.name##_, &name##_address, sizeof(name##_address));
    FUNCTIONS(X)
#undef X
    return NULL;
}

static void spin(CUfunction function, CUstream stream, unsigned long long cycles)
{
    void *arguments[] = {&cycles};
    MUST(cuLaunchKernel_(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
}

typedef struct timing {
    CUevent begin, end;
} timing;

static timing begin_timing(CUstream stream)
{
    timing t;
    MUST(cuEventCreate_(&t.begin, CU_EVENT_DEFAULT));
    MUST(cuEventCreate_(&t.end, CU_EVENT_DEFAULT));
    MUST(cuEventRecord_(t.begin, stream));
    return t;
}

static double end_timing(const timing *t, CUstream stream)
{
    float milliseconds = 0;
    MUST(cuEventRecord_(t->end, stream));
    MUST(cuEventSynchronize_(t->end));
    MUST(cuEventElapsedTime_(&milliseconds, t->begin, t->end));
    return (double)milliseconds * 1000;
}

static CUgraphExec make_graph(CUfunction function, CUstream stream, unsigned long long cycles)
{
    CUgraph graph;
    CUgraphExec executable;
    MUST(cuStreamBeginCapture_(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (int i = 0; i < NODES; i++)
        spin(function, stream, cycles);
    MUST(cuStreamEndCapture_(stream, &graph));
    MUST(cuGraphInstantiateWithFlags_(&executable, graph, 0));
    return executable;
}

static void run(CUfunction function)
{
    const unsigned long long cycles = 1000000; // well above what launching takes
    CUstream streams[2];
    CUdeviceptr device;
    void *host;

    for (int i = 0; i < 2; i++)
        MUST(cuStreamCreate_(&streams[i], CU_STREAM_NON_BLOCKING));
    MUST(cuMemAlloc_(&device, COPY_BYTES));
    MUST(cuMemAllocHost_(&host, COPY_BYTES));
    const CUgraphExec graph = make_graph(function, streams[0], cycles);
    spin(function, streams[0], cycles); // brings everything in
    MUST(cuCtxSynchronize_());

    for (int i = 0; i < 2; i++) {
        const timing t = begin_timing(streams[i]);
        for (int k = 0; k < KERNELS; k++)
            spin(function, streams[i], cycles);
        printf("\"stream%d_us\": %.3f, ", i, end_timing(&t, streams[i]));
    }
    const timing of_graph = begin_timing(streams[0]);
    MUST(cuGraphLaunch_(graph, streams[0]));
    printf("\"graph_us\": %.3f, ", end_timing(&of_graph, streams[0]));

    const timing up = begin_timing(streams[1]);
    MUST(cuMemcpyHtoDAsync_(device, host, COPY_BYTES, streams[1]));
    printf("\"up_us\": %.3f, ", end_timing(&up, streams[1]));
    const timing down = begin_timing(streams[1]);
    MUST(cuMemcpyDtoHAsync_(host, device, COPY_BYTES, streams[1]));
    printf("\"down_us\": %.3f, ", end_timing(&down, streams[1]));
    MUST(cuStreamSynchronize_(streams[1]));
    MUST(cuCtxSynchronize_());
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    int count = 0;

    const char *why = load_driver();
    if (why)
        return skip(why);
    if (driver.cuInit_(0) != CUDA_SUCCESS || driver.cuDeviceGetCount_(&count) != CUDA_SUCCESS ||
        count == 0)
        return skip("no GPU that can be used");
    MUST(cuDeviceGet_(&device, 0));
    MUST(cuDevicePrimaryCtxRetain_(&context, device));
    MUST(cuCtxSetCurrent_(context));
    MUST(cuModuleLoadData_(&module, PTX));
    MUST(cuModuleGetFunction_(&function, module, "spin"));
    printf("{");
    run(function);
    printf("\"kernels\": %d, \"nodes\": %d, \"bytes\": %d}\n", KERNELS, NODES, COPY_BYTES);
    return 0;
}
