// SPDX-License-Identifier: BSD-3-Clause
// Buffers made of the real headers' structs, of every version, through the parsing that CUPTI's go
// through; and a thousand buffers of rubbish.
#include "gpu/cupti_records.h"

#include "support/cmocka_all.h"

#include <cupti.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// Within `distance`; cmocka's own compares floats.
#define assert_near(value, expected, distance)                                                     \
    assert_true((value) >= (expected) - (distance) && (value) <= (expected) + (distance))

static const tp_cupti_function FUNCTIONS[] = {
    {.name = "cudaLaunchKernel", .kept = true, .starts_flow = true},
    {.name = "cudaGetDevice"   },
    {.name = "cudaMalloc",         .kept = true,             .allocates = true            },
};

static const tp_cupti_function *function(void *arg, bool driver, uint32_t id)
{
    (void)arg;
    (void)driver;
    return &FUNCTIONS[id % ARRAY_LEN(FUNCTIONS)];
}

static const char *kernel_name(void *arg, const char *mangled)
{
    (void)arg;
    return mangled; // random bytes are no pointer: not looked at
}

static char last_interned[128];

static const char *intern(void *arg, const char *text)
{
    (void)arg;
    snprintf(last_interned, sizeof(last_interned), "%s", text);
    return last_interned;
}

static int64_t to_trace_ns(void *arg, uint64_t timestamp)
{
    (void)arg;
    return (int64_t)timestamp + 1000000;
}

static const tp_device_info H100 = {
    .id = 0,
    .name = "NVIDIA H100 80GB HBM3",
    .compute_major = 9,
    .max_threads_per_block = 1024,
    .max_threads_per_multiprocessor = 2048,
    .registers_per_block = 65536,
    .warp_size = 32,
    .shared_memory_per_block = 49152,
    .multiprocessors = 132,
    .registers_per_multiprocessor = 65536,
    .shared_memory_per_block_optin = 232448,
    .shared_memory_per_multiprocessor = 233472,
};

static const tp_device_info *device(void *arg, uint32_t id)
{
    (void)arg;
    return id == 0 ? &H100 : NULL;
}

static const tp_cupti_hooks HOOKS = {NULL, function, kernel_name, intern, to_trace_ns, device};

static int setup(void **state)
{
    tp_cupti_batch *batch = malloc(sizeof(*batch));
    tp_cupti_batch_init(batch, &HOOKS);
    *state = batch;
    return 0;
}

static int teardown(void **state)
{
    tp_cupti_batch_free(*state);
    free(*state);
    return 0;
}

// Both passes over one record.
static bool convert(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event)
{
    uint32_t kind;
    memcpy(&kind, record, sizeof(kind));
    tp_cupti_index(batch, kind, record, size);
    return tp_cupti_convert(batch, kind, record, size, event);
}

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
        assert_true(convert(*state, &r, sizeof(r.k), &event));                                     \
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
        assert_false(convert(batch, &k, sizeof(k), &event));
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
        assert_true(convert(*state, &r, sizeof(r.m), &event));                                     \
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

// ---- Calls and links

static CUpti_ActivityAPI api_record(CUpti_ActivityKind kind, uint32_t callback,
                                    uint32_t correlation)
{
    return (CUpti_ActivityAPI){.kind = kind,
                               .cbid = callback,
                               .start = 100,
                               .end = 150,
                               .processId = 4000,
                               .threadId = 4001,
                               .correlationId = correlation};
}

static void calls_become_events_where_traces_show_them(void **state)
{
    const CUpti_ActivityAPI launch = api_record(CUPTI_ACTIVITY_KIND_RUNTIME, 0, 5);
    const CUpti_ActivityAPI query = api_record(CUPTI_ACTIVITY_KIND_RUNTIME, 1, 6);
    const CUpti_ActivityAPI driver = api_record(CUPTI_ACTIVITY_KIND_DRIVER, 3, 7);
    tp_gpu_event event;

    assert_false(convert(*state, &query, sizeof(query), &event));
    assert_true(convert(*state, &driver, sizeof(driver), &event));
    assert_int_equal(event.kind, TP_GPU_DRIVER);
    assert_true(convert(*state, &launch, sizeof(launch), &event));
    assert_int_equal(event.kind, TP_GPU_RUNTIME);
    assert_string_equal(event.name, "cudaLaunchKernel");
    assert_int_equal(event.call.pid, 4000);
    assert_int_equal(event.call.tid, 4001);
    assert_int_equal(event.call.cbid, 0);
    assert_true(event.call.starts_flow);
    assert_int_equal(event.device, TP_GPU_NONE);
}

