// SPDX-License-Identifier: BSD-3-Clause
// Whole buffers: cut, with unknown kinds, and a thousand of rubbish.
#include "support/cupti_batch.h"

#include <cupti.h>

#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, batch_setup, batch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_walk_ends_where_a_record_is_cut_or_unknown),
        TEST(a_thousand_buffers_of_rubbish_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
