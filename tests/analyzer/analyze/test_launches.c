// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/launches.h"
#include "support/log_lines.h"

static void assert_row(const launch_row *row, const char *name, const int64_t *expected)
{
    assert_string_equal(row->name, name);
    assert_int_equal(row->calls, expected[0]);
    assert_int_equal(row->host_mean_ns, expected[1]);
    assert_int_equal(row->delay_mean_ns, expected[2]);
    assert_int_equal(row->delay_median_ns, expected[3]);
    assert_int_equal(row->delay_p95_ns, expected[4]);
    assert_int_equal(row->short_kernels, expected[5]);
}

static void rows_tell_delay_and_short_kernels_of_each_call(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cuda_runtime|cudaLaunchKernel|1|0|5|'correlation':1",
        "cuda_runtime|cudaLaunchKernel|1|10|7|'correlation':2",
        "cuda_runtime|cudaLaunchKernel|1|20|9|'correlation':3",
        "cuda_runtime|cudaLaunchKernel|1|30|9|'correlation':4",
        "cuda_runtime|cudaMemcpyAsync|1|40|3|'correlation':5",
        "cuda_runtime|cudaStreamSynchronize|1|50|9|'correlation':6",
        "cuda_driver|cuLaunchKernel|2|60|2|'correlation':7",
        "kernel|k|0:7|10|5|'device':0,'stream':7,'correlation':1",
        "kernel|k|0:7|30|6|'device':0,'stream':7,'correlation':2",
        "kernel|k|0:7|50|40|'device':0,'stream':7,'correlation':3",
        "gpu_memcpy|Memcpy HtoD (Pinned -> Device)|0:8|50|1|'device':0,'stream':8,'correlation':5",
        "kernel|k|0:7|90.001|1|'device':0,'stream':7,'correlation':7",
        "kernel|unlinked|0:7|100|1|'device':0,'stream':7",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const launches l = launches_analyze(&log.worker, log.arena);

    assert_int_equal(l.count, 3);
    assert_row(&l.at[0], "cudaLaunchKernel", (int64_t[]){3, 7000, 20000, 20000, 30000, 1});
    assert_row(&l.at[1], "cuLaunchKernel", (int64_t[]){1, 2000, 30001, 30001, 30001, 1});
    assert_row(&l.at[2], "cudaMemcpyAsync", (int64_t[]){1, 3000, 10000, 10000, 10000, 0});
    assert_int_equal(l.negative_delays, 0);
    log_close(&log);
}

static void delays_are_not_clamped_but_negative_ones_are_counted(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cuda_runtime|cudaLaunchKernel|1|10|5|'correlation':1",
        "cuda_runtime|cudaLaunchKernel|1|20|5|'correlation':2",
        "kernel|k|0:7|7|5|'device':0,'stream':7,'correlation':1",
        "kernel|k|0:7|31|5|'device':0,'stream':7,'correlation':2",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const launches l = launches_analyze(&log.worker, log.arena);

    assert_int_equal(l.negative_delays, 1);
    assert_row(&l.at[0], "cudaLaunchKernel", (int64_t[]){2, 5000, 4000, 4000, 11000, 0});
    log_close(&log);
}

static void spans_of_a_worker_are_summed_by_text(void **state)
{
    (void)state;
    static const char *const first[] = {
        "cuda_runtime|cudaLaunchKernel|1|0|5|'correlation':1",
        "kernel|k|0:7|10|9|'device':0,'stream':7,'correlation':1",
        NULL,
    };
    static const char *const second[] = {
        "kernel|k|0:7|30|9|'device':0,'stream':7,'correlation':1",
        "cuda_runtime|cudaLaunchKernel|1|0|8|'correlation':1",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, first);
    log_add_lines(&log, second);
    const launches l = launches_analyze(&log.worker, log.arena);

    assert_int_equal(l.count, 1);
    assert_row(&l.at[0], "cudaLaunchKernel", (int64_t[]){2, 6500, 20000, 20000, 30000, 0});
    log_close(&log);
}

static void a_graph_launch_is_one_call(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "21-cuda-graph-replay/graph_1.1750000000001.pt.trace.json");
    const launches l = launches_analyze(&log.worker, log.arena);

    assert_int_equal(l.count, 2);
    assert_row(&l.at[0], "cudaGraphLaunch", (int64_t[]){1, 30000, 50000, 50000, 50000, 2});
    assert_row(&l.at[1], "cudaLaunchKernel", (int64_t[]){1, 3000, 28000, 28000, 28000, 0});
    log_close(&log);
}

static void driver_and_runtime_launches_have_their_delays(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "23-driver-launch-triton/triton_1.1750000000001.pt.trace.json");
    const launches l = launches_analyze(&log.worker, log.arena);

    int64_t sum = 0;
    assert_int_equal(l.count, 3);
    for (uint32_t i = 0; i < l.count; i++)
        sum += l.at[i].delay_median_ns;
    assert_int_equal(sum, 70000 + 40000 + 30000);
    log_close(&log);
}

static void logs_without_launches_have_no_rows(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "34-gpu-only/gpuonly_1.1750000000001.pt.trace.json");
    assert_int_equal(launches_analyze(&log.worker, log.arena).count, 0);
    log_close(&log);
}

static void a_log_without_steps_has_its_launches(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "33-no-steps-no-rank/infer_1.1750000000001.pt.trace.json");
    const launches l = launches_analyze(&log.worker, log.arena);

    assert_int_equal(l.count, 2);
    assert_row(&l.at[0], "cuLaunchKernelEx", (int64_t[]){1, 5000, 80000, 80000, 80000, 0});
    assert_row(&l.at[1], "cudaLaunchKernel", (int64_t[]){1, 5000, 90000, 90000, 90000, 0});
    log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_tell_delay_and_short_kernels_of_each_call),
        cmocka_unit_test(delays_are_not_clamped_but_negative_ones_are_counted),
        cmocka_unit_test(spans_of_a_worker_are_summed_by_text),
        cmocka_unit_test(a_graph_launch_is_one_call),
        cmocka_unit_test(driver_and_runtime_launches_have_their_delays),
        cmocka_unit_test(logs_without_launches_have_no_rows),
        cmocka_unit_test(a_log_without_steps_has_its_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
