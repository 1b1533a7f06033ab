// SPDX-License-Identifier: BSD-3-Clause
// A file gives the trace that its records give.
#include "support/cmocka_all.h"

#include "support/trace_builder.h"

#include <stdlib.h>
#include <unistd.h>

static err_code load(const char *json, trace **t, error *err)
{
    char path[] = "/tmp/trace_load_XXXXXX";
    const int file = mkstemp(path);
    const read_limits limits = {0};
    input *in = NULL;

    assert_true(file >= 0);
    assert_int_equal(write(file, json, strlen(json)), strlen(json));
    close(file);
    *t = NULL;
    assert_int_equal(input_open(path, &limits, false, &in, err), ERR_NONE);
    unlink(path);
    const err_code failed = trace_load(in, &limits, false, t, err);
    input_close(in);
    return failed;
}

static trace_builder *everything(void)
{
    trace_builder *b = trace_builder_create();
    trace_builder_metadata(b, "baseTimeNanoseconds", "1750000000000000000");
    trace_builder_metadata(b, "deviceProperties", "[{\"id\":0,\"name\":\"X\",\"numSms\":10}]");
    trace_builder_metadata(b, "distributedInfo", "{\"rank\":3,\"world_size\":8}");
    made_window(b, 0, 9000000);
    made_step(b, 4, "1", 1, 5000);
    trace_builder_add(b, (made_event){.category = "cpu_op",
                                      .name = "aten::\"mm\"\\\t\xc3\xa9",
                                      .begin = 10,
                                      .duration = 1001,
                                      .external = "7",
                                      .shapes = "[[32,3],[],[\"a b\"]]",
                                      .types = "[\"float\",\"\"]",
                                      .stack = "f;g;",
                                      .has_sequence = true,
                                      .sequence = 12,
                                      .fwd_thread = 2});
    made_op(b, "second", "python-main", 20, 20);
    made_call(b, "cudaLaunchKernel", "1", "4294967297", 30, 40);
    trace_builder_add(b, (made_event){
                             .category = "kernel",
                             .name = "gemm",
                             .process = "0",
                             .thread = "7",
                             .device = "0",
                             .stream = "7",
                             .correlation = "4294967297",
                             .begin = 1000001,
                             .duration = 999,
                             .grid = {1,  2, 3},
                             .block = {32, 4, 1},
                             .registers = 16,
                             .shared_bytes = 1024,
                             .blocks_per_sm = 0.5,
                             .occupancy_percent = 37
    });
    made_kernel(b, "backwards", "7", NULL, 2000, 1500);
    trace_builder_add(
        b, (made_event){.category = "python_function", .name = "nn.Module: A", .module_id = 3});
    trace_builder_add(
        b, (made_event){.category = "fwdbwd", .phase = 's', .flow_id = "9", .begin = 10});
    return b;
}

static void assert_same_texts(const trace *x, uint32_t x_id, const trace *y, uint32_t y_id)
{
    assert_true(text_equal(strings_text(&x->strings, x_id), strings_text(&y->strings, y_id)));
}

static void assert_same_event(const trace *x, const trace *y, uint32_t i)
{
    const events *a = &x->events, *b = &y->events;
    assert_same_texts(x, a->name[i], y, b->name[i]);
    assert_int_equal(a->begin[i], b->begin[i]);
    assert_int_equal(a->duration[i], b->duration[i]);
    assert_int_equal(a->role[i], b->role[i]);
    assert_int_equal(a->lane[i], b->lane[i]);
    assert_int_equal(a->correlation[i], b->correlation[i]);
    assert_int_equal(a->external[i], b->external[i]);
    assert_int_equal(a->detail[i], b->detail[i]);
}

static void a_file_gives_the_trace_that_its_records_give(void **state)
{
    (void)state;
    trace_builder *b = everything();
    trace *direct = trace_builder_trace(b), *read;
    error err = {0};
    assert_int_equal(load(trace_builder_json(b), &read, &err), ERR_NONE);

    assert_int_equal(read->events.count, direct->events.count);
    for (uint32_t i = 0; i < read->events.count; i++)
        assert_same_event(read, direct, i);
    assert_int_equal(read->records, direct->records);
    assert_int_equal(read->base_ns, direct->base_ns);
    assert_int_equal(read->window_end, direct->window_end);
    assert_int_equal(read->rank, 3);
    assert_int_equal(read->lane_count, direct->lane_count);
    for (uint32_t i = 0; i < read->lane_count; i++)
        assert_same_texts(read, read->lanes[i].thread, direct, direct->lanes[i].thread);
    assert_int_equal(read->op_detail_count, direct->op_detail_count);
    assert_same_texts(read, read->op_details[0].shapes, direct, direct->op_details[0].shapes);
    assert_int_equal(read->device_detail_count, direct->device_detail_count);
    assert_memory_equal(read->device_details, direct->device_details,
                        sizeof(device_detail) * read->device_detail_count);
    assert_int_equal(read->sequence_count, 1);
    assert_int_equal(read->sequences[0].number, 12);
    assert_int_equal(read->flow_count, 1);
    assert_true(read->flows[0].id == direct->flows[0].id);
    assert_int_equal(notes_of(read, "negative_duration"), 1);
    assert_true(read->inflated_bytes > 0 && read->stored_bytes == read->inflated_bytes);
    trace_destroy(read);
    trace_destroy(direct);
    trace_builder_destroy(b);
}

static void a_file_without_stored_events_says_so(void **state)
{
    static const char *const cases[] = {
        "{\"traceEvents\": []}",
        "{\"traceEvents\": [{\"ph\":\"i\",\"name\":\"x\",\"ts\":1}]}",
        "{\"nodes\": []}",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace *t;
        error err = {0};
        assert_int_equal(load(cases[i], &t, &err), ERR_NOT_TRACE);
        assert_null(t);
        assert_true(strlen(err.message) > 0);
        assert_non_null(err.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gives_the_trace_that_its_records_give),
        cmocka_unit_test(a_file_without_stored_events_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
