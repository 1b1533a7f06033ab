// SPDX-License-Identifier: BSD-3-Clause
// Grouping of events: what counts where, worked out by hand.
#include "support/cmocka_all.h"
#include "support/made_capture.h"

#include "encode/encode_averages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tprof_averages *averages_of(tp_capture *capture, tprof_averages_options options)
{
    tprof_averages *averages;
    assert_int_equal(tp_averages_make(capture, &options, &averages), TPROF_OK);
    tp_capture_release(capture);
    return averages;
}

static tprof_averages *plain_averages(tp_capture *capture)
{
    return averages_of(capture, (tprof_averages_options){0});
}

// The only row of that name on the host, or on the device.
static const tprof_average *row(const tprof_averages *averages, const char *name, bool is_device)
{
    const tprof_average *found = NULL;
    for (size_t i = 0; i < tprof_averages_count(averages); i++) {
        const tprof_average *r = tprof_averages_row(averages, i);
        if (strcmp(r->name, name) == 0 && r->is_device == is_device) {
            assert_null(found);
            found = r;
        }
    }
    assert_non_null(found);
    return found;
}

static void self_time_is_what_children_on_the_thread_leave(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "leaf", 20, 30);
    made_range(TP_RANGE, "inner", 10, 40);
    made_range(TP_RANGE, "leaf", 60, 65);
    made_range(TP_RANGE, "outer", 0, 100);
    made_thread(2);
    made_range(TP_RANGE, "leaf", 50, 90); // inside "outer" in time, but on its own thread
    tprof_averages *a = plain_averages(made_capture());

    assert_int_equal(row(a, "outer", false)->cpu_total_ns, 100);
    assert_int_equal(row(a, "outer", false)->self_cpu_total_ns, 100 - 30 - 5);
    assert_int_equal(row(a, "inner", false)->self_cpu_total_ns, 20);
    assert_int_equal(row(a, "leaf", false)->count, 3);
    assert_int_equal(row(a, "leaf", false)->cpu_total_ns, 10 + 5 + 40);
    assert_true(fabs(row(a, "inner", false)->cpu_share - 30.0 / 140) < 1e-12);
    assert_true(fabs(row(a, "outer", false)->self_cpu_share - 65.0 / 140) < 1e-12);
    assert_true(isnan(row(a, "outer", false)->self_device_share));
    tprof_averages_free(a);
}

static void rows_come_in_order_of_their_first_event(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "c", 20, 30);
    made_range(TP_RANGE, "b", 10, 40);
    made_range(TP_RANGE, "a", 10, 50);
    tprof_averages *a = plain_averages(made_capture());
    assert_string_equal(tprof_averages_row(a, 0)->name, "a");
    assert_string_equal(tprof_averages_row(a, 1)->name, "b");
    assert_string_equal(tprof_averages_row(a, 2)->name, "c");
    assert_null(tprof_averages_row(a, 3));
    tprof_averages_free(a);
}

static void of_equal_ranges_the_one_that_ended_last_is_outside(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "inside", 10, 40);
    made_range(TP_RANGE, "outside", 10, 40);
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(row(a, "outside", false)->self_cpu_total_ns, 0);
    assert_int_equal(row(a, "inside", false)->self_cpu_total_ns, 30);
    tprof_averages_free(a);
}

static void what_sticks_out_of_a_range_is_not_in_it(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "first", 0, 50);
    made_range(TP_RANGE, "third", 45, 48); // after "second" began, so "first" is closed for it
    made_range(TP_RANGE, "second", 40, 60);
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(row(a, "first", false)->self_cpu_total_ns, 50);
    assert_int_equal(row(a, "second", false)->self_cpu_total_ns, 20 - 3);
    tprof_averages_free(a);
}

static void an_only_child_of_the_same_name_is_its_parent(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "leaf", 20, 30);
    made_range(TP_RANGE, "div", 15, 35);
    made_range(TP_RANGE, "div", 10, 40);
    made_range(TP_RANGE, "div", 0, 50); // a chain of three is one
    made_range(TP_RANGE, "mul", 110, 120);
    made_range(TP_RANGE, "leaf", 120, 130);
    made_range(TP_RANGE, "mul", 100, 150); // has another child, so its "mul" counts
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(row(a, "div", false)->count, 1);
    assert_int_equal(row(a, "div", false)->cpu_total_ns, 50);
    assert_int_equal(row(a, "div", false)->self_cpu_total_ns, 40);
    assert_int_equal(row(a, "mul", false)->count, 2);
    tprof_averages_free(a);
}

