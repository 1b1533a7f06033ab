// SPDX-License-Identifier: BSD-3-Clause
// Kernels and copies made of the real headers' structs, of every version, through the parsing that
// CUPTI's go through.
#include "support/cupti_batch.h"

#include <cupti.h>

#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// Within `distance`; cmocka's own compares floats.
#define assert_near(value, expected, distance)                                                     \
    assert_true((value) >= (expected) - (distance) && (value) <= (expected) + (distance))

// ---- Kernels

#define FILL_KERNEL(k)                                                                             \
    (k).kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;                                              \
    (k).start = 1000;                                                                              \
    (k).end = 3500;                                                                                \
    (k).deviceId = 0;                                                                              \
    (k).contextId = 1;                                                                             \
    (k).streamId = 7;                                                                              \
    (k).gridX = 56;                                                                                \
    (k).gridY = 2;                                                                                 \
    (k).gridZ = 1;                                                                                 \
    (k).blockX = 384;                                                                              \
    (k).blockY = 1;                                                                                \
    (k).blockZ = 1;                                                                                \
    (k).registersPerThread = 168;                                                                  \
    (k).staticSharedMemory = 1024;                                                                 \
    (k).dynamicSharedMemory = 230400;                                                              \
    (k).correlationId = 77;                                                                        \
    (k).name = "gemm"

static void assert_kernel(const tp_gpu_event *event)
{
    assert_int_equal(event->kind, TP_GPU_KERNEL);
    assert_string_equal(event->name, "gemm");
    assert_int_equal(event->begin_ns, 1001000);
    assert_int_equal(event->end_ns, 1003500);
    assert_int_equal(event->device, 0);
    assert_int_equal(event->context, 1);
    assert_int_equal(event->stream, 7);
    assert_int_equal(event->correlation, 77);
    assert_int_equal(event->kernel.grid[0], 56);
    assert_int_equal(event->kernel.grid[1], 2);
    assert_int_equal(event->kernel.block[0], 384);
    assert_int_equal(event->kernel.registers_per_thread, 168);
    assert_int_equal(event->kernel.static_shared_memory + event->kernel.dynamic_shared_memory,
                     231424);
    // The worked example of the occupancy formulas.
    assert_near(event->kernel.blocks_per_sm, 0.848485, 0.0000005);
    assert_near(event->kernel.warps_per_sm, 10.181818, 0.0000005);
    assert_int_equal(event->kernel.occupancy_percent, 0);
    assert_true(event->kernel.occupancy_ratio > 0.1);
}

// Feeds one version of the record; the bytes behind it are rubbish that must not be read.
#define KERNEL_VERSION(version, more)                                                              \
    do {                                                                                           \
        struct {                                                                                   \
            CUpti_ActivityKernel##version k;                                                       \
            unsigned char behind[256];                                                             \
        } r;                                                                                       \
        memset(&r, 0xa5, sizeof(r));                                                               \
        memset(&r.k, 0, sizeof(r.k));                                                              \
        FILL_KERNEL(r.k);                                                                          \
        more;                                                                                      \
        assert_true(batch_convert(*state, &r, sizeof(r.k), &event));                               \
        assert_kernel(&event);                                                                     \
    } while (0)

static void kernels_of_every_version_become_events(void **state)
{
    tp_gpu_event event;

    KERNEL_VERSION(4, (void)0);
    assert_int_equal(event.kernel.graph_node_id, 0);
    assert_int_equal(event.kernel.channel, INT32_MIN);
    KERNEL_VERSION(5, r.k.graphNodeId = 42);
    assert_int_equal(event.kernel.graph_node_id, 42);
    assert_int_equal(event.kernel.graph_id, 0);
    KERNEL_VERSION(6, r.k.graphNodeId = 43);
    KERNEL_VERSION(7, r.k.graphId = 5);
    assert_int_equal(event.kernel.graph_id, 5);
    KERNEL_VERSION(8, r.k.channelID = 3; r.k.channelType = CUPTI_CHANNEL_TYPE_COMPUTE);
    assert_int_equal(event.kernel.channel, 3);
    assert_int_equal(event.kernel.channel_type, 1);
    assert_int_equal(event.kernel.priority, INT32_MIN);
#ifdef HAVE_Kernel9
    KERNEL_VERSION(9, r.k.maxActiveClusters = 1);
#endif
#ifdef HAVE_Kernel10
    KERNEL_VERSION(10, r.k.queued = 900);
    assert_int_equal(event.kernel.queued_ns, 900);
    assert_int_equal(event.kernel.priority, INT32_MIN);
#endif
#ifdef HAVE_Kernel11
    KERNEL_VERSION(11, r.k.priority = -5);
    assert_int_equal(event.kernel.priority, -5);
#endif
#ifdef HAVE_Kernel12
    KERNEL_VERSION(12, r.k.priority = 0);
    assert_int_equal(event.kernel.priority, 0);
#endif
#ifdef HAVE_Kernel13
    KERNEL_VERSION(13, r.k.graphId = 6);
    assert_int_equal(event.kernel.graph_id, 6);
#endif
}

