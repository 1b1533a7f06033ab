// SPDX-License-Identifier: BSD-3-Clause
// What steps cost: waits and device work are clipped to the step and counted once.
#include "support/cmocka_all.h"
#include "support/made_capture.h"

#include "encode/step_costs.h"

static void add_device_work(tp_capture *capture, tp_gpu_kind kind, uint32_t device, int64_t begin,
                            int64_t end)
{
    const tp_gpu_event event = {
        .kind = kind, .name = "work", .device = device, .begin_ns = begin, .end_ns = end};
    assert_true(tp_capture_add_gpu(capture, &event));
}

static void waits_count_once_and_only_on_the_training_thread(void **state)
{
    tp_step_costs costs;
    (void)state;

    made_begin();
    made_range(TP_LOADER, "loader", 90, 130);  // begins before step 3
    made_range(TP_LOADER, "loader", 140, 150); // nested in the next but one
    made_range(TP_LOADER, "loader", 152, 158); // this one too
    made_range(TP_LOADER, "loader", 135, 160);
    made_step(3, 100, 200);
    made_range(TP_LOADER, "loader", 195, 260); // in both steps
    made_step(4, 200, 300);
    made_range(TP_LOADER, "loader", 320, 330); // in none
    made_thread(2);
    made_range(TP_LOADER, "loader", 100, 300); // a worker's
    tp_capture *capture = made_capture();

    assert_true(tp_step_costs_make(capture, &costs));
    assert_int_equal(costs.count, 2);
    assert_int_equal(costs.steps[0].number, 3);
    assert_int_equal(costs.steps[0].begin_ns, 100);
    assert_int_equal(costs.steps[1].end_ns, 300);
    assert_int_equal(costs.loader_ns[0], 30 + 25 + 5);
    assert_int_equal(costs.loader_ns[1], 60);
    assert_int_equal(costs.device_count, 0);
    tp_step_costs_free(&costs);
    tp_capture_release(capture);
}

static void devices_are_busy_with_kernels_and_copies_but_not_with_waits(void **state)
{
    tp_step_costs costs;
    (void)state;

    made_begin();
    made_step(0, 100, 200);
    made_step(1, 250, 300);
    tp_capture *capture = made_capture();
    add_device_work(capture, TP_GPU_KERNEL, 1, 90, 110);
    add_device_work(capture, TP_GPU_MEMCPY, 1, 105, 120); // overlaps the kernel
    add_device_work(capture, TP_GPU_KERNEL, 1, 190, 280); // from one step into the next
    add_device_work(capture, TP_GPU_SYNC, 1, 120, 190);
    add_device_work(capture, TP_GPU_ANNOTATION, 1, 100, 300);
    add_device_work(capture, TP_GPU_MEMSET, 0, 299, 400);

    assert_true(tp_step_costs_make(capture, &costs));
    assert_int_equal(costs.device_count, 2);
    assert_int_equal(costs.devices[0], 0);
    assert_int_equal(costs.devices[1], 1);
    assert_int_equal(costs.busy_ns[0], 0);
    assert_int_equal(costs.busy_ns[1], 1);
    assert_int_equal(costs.busy_ns[2], 20 + 10);
    assert_int_equal(costs.busy_ns[3], 30);
    tp_step_costs_free(&costs);
    tp_capture_release(capture);
}

static void a_window_without_steps_has_no_costs(void **state)
{
    tp_step_costs costs;
    (void)state;

    made_begin();
    made_range(TP_LOADER, "loader", 10, 20);
    tp_capture *capture = made_capture();
    add_device_work(capture, TP_GPU_KERNEL, 0, 10, 20);
    assert_true(tp_step_costs_make(capture, &costs));
    assert_int_equal(costs.count, 0);
    tp_step_costs_free(&costs);
    tp_capture_release(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_count_once_and_only_on_the_training_thread),
        cmocka_unit_test(devices_are_busy_with_kernels_and_copies_but_not_with_waits),
        cmocka_unit_test(a_window_without_steps_has_no_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