static void steps_are_one_row_and_what_is_no_work_none(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "work", 10, 20);
    made_range(TP_MODULE, "Linear_0", 5, 25);
    made_range(TP_INSTANT, "moment", 30, 0);
    made_range(TP_OPERATOR, "aten::is_leaf", 12, 15); // no work: left out
    made_step(3, 0, 100);
    made_step(4, 100, 300);
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(tprof_averages_count(a), 2);
    const tprof_average *steps = row(a, "ProfilerStep*", false);
    assert_int_equal(steps->count, 2);
    assert_true(steps->is_annotation);
    assert_int_equal(steps->self_cpu_total_ns, 300 - 10);
    tprof_averages_free(a);
}

static void an_annotation_and_an_operator_of_one_name_are_two_rows(void **state)
{
    (void)state;
    made_begin();
    made_range(TP_RANGE, "x", 0, 10);
    made_range(TP_ANNOTATION, "x", 20, 50);
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(tprof_averages_count(a), 2);
    assert_false(tprof_averages_row(a, 0)->is_annotation);
    assert_true(tprof_averages_row(a, 1)->is_annotation);
    tprof_averages_free(a);
}

static void memory_goes_to_all_ranges_that_hold_the_moment(void **state)
{
    (void)state;
    made_begin();
    made_memory(TPROF_DEVICE_CPU, 25, 1000);
    made_memory(TPROF_DEVICE_CUDA, 25, 64);
    made_range(TP_RANGE, "leaf", 20, 30);
    made_memory(TPROF_DEVICE_CPU, 40, -300); // at the end of "inner", which counts as inside
    made_range(TP_RANGE, "inner", 10, 40);
    made_memory(TPROF_DEVICE_CPU, 41, 7);
    made_range(TP_RANGE, "outer", 0, 100);
    made_memory(TPROF_DEVICE_CPU, 101, 5); // in no range
    made_memory(TPROF_DEVICE_CUDA, 102, -6);
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(row(a, "leaf", false)->cpu_memory_bytes, 1000);
    assert_int_equal(row(a, "leaf", false)->device_memory_bytes, 64);
    assert_int_equal(row(a, "inner", false)->cpu_memory_bytes, 700);
    assert_int_equal(row(a, "inner", false)->self_cpu_memory_bytes, -300);
    assert_int_equal(row(a, "outer", false)->cpu_memory_bytes, 707);
    assert_int_equal(row(a, "outer", false)->self_cpu_memory_bytes, 7);
    assert_int_equal(row(a, "outer", false)->self_device_memory_bytes, 0);
    assert_int_equal(row(a, "[memory]", false)->count, 2);
    assert_int_equal(row(a, "[memory]", false)->cpu_memory_bytes, 5);
    assert_int_equal(row(a, "[memory]", false)->device_memory_bytes, -6);
    tprof_averages_free(a);
}

static void add_gpu(tp_capture *capture, tp_gpu_kind kind, const char *name, uint32_t op_id,
                    int64_t begin_ns, int64_t end_ns)
{
    tp_gpu_event event = {
        .kind = kind, .name = name, .begin_ns = begin_ns, .end_ns = end_ns, .op_id = op_id};
    if (kind == TP_GPU_RUNTIME)
        event.call.tid = 99; // a thread that recorded nothing
    assert_true(tp_capture_add_gpu(capture, &event));
}