static CUpti_ActivityExternalCorrelation external_record(uint32_t kind, uint64_t id,
                                                         uint32_t correlation)
{
    return (CUpti_ActivityExternalCorrelation){.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                               .externalKind = (CUpti_ExternalCorrelationKind)kind,
                                               .externalId = id,
                                               .correlationId = correlation};
}

static void work_knows_its_operator_and_annotation_whatever_the_order(void **state)
{
    tp_cupti_batch *batch = *state;
    CUpti_ActivityKernel8 k = {0};
    const CUpti_ActivityExternalCorrelation records[] = {
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 11, 77),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 22, 77),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 33, 78),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC, 44, 77),
    };
    tp_gpu_event event;

    FILL_KERNEL(k);
    tp_cupti_index(batch, TP_CUPTI_CONCURRENT_KERNEL, &k, sizeof(k));
    for (size_t i = 0; i < ARRAY_LEN(records); i++)
        tp_cupti_index(batch, TP_CUPTI_EXTERNAL_CORRELATION, &records[i], sizeof(records[i]));

    assert_true(tp_cupti_convert(batch, TP_CUPTI_CONCURRENT_KERNEL, &k, sizeof(k), &event));
    assert_int_equal(event.op_id, 11);
    assert_int_equal(event.annotation_id, 22);
    k.correlationId = 78;
    assert_true(tp_cupti_convert(batch, TP_CUPTI_CONCURRENT_KERNEL, &k, sizeof(k), &event));
    assert_int_equal(event.op_id, 0);
    assert_int_equal(event.annotation_id, 33);

    tp_cupti_batch_clear(batch);
    assert_true(tp_cupti_convert(batch, TP_CUPTI_CONCURRENT_KERNEL, &k, sizeof(k), &event));
    assert_int_equal(event.annotation_id, 0);
}

static void what_the_profiler_itself_called_is_left_out(void **state)
{
    const CUpti_ActivityExternalCorrelation own =
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 1, 5);
    const CUpti_ActivityAPI wait = api_record(CUPTI_ACTIVITY_KIND_RUNTIME, 0, 5);
    tp_gpu_event event;

    tp_cupti_index(*state, TP_CUPTI_EXTERNAL_CORRELATION, &own, sizeof(own));
    assert_false(convert(*state, &wait, sizeof(wait), &event));
}

// ---- Synchronisation

static CUpti_ActivitySynchronization sync_record(CUpti_ActivitySynchronizationType type,
                                                 uint32_t correlation)
{
    return (CUpti_ActivitySynchronization){.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                           .type = type,
                                           .start = 500,
                                           .end = 900,
                                           .correlationId = correlation,
                                           .contextId = 1,
                                           .streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE,
                                           .cudaEventId = 3};
}

static CUpti_ActivityCudaEvent event_record(uint32_t event, uint32_t correlation, uint32_t stream)
{
    return (CUpti_ActivityCudaEvent){.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
                                     .correlationId = correlation,
                                     .contextId = 1,
                                     .streamId = stream,
                                     .eventId = event};
}

static void waits_have_their_kind_device_and_partner(void **state)
{
    static const struct {
        CUpti_ActivitySynchronizationType type;
        const char *kind;
        bool has_event;
    } cases[] = {
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,   "Event Sync",        true },
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,   "Stream Wait Event", true },
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,  "Stream Sync",       false},
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, "Context Sync",      false},
    };
    // Recorded twice before the wait and once after; another event in between.
    const CUpti_ActivityCudaEvent records[] = {event_record(3, 40, 7), event_record(3, 10, 20),
                                               event_record(4, 25, 7), event_record(3, 30, 13)};
    const CUpti_ActivityContext context = {
        .kind = CUPTI_ACTIVITY_KIND_CONTEXT, .contextId = 1, .deviceId = 2};
    tp_gpu_event event;

    tp_cupti_index(*state, TP_CUPTI_CONTEXT, &context, sizeof(context));
    for (size_t i = 0; i < ARRAY_LEN(records); i++)
        assert_false(convert(*state, &records[i], sizeof(records[i]), &event));

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const CUpti_ActivitySynchronization wait = sync_record(cases[i].type, 35);
        assert_true(convert(*state, &wait, sizeof(wait), &event));
        assert_int_equal(event.kind, TP_GPU_SYNC);
        assert_string_equal(event.name, cases[i].kind);
        assert_string_equal(event.sync.kind, cases[i].kind);
        assert_int_equal(event.device, 2);
        assert_int_equal(event.stream, TP_GPU_NONE);
        assert_int_equal(event.sync.has_event, cases[i].has_event);
        if (!cases[i].has_event)
            continue;
        assert_int_equal(event.sync.wait_on_event, 3);
        assert_int_equal(event.sync.wait_on_stream, 13);
        assert_int_equal(event.sync.wait_on_record_correlation, 30);
    }
}

