// SPDX-License-Identifier: BSD-3-Clause
// A CUDA program for the stand-in of the driver, and the script of its work: steps of two streams
// with kernels, copies, a memset, a peer copy, an event, a graph and waits. It knows nothing of
// libtprof but what NVTX says. check_gpu.py knows what its trace must hold.
#include "fake_cuda.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <stdint.h>
#include <stdlib.h>

enum { STEPS = 3, MICROSECOND = 1000 };

static const fake_kernel GEMM = {"_Z4gemmPfS_S_i", 400 * MICROSECOND, 168, 1024};
static const fake_kernel RELU = {"_ZN2nn4reluIfEEvPT_i", 100 * MICROSECOND, 16, 0};
static const fake_kernel IN_GRAPH = {"graph_kernel", 50 * MICROSECOND, 32, 0};

static cudaGraphExec_t make_graph(cudaGraph_t *made)
{
    struct cudaKernelNodeParams parameters = {
        .func = (void *)(uintptr_t)&IN_GRAPH, .gridDim = {10, 1, 1},
              .blockDim = {64, 1, 1}
    };
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;

    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphAddKernelNode(&node, graph, NULL, 0, &parameters);
    cudaGraphInstantiate(&executable, graph, 0);
    *made = graph;
    return executable;
}

static void launch(const fake_kernel *kernel, unsigned blocks, unsigned threads,
                   cudaStream_t stream)
{
    const dim3 grid = {blocks, 2, 1};
    const dim3 block = {threads, 1, 1};
    int device;

    cudaGetDevice(&device); // as frameworks do at every launch
    cudaLaunchKernel(kernel, grid, block, NULL, kernel == &GEMM ? 230400 : 0, stream);
}

static void step(cudaStream_t second, cudaEvent_t event, cudaGraphExec_t graph, char *host,
                 char *device)
{
    nvtxRangePushA("step");
    fake_hold();
    fake_copy_duration(200 * MICROSECOND);
    cudaMemcpyAsync(device, host, 1 << 20, cudaMemcpyHostToDevice, NULL);
    nvtxRangePushA("forward");
    launch(&GEMM, 56, 384, NULL);
    cuLaunchKernel((CUfunction)(uintptr_t)&RELU, 132, 2, 1, 128, 1, 1, 0, NULL, NULL, NULL);
    nvtxRangePop();
    cudaEventRecord(event, NULL);
    cudaStreamWaitEvent(second, event, 0);
    fake_copy_duration(100 * MICROSECOND);
    cudaMemsetAsync(device, 0, 4096, second);
    cudaMemcpyPeerAsync(device, 1, device, 0, 8192, second);
    launch(&RELU, 132, 256, second);
    cudaGraphLaunch(graph, NULL);
    cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, NULL);
    fake_release();
    cudaEventSynchronize(event);
    cudaStreamSynchronize(second);
    cudaDeviceSynchronize();
    nvtxRangePop();
}

int main(void)
{
    cudaStream_t second;
    cudaEvent_t event;
    cudaGraph_t made;
    void *device;
    char *host = malloc(1 << 20);

    cuInit(0);
    cudaStreamCreate(&second);
    cudaEventCreate(&event);
    const cudaGraphExec_t graph = make_graph(&made);
    cudaMalloc(&device, 1 << 20);
    for (int i = 0; i < STEPS; i++)
        step(second, event, graph, host, device);
    void *more;
    cudaMalloc(&more, 1 << 10);
    cudaFree(more);
    cudaFree(device);
    cudaEventDestroy(event);
    cudaGraphDestroy(made);
    free(host);
    return 0;
}
