// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "support/log_lines.h"
#include "support/operator_rows.h"

#include <stdio.h>

static void self_time_is_what_no_operator_range_or_call_inside_takes(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|outer|1|0|100|",
        "cpu_op|inner|1|10|30|",
        "cuda_runtime|cudaMalloc|1|15|5|",
        "user_annotation|range|1|50|20|",
        "cpu_op|inner|1|55|10|",
        "cuda_driver|cuMemAlloc|1|80|4|",
        "cpu_op|outer|2|0|100|",
        "cpu_op|inner|2:1|0|7|",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.by_name.count, 2);
    assert_host(o.by_name, "outer", 2, 100 - 30 - 20 - 4 + 100, 200);
    assert_host(o.by_name, "inner", 3, 25 + 10 + 7, 30 + 10 + 7);
    assert_false(o.has_device_work);
    log_close(&log);
}

static void python_frames_are_looked_through(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|outer|1|0|100|",
        "python_function|f.py(1): f|1|10|60|'Python id':1",
        "python_function|nn.Module: Net_0|1|15|50|'Python id':2,'Python module id':0",
        "cpu_op|inner|1|20|30|",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_host(o.by_name, "outer", 1, 70, 100);
    assert_int_equal(o.by_name.count, 2);
    log_close(&log);
}

// The plugin takes the launches of the inner one and loses those of the outer.
static void an_only_child_of_the_same_name_is_one_row_with_the_launches_of_both(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|aten::div|1|0|100|'Input Dims':[[2]]",
        "cuda_runtime|cudaLaunchKernel|1|5|5|'correlation':1",
        "cpu_op|aten::div|1|20|50|'Input Dims':[[3]]",
        "cuda_runtime|cudaLaunchKernel|1|30|5|'correlation':2",
        "cpu_op|aten::to|1|40|10|",
        "kernel|k|0:7|200|10|'device':0,'stream':7,'correlation':1",
        "kernel|k|0:7|210|20|'device':0,'stream':7,'correlation':2",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_host(o.by_name, "aten::div", 1, 100 - 5 - 5 - 10, 100);
    assert_device(o.by_name, "aten::div", 30, 30);
    assert_int_equal(o.by_shape.count, 2);
    assert_string_equal(find(o.by_shape, "aten::div")->input_shapes, "[[2]]");
    log_close(&log);
}

static void equal_names_stay_apart_where_the_inner_one_is_not_alone(void **state)
{
    (void)state;
    static const struct {
        const char *beside;
        int rows;
    } cases[] = {
        {"cpu_op|aten::to|1|80|10|",              2},
        {"cpu_op|aten::to|1|5|10|",               2},
        {"user_annotation|mark|1|80|10|",         2},
        {"cpu_op|aten::div|1|80|10|",             3},
        {"cuda_runtime|cudaLaunchKernel|1|80|1|", 1},
        {"cpu_op|aten::to|1|180|10|",             1},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *const lines[] = {"cpu_op|aten::div|1|0|100|", "cpu_op|aten::div|1|20|50|",
                                     cases[i].beside, NULL};
        log_lines log = {0};
        log_add_lines(&log, lines);
        const operators o = operators_analyze(&log.worker, log.arena);
        assert_int_equal(find(o.by_name, "aten::div")->calls, cases[i].rows);
        log_close(&log);
    }
}

static void device_time_goes_to_the_innermost_operator_and_all_around_it(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|aten::linear|1|0|100|",
        "user_annotation|mark|1|5|80|",
        "cpu_op|aten::mm|1|10|30|",
        "cuda_driver|cuLaunchKernel|1|15|5|'correlation':1",
        "cuda_runtime|cudaMemcpyAsync|1|50|5|'correlation':2",
        "cuda_runtime|cudaLaunchKernel|1|150|5|'correlation':3",
        "kernel|sm80_xmma_gemm_f16|0:7|200|30|'device':0,'stream':7,'correlation':1",
        "kernel|plain(float*)|0:8|200|10|'device':0,'stream':8,'correlation':1",
        "gpu_memcpy|Memcpy HtoD (Pinned -> Device)|0:7|240|8|'device':0,'stream':7,'correlation':2",
        "kernel|plain(float*)|0:7|250|5|'device':0,'stream':7,'correlation':3",
        "kernel|plain(float*)|0:7|260|4|'device':0,'stream':7,'correlation':99",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_true(o.has_device_work);
    assert_device(o.by_name, "aten::mm", 40, 40); // two streams at once count twice
    assert_device(o.by_name, "aten::linear", 8, 48);
    assert_int_equal(o.unlinked_ns, 4000);
    const operator_row *const mm = find(o.by_name, "aten::mm");
    const operator_row *const linear = find(o.by_name, "aten::linear");
    assert_float_equal(mm->tensor_core_self_share, 0.75, 1e-12);
    assert_float_equal(linear->tensor_core_self_share, 0, 1e-12);
    assert_float_equal(linear->tensor_core_total_share, 30.0 / 48, 1e-12);
    assert_int_equal(linear->tensor_core_eligible, TRISTATE_TRUE);
    assert_string_equal(o.by_name.at[0].name, "aten::mm");
    log_close(&log);
}