static void device_work_counts_where_it_was_launched(void **state)
{
    const tprof_op mm = {.name = "mm"}, linear = {.name = "linear"};
    (void)state;

    made_begin();
    made_operator(&mm, 71, 10, 40);
    made_operator(&linear, 72, 0, 100);
    tp_capture *capture = made_capture();
    add_gpu(capture, TP_GPU_KERNEL, "gemm", 71, 200, 260);
    add_gpu(capture, TP_GPU_MEMCPY, "copy", 72, 260, 263);
    add_gpu(capture, TP_GPU_KERNEL, "stray", 0, 300, 301);
    add_gpu(capture, TP_GPU_RUNTIME, "cudaLaunchKernel", 71, 20, 25);
    add_gpu(capture, TP_GPU_SYNC, "Stream Sync", 72, 270, 290);
    add_gpu(capture, TP_GPU_ANNOTATION, "ProfilerStep#1", 72, 199, 264);
    add_gpu(capture, TP_GPU_OVERHEAD, "Buffer Flush", 0, 400, 450);
    tprof_averages *a = plain_averages(capture);

    assert_int_equal(row(a, "mm", false)->device_total_ns, 60);
    assert_int_equal(row(a, "mm", false)->self_device_total_ns, 60);
    assert_int_equal(row(a, "mm", false)->self_cpu_total_ns, 30 - 5);
    assert_int_equal(row(a, "linear", false)->device_total_ns, 63);
    assert_int_equal(row(a, "linear", false)->self_device_total_ns, 3);
    assert_int_equal(row(a, "cudaLaunchKernel", false)->self_cpu_total_ns, 5);
    assert_int_equal(row(a, "gemm", true)->cpu_total_ns, 0);
    assert_int_equal(row(a, "gemm", true)->self_device_total_ns, 60);
    assert_int_equal(row(a, "ProfilerStep*", true)->self_device_total_ns, 65);
    assert_int_equal(row(a, "Buffer Flush", false)->self_cpu_total_ns, 50);
    // Of 60 + 3 + 1: the annotation is not work, and the wait has no row.
    assert_true(fabs(row(a, "linear", false)->self_device_share - 3.0 / 64) < 1e-12);
    assert_int_equal(tprof_averages_count(a), 8);
    tprof_averages_free(a);
}

static void groups_by_shape_print_lists_as_torch_does(void **state)
{
    const int64_t image[] = {8, 3, 96, 96}, weight[] = {24};
    const tprof_input items[] = {
        {.sizes = weight, .dimensions = 1},
        {.sizes = weight, .dimensions = 1}
    };
    const tprof_input inputs[] = {
        {.type = "float",  .sizes = image,  .dimensions = 4},
        {.type = "TensorList",                .items = items,            .item_count = 2},
        {.type = "float", .sizes = weight,     .dimensions = 1},
        {.type = "Scalar", .value = "1"},
    };
    const tprof_op with_all = {.name = "op", .inputs = inputs, .input_count = 4, .flops = 100};
    const tprof_op with_one = {.name = "op", .inputs = inputs, .input_count = 1, .flops = 10};
    const tprof_averages_options by_shape = {.group_by_input_shape = true};
    (void)state;

    made_begin();
    made_operator(&with_all, 0, 0, 10);
    made_operator(&with_one, 0, 20, 25);
    made_operator(&with_all, 0, 30, 40);
    made_range(TP_RANGE, "plain", 50, 60);
    tprof_averages *a = averages_of(made_capture(), by_shape);
    assert_int_equal(tprof_averages_count(a), 3);
    const tprof_average *all = tprof_averages_row(a, 0);
    assert_string_equal(all->input_shapes, "[[8, 3, 96, 96], [], [24], []]");
    assert_int_equal(all->count, 2);
    assert_int_equal(all->flops, 200);
    assert_string_equal(tprof_averages_row(a, 1)->input_shapes, "[[8, 3, 96, 96]]");
    assert_string_equal(row(a, "plain", false)->input_shapes, "[]");
    tprof_averages_free(a);
}