static void a_wait_for_an_event_nobody_saw_has_no_partner(void **state)
{
    const CUpti_ActivitySynchronization wait =
        sync_record(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, 35);
    const CUpti_ActivityCudaEvent later = event_record(3, 36, 7);
    tp_gpu_event event;

    tp_cupti_index(*state, TP_CUPTI_CUDA_EVENT, &later, sizeof(later));
    assert_true(convert(*state, &wait, sizeof(wait), &event));
    assert_int_equal(event.sync.wait_on_stream, -1);
    assert_int_equal(event.sync.wait_on_record_correlation, -1);
}

#if defined(HAVE_Synchronization2) && defined(HAVE_CudaEvent2)
static void newer_libraries_number_each_recording_of_an_event(void **state)
{
    CUpti_ActivityCudaEvent2 record = {.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
                                       .correlationId = 30,
                                       .contextId = 1,
                                       .streamId = 13,
                                       .eventId = 3,
                                       .deviceId = 1,
                                       .deviceTimestamp = 480,
                                       .cudaEventSyncId = 99};
    const CUpti_ActivitySynchronization2 wait = {
        .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
        .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,
        .start = 500,
        .end = 500,
        .correlationId = 20, // before the recording, as ids of another thread may be
        .contextId = 8,
        .streamId = 14,
        .cudaEventId = 3,
        .cudaEventSyncId = 99};
    tp_gpu_event event;

    assert_true(convert(*state, &record, sizeof(record), &event));
    assert_int_equal(event.kind, TP_GPU_EVENT);
    assert_int_equal(event.end_ns - event.begin_ns, 1);
    assert_int_equal(event.device, 1);
    assert_int_equal(event.event.event_id, 3);
    assert_true(convert(*state, &wait, sizeof(wait), &event));
    assert_int_equal(event.stream, 14);
    assert_int_equal(event.sync.wait_on_stream, 13);
    assert_int_equal(event.sync.wait_on_record_correlation, 30);
}
#endif

// ---- The rest

static void overhead_of_every_version_has_its_name(void **state)
{
    const CUpti_ActivityOverhead first = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
                                          .overheadKind = CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER,
                                          .start = 5,
                                          .end = 9};
    tp_gpu_event event;

    assert_true(convert(*state, &first, sizeof(first), &event));
    assert_int_equal(event.kind, TP_GPU_OVERHEAD);
    assert_string_equal(event.name, "Driver Compiler");
    assert_null(tp_cupti_owned_data(TP_CUPTI_OVERHEAD, &first, sizeof(first)));
#ifdef HAVE_Overhead3
    int data;
    const CUpti_ActivityOverhead3 third = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
                                           .overheadKind =
                                               CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL,
                                           .start = 5,
                                           .end = 9,
                                           .correlationId = 12,
                                           .overheadData = &data};
    assert_true(convert(*state, &third, sizeof(third), &event));
    assert_string_equal(event.name, "Command Buffer Full");
    assert_ptr_equal(tp_cupti_owned_data(TP_CUPTI_OVERHEAD, &third, sizeof(third)), &data);
#endif
}

static void the_compiler_in_the_driver_is_overhead(void **state)
{
    const CUpti_ActivityJit jit = {.kind = CUPTI_ACTIVITY_KIND_JIT,
                                   .jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN,
                                   .jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_COMPILE,
                                   .start = 5,
                                   .end = 9};
    tp_gpu_event event;

    assert_true(convert(*state, &jit, sizeof(jit), &event));
    assert_int_equal(event.kind, TP_GPU_OVERHEAD);
    assert_string_equal(event.name, "JIT Compile (PTX to cubin)");
}

static CUpti_ActivityMemory3 memory_record(CUpti_ActivityMemoryOperationType operation,
                                           CUpti_ActivityMemoryKind kind, uint64_t bytes)
{
    return (CUpti_ActivityMemory3){.kind = CUPTI_ACTIVITY_KIND_MEMORY2,
                                   .memoryOperationType = operation,
                                   .memoryKind = kind,
                                   .correlationId = 5,
                                   .address = 0x7f0000000000,
                                   .bytes = bytes,
                                   .timestamp = 700,
                                   .processId = 4000,
                                   .deviceId = 1,
                                   .contextId = 2};
}