static void marks_that_torch_makes_are_no_operators(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Operator|ProfilerStep#1|1|0|100|",
        "Operator|enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__|1|0|20|",
        "Operator|Optimizer.step#SGD.step|1|30|20|",
        "Operator|aten::add_|1|35|10|",
        "Runtime|cudaLaunchKernel|1|46|1|'correlation':1",
        "Operator|DataParallel.forward|1|60|5|",
        "Operator|DistributedDataParallel.forward|1|70|5|",
        "Kernel|k|0:7|60|3|'device':0,'stream':7,'correlation':1",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.by_name.count, 1);
    assert_host(o.by_name, "aten::add_", 1, 10, 10);
    assert_device(o.by_name, "aten::add_", 0, 0);
    log_close(&log);
}

// The second span names its strings in another order, so that equal names have other ids.
static void spans_of_a_worker_are_summed_by_text(void **state)
{
    (void)state;
    static const char *const first[] = {
        "cpu_op|aten::mm|1|0|10|'Input Dims':[[2, 3], []]",
        "cpu_op|aten::add|1|20|5|'Call stack':'a.py(1): f;b.py(2): g'",
        NULL,
    };
    static const char *const second[] = {
        "cpu_op|aten::add|1|20|6|'Call stack':'a.py(1): f;b.py(2): g'",
        "cpu_op|aten::mm|1|30|11|'Input Dims':[[2,3],[]]",
        "cpu_op|aten::mm|1|50|12|'Input Dims':[[4, 3], []],'Call stack':''",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, first);
    log_add_lines(&log, second);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.by_name.count, 2);
    assert_host(o.by_name, "aten::mm", 3, 33, 33);
    assert_host(o.by_name, "aten::add", 2, 11, 11);
    assert_int_equal(o.by_shape.count, 3);
    assert_string_equal(o.by_shape.at[0].input_shapes, "[[2, 3], []]");
    assert_int_equal(o.by_shape.at[0].calls, 2);
    assert_null(o.by_shape.at[0].call_stack);
    assert_int_equal(o.by_stack.count, 1);
    assert_string_equal(o.by_stack.at[0].call_stack, "a.py(1): f;b.py(2): g");
    assert_int_equal(o.by_stack.at[0].calls, 2);
    log_close(&log);
}

static void equal_times_stand_in_order_of_name_then_shape(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|b|1|0|10|'Input Dims':[[2]]",
        "cpu_op|c|1|20|10|",
        "cpu_op|a|1|40|10|'Input Dims':[[9]]",
        "cpu_op|b|1|60|10|'Input Dims':[[1]]",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    const char *const expected[][2] = {
        {"a", "[[9]]"},
        {"b", "[[1]]"},
        {"b", "[[2]]"},
        {"c", "[]"   }
    };
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_string_equal(o.by_shape.at[i].name, expected[i][0]);
        assert_string_equal(o.by_shape.at[i].input_shapes, expected[i][1]);
    }
    assert_string_equal(o.by_name.at[0].name, "b");
    log_close(&log);
}

static void operators_that_overlap_without_nesting_lose_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|first|1|0|60|",
        "cpu_op|second|1|50|50|",
        "cuda_runtime|cudaLaunchKernel|1|90|5|'correlation':1",
        "kernel|k|0:7|200|10|'device':0,'stream':7,'correlation':1",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(find(o.by_name, "second")->calls, 1);
    assert_device(o.by_name, "second", 10, 10);
    for (uint32_t i = 0; i < o.by_name.count; i++)
        assert_true(o.by_name.at[i].host_self_ns >= 0);
    log_close(&log);
}

static void deep_nesting_is_walked_in_linear_time(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char nested[DEPTH][64];
    static const char *lines[2 * DEPTH + 2];
    static char launches[DEPTH][96];

    for (int i = 0; i < DEPTH; i++) {
        snprintf(nested[i], sizeof(nested[i]), "cpu_op|op%d|1|%d|%d|", i % 3, i, 2 * DEPTH - 2 * i);
        snprintf(launches[i], sizeof(launches[i]),
                 "kernel|k|0:7|%d|1|'device':0,'stream':7,'correlation':1", 3 * DEPTH + i);
        lines[i] = nested[i];
        lines[DEPTH + i] = launches[i];
    }
    lines[2 * DEPTH] = "cuda_runtime|cudaGraphLaunch|1|100000|0|'correlation':1";
    log_lines log = {0};
    log_add_lines(&log, lines);
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.by_name.count, 3);
    assert_int_equal(o.graph_replay_ns, (int64_t)DEPTH * 1000);
    int64_t self = 0, total = 0;
    for (uint32_t i = 0; i < o.by_name.count; i++) {
        self += o.by_name.at[i].device_self_ns;
        total += o.by_name.at[i].device_total_ns;
    }
    assert_int_equal(self, (int64_t)DEPTH * 1000);
    assert_int_equal(total, (int64_t)DEPTH * DEPTH * 1000);
    log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_time_is_what_no_operator_range_or_call_inside_takes),
        cmocka_unit_test(python_frames_are_looked_through),
        cmocka_unit_test(an_only_child_of_the_same_name_is_one_row_with_the_launches_of_both),
        cmocka_unit_test(equal_names_stay_apart_where_the_inner_one_is_not_alone),
        cmocka_unit_test(device_time_goes_to_the_innermost_operator_and_all_around_it),
        cmocka_unit_test(marks_that_torch_makes_are_no_operators),
        cmocka_unit_test(spans_of_a_worker_are_summed_by_text),
        cmocka_unit_test(equal_times_stand_in_order_of_name_then_shape),
        cmocka_unit_test(operators_that_overlap_without_nesting_lose_nothing),
        cmocka_unit_test(deep_nesting_is_walked_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