static void groups_by_stack_take_the_first_frames(void **state)
{
    const tprof_op one = {.name = "op", .stack = "f.c(1): f;main.c(2): main;start"};
    const tprof_op two = {.name = "op", .stack = "f.c(1): f;main.c(9): main;start"};
    static const struct {
        int32_t frames;
        size_t rows;
        const char *first;
    } cases[] = {
        {0,              1, ""                               },
        {1,              1, "f.c(1): f"                      },
        {2,              2, "f.c(1): f;main.c(2): main"      },
        {9,              2, "f.c(1): f;main.c(2): main;start"},
        {TP_WHOLE_STACK, 2, "f.c(1): f;main.c(2): main;start"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const tprof_averages_options options = {.group_by_stack_n = cases[i].frames};
        made_begin();
        made_operator(&one, 0, 0, 10);
        made_operator(&two, 0, 20, 30);
        tprof_averages *a = averages_of(made_capture(), options);
        assert_int_equal(tprof_averages_count(a), cases[i].rows);
        assert_string_equal(tprof_averages_row(a, 0)->stack, cases[i].first);
        tprof_averages_free(a);
    }
}

static void backward_operators_have_the_stack_of_their_forward(void **state)
{
    const tprof_op forward = {.name = "mm", .sequence = 5, .stack = "net.c(3): forward"};
    const tprof_op nested = {.name = "kernel", .stack = "engine.c(8): run"};
    const tprof_op backward = {.name = "MmBackward",
                               .sequence = 5,
                               .backward = true,
                               .forward_thread = 1,
                               .stack = "engine.c(7): run"};
    const tprof_op orphan = {.name = "Orphan",
                             .sequence = 6,
                             .backward = true,
                             .forward_thread = 1,
                             .stack = "engine.c(7): run"};
    const tprof_averages_options options = {.group_by_stack_n = 1};
    (void)state;

    made_begin();
    made_operator(&forward, 0, 0, 10);
    made_thread(2);
    made_operator(&nested, 0, 30, 40);
    made_operator(&backward, 0, 20, 50);
    made_operator(&orphan, 0, 60, 70);
    tprof_averages *a = averages_of(made_capture(), options);
    assert_string_equal(row(a, "mm", false)->stack, "net.c(3): forward");
    assert_string_equal(row(a, "MmBackward", false)->stack, "net.c(3): forward");
    assert_string_equal(row(a, "kernel", false)->stack, "net.c(3): forward");
    assert_string_equal(row(a, "Orphan", false)->stack, "");
    tprof_averages_free(a);
}

static void many_groups_keep_their_order_and_counts(void **state)
{
    enum { GROUPS = 5000 };
    static char names[GROUPS][16];
    (void)state;

    made_begin();
    for (int i = 0; i < 3 * GROUPS; i++) {
        snprintf(names[i % GROUPS], sizeof(names[0]), "name %d", i % GROUPS);
        made_range(TP_RANGE, names[i % GROUPS], 10 * i, 10 * i + 5);
    }
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(tprof_averages_count(a), GROUPS);
    for (size_t i = 0; i < GROUPS; i++) {
        assert_string_equal(tprof_averages_row(a, i)->name, names[i]);
        assert_int_equal(tprof_averages_row(a, i)->count, 3);
    }
    tprof_averages_free(a);
}

static void nothing_recorded_gives_no_rows(void **state)
{
    (void)state;
    made_begin();
    tprof_averages *a = plain_averages(made_capture());
    assert_int_equal(tprof_averages_count(a), 0);
    tprof_averages_free(a);
    tprof_averages_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_time_is_what_children_on_the_thread_leave),
        cmocka_unit_test(rows_come_in_order_of_their_first_event),
        cmocka_unit_test(of_equal_ranges_the_one_that_ended_last_is_outside),
        cmocka_unit_test(what_sticks_out_of_a_range_is_not_in_it),
        cmocka_unit_test(an_only_child_of_the_same_name_is_its_parent),
        cmocka_unit_test(steps_are_one_row_and_what_is_no_work_none),
        cmocka_unit_test(an_annotation_and_an_operator_of_one_name_are_two_rows),
        cmocka_unit_test(memory_goes_to_all_ranges_that_hold_the_moment),
        cmocka_unit_test(device_work_counts_where_it_was_launched),
        cmocka_unit_test(groups_by_shape_print_lists_as_torch_does),
        cmocka_unit_test(groups_by_stack_take_the_first_frames),
        cmocka_unit_test(backward_operators_have_the_stack_of_their_forward),
        cmocka_unit_test(many_groups_keep_their_order_and_counts),
        cmocka_unit_test(nothing_recorded_gives_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