static void memory_has_totals_and_the_thread_that_asked(void **state)
{
    const CUpti_ActivityAPI call = api_record(CUPTI_ACTIVITY_KIND_RUNTIME, 2, 5);
    const CUpti_ActivityMemory3 made =
        memory_record(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
                      CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 1 << 20);
    const CUpti_ActivityMemory3 freed = memory_record(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE,
                                                      CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 1 << 19);
    const CUpti_ActivityMemory3 pinned =
        memory_record(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
                      CUPTI_ACTIVITY_MEMORY_KIND_PINNED, 1 << 20);
    const CUpti_ActivityMemoryPool pool = {.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL,
                                           .memoryPoolOperationType =
                                               CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED,
                                           .memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL,
                                           .processId = 4000,
                                           .deviceId = 1,
                                           .address = 0x10,
                                           .size = 1 << 25,
                                           .timestamp = 710};
    tp_gpu_event event;

    tp_cupti_index(*state, TP_CUPTI_RUNTIME, &call, sizeof(call));
    assert_true(convert(*state, &made, sizeof(made), &event));
    assert_int_equal(event.kind, TP_GPU_MEMORY);
    assert_string_equal(event.name, "[memory]");
    assert_int_equal(event.device, 1);
    assert_int_equal(event.memory.tid, 4001);
    assert_int_equal(event.memory.bytes, 1 << 20);
    assert_int_equal(event.memory.allocated, 1 << 20);
    assert_true(convert(*state, &freed, sizeof(freed), &event));
    assert_int_equal(event.memory.bytes, -(1 << 19));
    assert_int_equal(event.memory.allocated, 1 << 19);
    assert_false(convert(*state, &pinned, sizeof(pinned), &event));
    assert_true(convert(*state, &pool, sizeof(pool), &event));
    assert_int_equal(event.memory.bytes, 0);
    assert_int_equal(event.memory.reserved, 1 << 25);
}

static void a_graph_as_a_whole_is_one_piece_of_work(void **state)
{
    const CUpti_ActivityGraphTrace graph = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
                                            .correlationId = 6,
                                            .start = 10,
                                            .end = 1000,
                                            .deviceId = 0,
                                            .graphId = 4,
                                            .contextId = 1,
                                            .streamId = 7};
    tp_gpu_event event;

    assert_true(convert(*state, &graph, sizeof(graph), &event));
    assert_int_equal(event.kind, TP_GPU_KERNEL);
    assert_string_equal(event.name, "CUDA Graph");
    assert_int_equal(event.kernel.graph_id, 4);
    assert_int_equal(event.kernel.occupancy_percent, INT32_MIN);
}

// ---- Whole buffers

static tp_cupti_sizes sizes_of_headers(void)
{
    tp_cupti_sizes sizes = {{0}};
    sizes.bytes[TP_CUPTI_CONCURRENT_KERNEL] = sizeof(CUpti_ActivityKernel8);
    sizes.bytes[TP_CUPTI_MEMCPY] = sizeof(CUpti_ActivityMemcpy5);
    sizes.bytes[TP_CUPTI_MEMCPY2] = sizeof(CUpti_ActivityMemcpyPtoP4);
    sizes.bytes[TP_CUPTI_MEMSET] = sizeof(CUpti_ActivityMemset4);
    sizes.bytes[TP_CUPTI_RUNTIME] = sizeof(CUpti_ActivityAPI);
    sizes.bytes[TP_CUPTI_DRIVER] = sizeof(CUpti_ActivityAPI);
    sizes.bytes[TP_CUPTI_EXTERNAL_CORRELATION] = sizeof(CUpti_ActivityExternalCorrelation);
    sizes.bytes[TP_CUPTI_CONTEXT] = sizeof(CUpti_ActivityContext);
    sizes.bytes[TP_CUPTI_SYNCHRONIZATION] = sizeof(CUpti_ActivitySynchronization);
    sizes.bytes[TP_CUPTI_CUDA_EVENT] = sizeof(CUpti_ActivityCudaEvent);
    sizes.bytes[TP_CUPTI_OVERHEAD] = sizeof(CUpti_ActivityOverhead);
    sizes.bytes[TP_CUPTI_MEMORY2] = sizeof(CUpti_ActivityMemory3);
    sizes.bytes[TP_CUPTI_MEMORY_POOL] = sizeof(CUpti_ActivityMemoryPool);
    sizes.bytes[TP_CUPTI_GRAPH_TRACE] = sizeof(CUpti_ActivityGraphTrace);
    sizes.bytes[TP_CUPTI_JIT] = sizeof(CUpti_ActivityJit);
    return sizes;
}