static void work_without_times_is_counted_and_left_out(void **state)
{
    static const struct {
        uint64_t start, end;
    } cases[] = {
        {0, 0         },
        {0, 5         },
        {5, 0         },
        {9, 8         },
        {1, UINT64_MAX}
    };
    tp_cupti_batch *batch = *state;
    tp_gpu_event event;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CUpti_ActivityKernel8 k = {0};
        FILL_KERNEL(k);
        k.start = cases[i].start;
        k.end = cases[i].end;
        assert_false(batch_convert(batch, &k, sizeof(k), &event));
        assert_int_equal(batch->unfinished, i + 1);
    }
}

// ---- Copies

#define FILL_COPY(m, number)                                                                       \
    (m).kind = number;                                                                             \
    (m).bytes = 4096;                                                                              \
    (m).start = 10;                                                                                \
    (m).end = 20;                                                                                  \
    (m).deviceId = 1;                                                                              \
    (m).contextId = 2;                                                                             \
    (m).streamId = 13;                                                                             \
    (m).correlationId = 9

#define COPY_VERSION(type, number, more)                                                           \
    do {                                                                                           \
        struct {                                                                                   \
            CUpti_Activity##type m;                                                                \
            unsigned char behind[128];                                                             \
        } r;                                                                                       \
        memset(&r, 0xa5, sizeof(r));                                                               \
        memset(&r.m, 0, sizeof(r.m));                                                              \
        FILL_COPY(r.m, number);                                                                    \
        more;                                                                                      \
        assert_true(batch_convert(*state, &r, sizeof(r.m), &event));                               \
        assert_int_equal(event.copy.bytes, 4096);                                                  \
        assert_int_equal(event.end_ns - event.begin_ns, 10);                                       \
        assert_int_equal(event.device, 1);                                                         \
        assert_int_equal(event.stream, 13);                                                        \
        assert_int_equal(event.correlation, 9);                                                    \
    } while (0)

#define HOST_TO_DEVICE                                                                             \
    r.m.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;                                                \
    r.m.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;                                             \
    r.m.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE

static void copies_of_every_version_become_events(void **state)
{
    tp_gpu_event event;

    COPY_VERSION(Memcpy, 1, HOST_TO_DEVICE);
    assert_int_equal(event.kind, TP_GPU_MEMCPY);
    assert_string_equal(event.name, "Memcpy HtoD (Pageable -> Device)");
    assert_false(event.copy.peer);
    COPY_VERSION(Memcpy3, 1, HOST_TO_DEVICE; r.m.graphNodeId = 4);
    assert_int_equal(event.copy.graph_node_id, 4);
    COPY_VERSION(Memcpy4, 1, HOST_TO_DEVICE; r.m.graphId = 3);
    assert_int_equal(event.copy.graph_id, 3);
    COPY_VERSION(Memcpy5, 1, HOST_TO_DEVICE);
#ifdef HAVE_Memcpy6
    COPY_VERSION(Memcpy6, 1, HOST_TO_DEVICE; r.m.copyCount = 2);
#endif
#ifdef HAVE_Memcpy7
    COPY_VERSION(Memcpy7, 1, HOST_TO_DEVICE);
#endif
    COPY_VERSION(Memset, 2, r.m.value = 1);
    assert_int_equal(event.kind, TP_GPU_MEMSET);
    assert_string_equal(event.name, "Memset (Device)");
    COPY_VERSION(Memset2, 2, r.m.graphNodeId = 8);
    assert_int_equal(event.copy.graph_node_id, 8);
    COPY_VERSION(Memset3, 2, (void)0);
    COPY_VERSION(Memset4, 2, (void)0);
#ifdef HAVE_Memset5
    COPY_VERSION(Memset5, 2, (void)0);
#endif
}

#define PEER_TO_PEER                                                                               \
    r.m.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;                                                \
    r.m.srcKind = r.m.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;                                 \
    r.m.srcDeviceId = 1;                                                                           \
    r.m.dstDeviceId = 3;                                                                           \
    r.m.srcContextId = 2;                                                                          \
    r.m.dstContextId = 6

static void peer_copies_of_every_version_name_both_devices(void **state)
{
    tp_gpu_event event;

    COPY_VERSION(MemcpyPtoP, 22, PEER_TO_PEER);
    COPY_VERSION(MemcpyPtoP2, 22, PEER_TO_PEER);
    COPY_VERSION(MemcpyPtoP3, 22, PEER_TO_PEER);
    COPY_VERSION(MemcpyPtoP4, 22, PEER_TO_PEER; r.m.graphId = 12);
    assert_string_equal(event.name, "Memcpy PtoP (Device -> Device)");
    assert_true(event.copy.peer);
    assert_int_equal(event.copy.from_device, 1);
    assert_int_equal(event.copy.in_device, 1);
    assert_int_equal(event.copy.to_device, 3);
    assert_int_equal(event.copy.from_context, 2);
    assert_int_equal(event.copy.to_context, 6);
    assert_int_equal(event.copy.graph_id, 12);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, batch_setup, batch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_of_every_version_become_events),
        TEST(work_without_times_is_counted_and_left_out),
        TEST(copies_of_every_version_become_events),
        TEST(peer_copies_of_every_version_name_both_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
