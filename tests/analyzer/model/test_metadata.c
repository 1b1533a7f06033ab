// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "support/trace_builder.h"

static int set_up(void **state)
{
    *state = trace_builder_create();
    return 0;
}

static int tear_down(void **state)
{
    trace_builder_destroy(*state);
    return 0;
}

static void metadata_is_kept_or_taken_to_its_place(void **state)
{
    trace_builder *b = *state;
    trace_builder_metadata(b, "trace_id", "\"AB\"");
    trace_builder_metadata(b, "distributedInfo",
                           "{\"backend\":\"nccl\",\"rank\":\"3\",\"world_size\":8}");
    trace_builder_metadata(b, "INFO", "[\"first \\\"line\\\"\",\"second\"]");
    trace_builder_metadata(b, "tprof_losses", "{\"dropped_events\":12,\"cut_events\":0}");
    trace_builder_metadata(b, "trace_id", "\"CD\"");
    made_op(b, "a", "1", 0, 1);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->rank, 3);
    assert_int_equal(t->world_size, 8);
    assert_int_equal(t->log_line_count, 2);
    assert_string_equal(t->log_lines[0], "first \"line\"");
    assert_int_equal(notes_of(t, "dropped_events"), 12);
    assert_int_equal(notes_of(t, "cut_events"), 0);
    assert_true(text_equal(trace_metadata(t, "trace_id"), TEXT("\"CD\"")));
    assert_int_equal(trace_metadata(t, "INFO").length, 0);
    assert_int_equal(trace_metadata(t, "nothing").length, 0);
    trace_destroy(t);
}

static void an_unknown_rank_stays_unknown(void **state)
{
    trace_builder *b = *state;
    trace_builder_metadata(b, "distributedInfo", "{\"rank\":null,\"pg_config\":[{\"rank\":5}]}");
    made_op(b, "a", "1", 0, 1);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->rank, -1);
    assert_int_equal(t->world_size, -1);
    trace_destroy(t);
}

static void numbers_of_devices_may_be_written_as_floats(void **state)
{
    trace_builder *b = *state;
    trace_builder_metadata(b, "deviceProperties",
                           "[{\"id\":0,\"totalGlobalMem\":8.5e10,\"numSms\":132.0,"
                           "\"computeMajor\":9.0,\"computeMinor\":0.0}]");
    made_op(b, "a", "1", 0, 1);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->devices[0].memory_bytes, 85000000000);
    assert_int_equal(t->devices[0].sm_count, 132);
    assert_int_equal(t->devices[0].compute_major, 9);
    assert_int_equal(t->devices[0].compute_minor, 0);
    trace_destroy(t);
}

static void what_a_trace_lacks_is_noted(void **state)
{
    static const struct {
        const char *properties;
        int launches;
        bool host, kernel;
        const char *code;
        uint64_t count;
    } cases[] = {
        {"[{\"id\":0}]", 3, true,  false, "gpu_records_missing", 3},
        {"[{\"id\":0}]", 0, true,  false, "gpu_not_recorded",    1},
        {"[]",           0, true,  false, "gpu_not_recorded",    0},
        {"[{\"id\":0}]", 0, false, true,  "no_host_events",      1},
        {"[{\"id\":0}]", 1, true,  true,  "gpu_records_missing", 0},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace_builder *b = trace_builder_create();
        trace_builder_metadata(b, "deviceProperties", cases[i].properties);
        trace_builder_metadata(b, "baseTimeNanoseconds", "1");
        for (int k = 0; k < cases[i].launches; k++)
            made_call(b, "cudaLaunchKernel", "1", "1", k, k + 1);
        if (cases[i].host)
            made_op(b, "a", "1", 0, 1);
        if (cases[i].kernel)
            made_kernel(b, "k", "1", "1", 0, 1);
        trace *t = trace_builder_trace(b);
        assert_int_equal(notes_of(t, cases[i].code), cases[i].count);
        assert_int_equal(t->note_count, cases[i].count != 0);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(metadata_is_kept_or_taken_to_its_place),
        TEST(an_unknown_rank_stays_unknown),
        TEST(numbers_of_devices_may_be_written_as_floats),
        TEST(what_a_trace_lacks_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
