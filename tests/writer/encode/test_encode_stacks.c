// SPDX-License-Identifier: BSD-3-Clause
// Folded stacks: one line for each name and stack, frames from the outermost.
#include "support/cmocka_all.h"
#include "support/made_capture.h"

#include "encode/encode_stacks.h"

#include <string.h>

static void assert_stacks(const tp_capture *capture, const char *metric, const char *expected)
{
    const tp_encoder *encoder = tp_stacks_encoder(metric);
    tp_sink *sink;

    assert_non_null(encoder);
    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    encoder->encode(capture, "stacks", sink);
    assert_int_equal(sink->status, TPROF_OK);
    assert_string_equal(tp_sink_memory_data(sink, NULL), expected);
    tp_sink_abandon(sink);
}

static tp_capture *stacked(void)
{
    static const tprof_op mm = {.name = "mm", .stack = "net.c(3): mul add;train.c(9): main"};
    static const tprof_op add = {.name = "add", .stack = "net.c(4): add"};
    static const tprof_op bare = {.name = "bare"};

    made_begin();
    made_operator(&mm, 1, 0, 1900);
    made_operator(&add, 2, 2000, 2900); // under a microsecond
    made_operator(&bare, 3, 3000, 9000);
    made_operator(&mm, 4, 10000, 11200);
    tp_capture *capture = made_capture();
    const tp_gpu_event kernel = {
        .kind = TP_GPU_KERNEL, .name = "k", .begin_ns = 0, .end_ns = 7000, .op_id = 2};
    assert_true(tp_capture_add_gpu(capture, &kernel));
    return capture;
}

static void lines_hold_frames_outermost_first_and_whole_microseconds(void **state)
{
    tp_capture *capture = stacked();
    (void)state;

    assert_stacks(capture, "self_cpu_time_total", "train.c(9):_main;net.c(3):_mul_add 3\n");
    assert_stacks(capture, "self_cuda_time_total", "net.c(4):_add 7\n");
    assert_stacks(capture, "self_device_time_total", "net.c(4):_add 7\n");
    assert_null(tp_stacks_encoder("cpu_time_total"));
    tp_capture_release(capture);
}

static void a_sink_that_is_full_fails(void **state)
{
    tp_capture *capture = stacked();
    tp_sink *sink;
    (void)state;

    assert_int_equal(tp_sink_memory_open(4, &sink), TPROF_OK);
    tp_stacks_encoder("self_cpu_time_total")->encode(capture, "stacks", sink);
    assert_int_equal(sink->status, TPROF_ERR_MEMORY);
    tp_sink_abandon(sink);
    tp_capture_release(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_hold_frames_outermost_first_and_whole_microseconds),
        cmocka_unit_test(a_sink_that_is_full_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
