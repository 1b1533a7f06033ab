// SPDX-License-Identifier: BSD-3-Clause
// ranges_program WHAT: launches in NVTX ranges that do not simply nest, or never end.
#include "fake_cuda.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const fake_kernel IN_A = {"in_A", 20000, 32, 0};
static const fake_kernel IN_BOTH = {"in_both", 20000, 32, 0};
static const fake_kernel IN_B = {"in_B", 20000, 32, 0};
static const fake_kernel OUTSIDE = {"outside", 20000, 32, 0};

static void launch(const fake_kernel *kernel)
{
    const dim3 grid = {1, 1, 1};
    const dim3 block = {32, 1, 1};
    cudaLaunchKernel(kernel, grid, block, NULL, 0, NULL);
}

static void push(nvtxDomainHandle_t domain, const char *message)
{
    nvtxEventAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = message,
    };
    nvtxDomainRangePushEx(domain, &attributes);
}

static void crossing_domains(void)
{
    nvtxDomainHandle_t a = nvtxDomainCreateA("a");
    nvtxDomainHandle_t b = nvtxDomainCreateA("b");

    push(a, "A");
    launch(&IN_A);
    push(b, "B");
    launch(&IN_BOTH);
    nvtxDomainRangePop(a);
    launch(&IN_B);
    nvtxDomainRangePop(b);
    launch(&OUTSIDE);
}

static void *open_at_the_end(void *arg)
{
    (void)arg;
    nvtxRangePushA("of a thread");
    launch(&IN_A);
    nvtxRangeStartA("for anyone to end");
    return NULL;
}

int main(int argc, char **argv)
{
    cuInit(0);
    if (argc == 2 && strcmp(argv[1], "domains") == 0)
        crossing_domains();
    if (argc == 2 && strcmp(argv[1], "exit") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, open_at_the_end, NULL);
        pthread_join(thread, NULL);
        nvtxRangePushA("of main");
        launch(&IN_B);
        exit(0);
    }
    return 0;
}
