// SPDX-License-Identifier: BSD-3-Clause
// A program that knows NVTX and nothing of libtprof: three steps with ranges, marks, a domain,
// payloads, named categories and threads. check_nvtx.py knows what its trace holds.
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void work(long microseconds)
{
    const struct timespec time = {0, microseconds * 1000};
    nanosleep(&time, NULL);
}

static nvtxEventAttributes_t attributes(const char *message)
{
    nvtxEventAttributes_t a = {0};
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = message;
    return a;
}

static void *load(void *arg)
{
    const uint32_t self = (uint32_t)syscall(SYS_gettid);
    nvtxNameOsThreadA(self, "loader thread");
    nvtxNameOsThreadA((uint32_t)getpid(), "trainer"); // names the main thread from here
    nvtxRangePushA("load batch");
    work(2000);
    nvtxRangePop();
    nvtxRangeEnd(*(nvtxRangeId_t *)arg); // began on the main thread
    return NULL;
}

static void step(nvtxDomainHandle_t domain, nvtxStringHandle_t registered, int number)
{
    pthread_t thread;
    nvtxRangePushA("step");
    nvtxRangeId_t crossing = nvtxRangeStartA("prefetch");
    pthread_create(&thread, NULL, load, &crossing);

    nvtxEventAttributes_t forward = attributes("forward");
    forward.category = 7;
    forward.colorType = NVTX_COLOR_ARGB;
    forward.color = 0xff00ff00;
    forward.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    forward.payload.iValue = -number;
    nvtxRangePushEx(&forward);
    work(3000);
    nvtxRangePop();

    nvtxEventAttributes_t backward = {0};
    backward.version = NVTX_VERSION;
    backward.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    backward.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    backward.message.registered = registered;
    backward.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    backward.payload.dValue = 0.5;
    nvtxDomainRangePushEx(domain, &backward);
    work(2000);
    nvtxDomainRangePop(domain);

    nvtxMarkA("loss \"computed\"");
    nvtxRangePushW(L"gr\u00f6\u00dfe");
    nvtxRangePop();
    pthread_join(thread, NULL);
    nvtxRangePop();
}

int main(void)
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("model");
    nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, "backward");

    nvtxNameCategoryA(7, "layers");
    nvtxRangePushA("set up");
    work(1000);
    nvtxRangePop();
    for (int i = 0; i < 3; i++)
        step(domain, registered, i);
    work(20000);    // is no part of the last step
    nvtxRangePop(); // one too many
    nvtxDomainDestroy(domain);
    return 7;
}