static void count_record(void *arg, uint32_t kind, const void *record, size_t size)
{
    (void)kind;
    (void)record;
    (void)size;
    (*(unsigned *)arg)++;
}

static void a_walk_ends_where_a_record_is_cut_or_unknown(void **state)
{
    const tp_cupti_sizes sizes = sizes_of_headers();
    struct {
        CUpti_ActivityKernel8 kernel;
        CUpti_ActivityAPI api;
        CUpti_ActivityMemcpy5 copy;
    } buffer;
    const size_t kernel = sizeof(buffer.kernel);
    const size_t api = sizeof(buffer.api);
    const size_t all = sizeof(buffer);
    (void)state;

    memset(&buffer, 0, sizeof(buffer));
    buffer.kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    buffer.api.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    buffer.copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    for (size_t valid = 0; valid <= all; valid++) {
        const unsigned whole = valid == all ? 3 : valid >= kernel + api ? 2 : valid >= kernel;
        const size_t used = whole == 3 ? all : whole == 2 ? kernel + api : whole ? kernel : 0;
        unsigned count = 0;
        assert_int_equal(tp_cupti_walk(&sizes, &buffer, valid, count_record, &count), valid - used);
        assert_int_equal(count, whole);
    }

    unsigned count = 0;
    buffer.api.kind = (CUpti_ActivityKind)126;
    assert_int_equal(tp_cupti_walk(&sizes, &buffer, all, count_record, &count), all - kernel);
    buffer.api.kind = (CUpti_ActivityKind)0x7fffffff;
    assert_int_equal(tp_cupti_walk(&sizes, &buffer, all, count_record, &count), all - kernel);
    assert_int_equal(count, 2);
}

static void index_record(void *arg, uint32_t kind, const void *record, size_t size)
{
    tp_cupti_index(arg, kind, record, size);
}

static void convert_record(void *arg, uint32_t kind, const void *record, size_t size)
{
    tp_gpu_event event;
    if (tp_cupti_convert(arg, kind, record, size, &event))
        assert_true(event.end_ns >= event.begin_ns);
    tp_cupti_owned_data(kind, record, size);
}

// xorshift: the same rubbish in every run.
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void a_thousand_buffers_of_rubbish_do_no_harm(void **state)
{
    const tp_cupti_sizes sizes = sizes_of_headers();
    static const uint32_t kinds[] = {1, 2, 4, 5, 9, 10, 17, 22, 36, 38, 39, 49, 50, 51, 52, 3, 127};
    uint64_t seed = 88172645463325252u;

    for (int round = 0; round < 1000; round++) {
        // Exactly as large as its valid bytes, so that a step beyond them is noticed.
        const size_t size = next_random(&seed) % 4096;
        unsigned char *buffer = malloc(size + 1);
        for (size_t i = 0; i < size; i++)
            buffer[i] = (unsigned char)(next_random(&seed) >> 32);
        // Kinds that are known in many places, so that the rubbish is read.
        for (size_t at = 0; at + 8 <= size; at += 8)
            if (next_random(&seed) % 4)
                memcpy(buffer + at, &kinds[next_random(&seed) % ARRAY_LEN(kinds)],
                       sizeof(kinds[0]));
        tp_cupti_walk(&sizes, buffer, size, index_record, *state);
        tp_cupti_walk(&sizes, buffer, size, convert_record, *state);
        if (round % 10 == 0)
            tp_cupti_batch_clear(*state);
        free(buffer);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_of_every_version_become_events),
        TEST(work_without_times_is_counted_and_left_out),
        TEST(copies_of_every_version_become_events),
        TEST(peer_copies_of_every_version_name_both_devices),
        TEST(calls_become_events_where_traces_show_them),
        TEST(work_knows_its_operator_and_annotation_whatever_the_order),
        TEST(what_the_profiler_itself_called_is_left_out),
        TEST(waits_have_their_kind_device_and_partner),
        TEST(a_wait_for_an_event_nobody_saw_has_no_partner),
#if defined(HAVE_Synchronization2) && defined(HAVE_CudaEvent2)
        TEST(newer_libraries_number_each_recording_of_an_event),
#endif
        TEST(overhead_of_every_version_has_its_name),
        TEST(the_compiler_in_the_driver_is_overhead),
        TEST(memory_has_totals_and_the_thread_that_asked),
        TEST(a_graph_as_a_whole_is_one_piece_of_work),
        TEST(a_walk_ends_where_a_record_is_cut_or_unknown),
        TEST(a_thousand_buffers_of_rubbish_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
