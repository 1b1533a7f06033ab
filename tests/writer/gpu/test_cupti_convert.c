// SPDX-License-Identifier: BSD-3-Clause
// Calls, links, waits, overhead and memory made of the real headers' structs, through the parsing
// that CUPTI's go through.
#include "support/cupti_batch.h"

#include <cupti.h>

#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

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

    assert_false(batch_convert(*state, &query, sizeof(query), &event));
    assert_true(batch_convert(*state, &driver, sizeof(driver), &event));
    assert_int_equal(event.kind, TP_GPU_DRIVER);
    assert_true(batch_convert(*state, &launch, sizeof(launch), &event));
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
    CUpti_ActivityKernel8 k = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                               .start = 10,
                               .end = 20,
                               .correlationId = 77,
                               .name = "gemm"};
    const CUpti_ActivityExternalCorrelation records[] = {
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 11, 77),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 22, 77),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 33, 78),
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC, 44, 77),
    };
    tp_gpu_event event;

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

    // Records of work may come in one batch after those of its call, but no later.
    for (uint32_t clears = 1; clears <= 2; clears++) {
        tp_cupti_batch_clear(batch);
        assert_true(tp_cupti_convert(batch, TP_CUPTI_CONCURRENT_KERNEL, &k, sizeof(k), &event));
        assert_int_equal(event.annotation_id, clears == 1 ? 33 : 0);
    }
}

static void what_the_profiler_itself_called_is_left_out(void **state)
{
    const CUpti_ActivityExternalCorrelation own =
        external_record(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 1, 5);
    const CUpti_ActivityAPI wait = api_record(CUPTI_ACTIVITY_KIND_RUNTIME, 0, 5);
    tp_gpu_event event;

    tp_cupti_index(*state, TP_CUPTI_EXTERNAL_CORRELATION, &own, sizeof(own));
    assert_false(batch_convert(*state, &wait, sizeof(wait), &event));
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
                                           .streamId =
                                               (uint32_t)CUPTI_SYNCHRONIZATION_INVALID_VALUE,
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
        assert_false(batch_convert(*state, &records[i], sizeof(records[i]), &event));

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const CUpti_ActivitySynchronization wait = sync_record(cases[i].type, 35);
        assert_true(batch_convert(*state, &wait, sizeof(wait), &event));
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
    assert_true(batch_convert(*state, &wait, sizeof(wait), &event));
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

    assert_true(batch_convert(*state, &record, sizeof(record), &event));
    assert_int_equal(event.kind, TP_GPU_EVENT);
    assert_int_equal(event.end_ns - event.begin_ns, 1);
    assert_int_equal(event.device, 1);
    assert_int_equal(event.event.event_id, 3);
    assert_true(batch_convert(*state, &wait, sizeof(wait), &event));
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

    assert_true(batch_convert(*state, &first, sizeof(first), &event));
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
    assert_true(batch_convert(*state, &third, sizeof(third), &event));
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

    assert_true(batch_convert(*state, &jit, sizeof(jit), &event));
    assert_int_equal(event.kind, TP_GPU_OVERHEAD);
    assert_string_equal(event.name, "JIT Compile (PTX to cubin)");
}

static void any_work_tells_the_device_of_its_context(void **state)
{
    const CUpti_ActivityMemcpy copy = {
        .kind = CUPTI_ACTIVITY_KIND_MEMCPY, .contextId = 31, .deviceId = 1};
    const CUpti_ActivityMemset fill = {
        .kind = CUPTI_ACTIVITY_KIND_MEMSET, .contextId = 32, .deviceId = 2};

    tp_cupti_index(*state, TP_CUPTI_MEMCPY, &copy, sizeof(copy));
    tp_cupti_index(*state, TP_CUPTI_MEMSET, &fill, sizeof(fill));
    for (uint32_t context = 31; context <= 32; context++) {
        const CUpti_ActivitySynchronization wait = {
            .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
            .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE,
            .start = 10,
            .end = 20,
            .contextId = context};
        tp_gpu_event event;
        assert_true(batch_convert(*state, &wait, sizeof(wait), &event));
        assert_int_equal(event.device, context - 30);
    }
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
    assert_true(batch_convert(*state, &made, sizeof(made), &event));
    assert_int_equal(event.kind, TP_GPU_MEMORY);
    assert_string_equal(event.name, "[memory]");
    assert_int_equal(event.device, 1);
    assert_int_equal(event.memory.tid, 4001);
    assert_int_equal(event.memory.bytes, 1 << 20);
    tp_cupti_sum_memory(*state, &event, 1);
    assert_int_equal(event.memory.allocated, 1 << 20);
    assert_true(batch_convert(*state, &freed, sizeof(freed), &event));
    assert_int_equal(event.memory.bytes, -(1 << 19));
    tp_cupti_sum_memory(*state, &event, 1);
    assert_int_equal(event.memory.allocated, 1 << 19);
    assert_false(batch_convert(*state, &pinned, sizeof(pinned), &event));
    assert_true(batch_convert(*state, &pool, sizeof(pool), &event));
    assert_int_equal(event.memory.bytes, 0);
    tp_cupti_sum_memory(*state, &event, 1);
    assert_int_equal(event.memory.reserved, 1 << 25);
}

static void totals_are_those_of_the_order_in_time(void **state)
{
    // In the order in which they come in.
    static const struct {
        int64_t at_ns, bytes, pool, allocated, reserved;
        uint64_t address;
    } cases[] = {
        {40, 0,     7000,             1000, 7000, 2},
        {30, -3000, TP_CUPTI_NO_POOL, 1000, 4000, 0},
        {50, 0,     0,                1000, 0,    2},
        {10, 1000,  TP_CUPTI_NO_POOL, 1000, 0,    0},
        {20, 3000,  TP_CUPTI_NO_POOL, 4000, 0,    0},
        {25, 0,     4000,             4000, 4000, 2},
        {60, -9000, TP_CUPTI_NO_POOL, 1000, 0,    0}, // given before the profiler came
        {70, -1000, TP_CUPTI_NO_POOL, 0,    0,    0},
    };
    enum { COUNT = sizeof(cases) / sizeof(cases[0]) };
    tp_gpu_event events[COUNT];

    for (size_t i = 0; i < COUNT; i++)
        events[i] = (tp_gpu_event){
            .kind = TP_GPU_MEMORY,
            .begin_ns = cases[i].at_ns,
            .device = 0,
            .memory = {
                       .bytes = cases[i].bytes, .address = cases[i].address, .reserved = cases[i].pool}
        };
    tp_cupti_sum_memory(*state, events, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t c = 0; c < COUNT; c++)
            if (cases[c].at_ns == events[i].begin_ns) {
                assert_int_equal(events[i].memory.allocated, cases[c].allocated);
                assert_int_equal(events[i].memory.reserved, cases[c].reserved);
            }
    assert_int_equal(events[0].begin_ns, 10);
    assert_int_equal(events[COUNT - 1].begin_ns, 70);
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

    assert_true(batch_convert(*state, &graph, sizeof(graph), &event));
    assert_int_equal(event.kind, TP_GPU_KERNEL);
    assert_string_equal(event.name, "CUDA Graph");
    assert_int_equal(event.kernel.graph_id, 4);
    assert_int_equal(event.kernel.occupancy_percent, INT32_MIN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, batch_setup, batch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        TEST(any_work_tells_the_device_of_its_context),
        TEST(memory_has_totals_and_the_thread_that_asked),
        TEST(totals_are_those_of_the_order_in_time),
        TEST(a_graph_as_a_whole_is_one_piece_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
