// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/kernels.h"
#include "support/log_lines.h"

#include <math.h>

static const kernel_row *find(kernel_table table, const char *name)
{
    for (uint32_t i = 0; i < table.count; i++)
        if (strcmp(table.at[i].name, name) == 0)
            return &table.at[i];
    fail_msg("no row %s", name);
    return NULL;
}

#define SHAPE "'device':0,'stream':7,'grid':[10,1,1],'block':[256,1,1],"

static void rows_hold_count_total_mean_extremes_and_means_weighted_by_duration(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "kernel|k|0:7|0|1|" SHAPE "'blocks per SM':1,'est. achieved occupancy %':50",
        "kernel|k|0:7|10|3|" SHAPE "'blocks per SM':5,'est. achieved occupancy %':90",
        "kernel|k|0:7|20|8|" SHAPE "'est. achieved occupancy %':-1",
        "kernel|k|0:7|30|4|" SHAPE "'blocks per SM':2",
        "kernel|bare|0:7|40|20|'device':0,'stream':7",
        "gpu_memcpy|Memcpy HtoD (Pinned -> Device)|0:7|60|50|'device':0,'stream':7",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(k.by_name.count, 2);
    assert_string_equal(k.by_name.at[0].name, "bare");
    const kernel_row *const row = find(k.by_name, "k");
    assert_int_equal(row->calls, 4);
    assert_int_equal(row->total_ns, 16000);
    assert_int_equal(row->raw_total_ns, 16000);
    assert_int_equal(row->mean_ns, 4000);
    assert_int_equal(row->min_ns, 1000);
    assert_int_equal(row->max_ns, 8000);
    assert_float_equal(row->blocks_per_sm, 3, 1e-12);
    assert_float_equal(row->occupancy, 0.8, 1e-12);
    assert_int_equal(row->launch_delay_mean_ns, INT_NONE);
    assert_null(row->operator_name);
    assert_true(isnan(find(k.by_name, "bare")->occupancy));
    assert_true(isnan(find(k.by_name, "bare")->blocks_per_sm));
    log_close(&log);
}

// Which two events differ decides which rows there are.
static void launch_shapes_and_operators_make_rows_of_their_own(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "cpu_op|aten::a|1|0|10|",
        "cuda_runtime|cudaLaunchKernel|1|1|1|'correlation':1",
        "cuda_runtime|cudaLaunchKernel|1|3|1|'correlation':2",
        "user_annotation|mark|1|20|10|",
        "cuda_runtime|cudaLaunchKernel|1|21|1|'correlation':3",
        "kernel|k|0:7|100|5|" SHAPE "'registers per thread':32,'shared memory':0,'correlation':1",
        "kernel|k|0:7|110|5|" SHAPE "'registers per thread':32,'shared memory':0,'correlation':2",
        "kernel|k|0:7|120|5|" SHAPE "'registers per thread':32,'shared memory':0,'correlation':3",
        "kernel|k|0:7|130|5|" SHAPE "'registers per thread':33,'shared memory':0",
        "kernel|k|0:7|140|4|" SHAPE "'registers per thread':32,'shared memory':64",
        "kernel|k|0:7|150|3|'device':0,'stream':7,'grid':[11,1,1],'block':[256,1,1]",
        "kernel|k|0:7|160|2|'device':0,'stream':7",
        NULL,
    };
    static const struct {
        const char *operator_name, *grid;
        int64_t calls, total_us, registers, shared;
    } expected[] = {
        {"aten::a", "[10, 1, 1]", 2, 10, 32,       0       },
        {NULL,      "[10, 1, 1]", 1, 5,  33,       0       },
        {"mark",    "[10, 1, 1]", 1, 5,  32,       0       },
        {NULL,      "[10, 1, 1]", 1, 4,  32,       64      },
        {NULL,      "[11, 1, 1]", 1, 3,  INT_NONE, INT_NONE},
        {NULL,      NULL,         1, 2,  INT_NONE, INT_NONE},
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(k.by_name.count, 1);
    assert_int_equal(k.by_operator.count, ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const kernel_row *const row = &k.by_operator.at[i];
        if (expected[i].operator_name)
            assert_string_equal(row->operator_name, expected[i].operator_name);
        else
            assert_null(row->operator_name);
        if (expected[i].grid)
            assert_string_equal(row->grid, expected[i].grid);
        else
            assert_null(row->grid);
        assert_int_equal(row->calls, expected[i].calls);
        assert_int_equal(row->total_ns, expected[i].total_us * 1000);
        assert_int_equal(row->registers, expected[i].registers);
        assert_int_equal(row->shared_memory_bytes, expected[i].shared);
    }
    log_close(&log);
}

static void tensor_cores_are_yes_no_or_unknown(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "kernel|sm80_xmma_gemm_f16f16|0:7|0|1|'device':0,'stream':7",
        "kernel|ampere_sgemm_128x64_nn|0:7|2|1|'device':0,'stream':7",
        "kernel|triton_poi_fused_add_0|0:7|4|1|'device':0,'stream':7",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(find(k.by_name, "sm80_xmma_gemm_f16f16")->tensor_cores, TRISTATE_TRUE);
    assert_int_equal(find(k.by_name, "ampere_sgemm_128x64_nn")->tensor_cores, TRISTATE_FALSE);
    assert_int_equal(find(k.by_name, "triton_poi_fused_add_0")->tensor_cores, TRISTATE_UNKNOWN);
    log_close(&log);
}

static void spans_of_a_worker_are_summed_by_text(void **state)
{
    (void)state;
    static const char *const first[] = {
        "kernel|a|0:7|0|1|" SHAPE "'est. achieved occupancy %':20",
        "kernel|b|0:7|2|2|" SHAPE,
        NULL,
    };
    static const char *const second[] = {
        "kernel|b|0:7|0|6|" SHAPE,
        "kernel|a|0:7|8|3|" SHAPE "'est. achieved occupancy %':60",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, first);
    log_add_lines(&log, second);
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(k.by_name.count, 2);
    assert_int_equal(k.by_operator.count, 2);
    assert_int_equal(k.by_operator.at[1].total_ns, 4000);
    assert_float_equal(k.by_operator.at[1].occupancy, 0.5, 1e-12);
    assert_int_equal(find(k.by_name, "b")->min_ns, 2000);
    assert_int_equal(find(k.by_name, "b")->max_ns, 6000);
    log_close(&log);
}

static void a_graph_launch_delays_its_first_node_only(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "21-cuda-graph-replay/graph_1.1750000000001.pt.trace.json");
    const kernels k = kernels_analyze(&log.worker, log.arena);

    static const struct {
        const char *name;
        int64_t calls, total_us, delay_us;
    } expected[] = {
        {"attn_fwd", 3, 150, 50},
        {"gemm_qkv", 1, 30,  -1},
        {"gemm_out", 1, 25,  -1},
        {"index_k",  1, 10,  28},
        {"silu",     1, 5,   -1},
    };
    assert_int_equal(k.by_name.count, ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const kernel_row *const row = &k.by_name.at[i];
        assert_string_equal(row->name, expected[i].name);
        assert_int_equal(row->calls, expected[i].calls);
        assert_int_equal(row->total_ns, expected[i].total_us * 1000);
        assert_int_equal(row->launch_delay_mean_ns,
                         expected[i].delay_us < 0 ? INT_NONE : expected[i].delay_us * 1000);
    }
    assert_string_equal(find(k.by_operator, "silu")->operator_name, "decode_step");
    log_close(&log);
}

static void triton_kernels_belong_to_what_launched_them(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "23-driver-launch-triton/triton_1.1750000000001.pt.trace.json");
    const kernels k = kernels_analyze(&log.worker, log.arena);

    int64_t total = 0, in_range = 0, in_triton = 0;
    for (uint32_t i = 0; i < k.by_operator.count; i++) {
        const kernel_row *const row = &k.by_operator.at[i];
        assert_non_null(row->operator_name);
        total += row->total_ns;
        if (strncmp(row->operator_name, "## Call CompiledFxGraph", 23) == 0)
            in_range += row->total_ns;
        if (strcmp(row->operator_name, "triton_poi_fused_add_cos_sin_0") == 0)
            in_triton += row->total_ns;
    }
    assert_int_equal(total, 100000);
    assert_int_equal(in_range, 80000);
    assert_int_equal(in_triton, 20000);
    log_close(&log);
}

static void one_name_in_two_spellings_is_one_row(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "04-unicode-same-name/uni_1.1750000000001.pt.trace.json");
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(k.by_name.count, 3);
    assert_string_equal(k.by_name.at[0].name, "\xe5\x89\x8d\xe5\x90\x91_kernel");
    assert_int_equal(k.by_name.at[0].calls, 2);
    assert_int_equal(k.by_name.at[0].total_ns, 50000);
    assert_string_equal(k.by_name.at[1].name, "lone_\xef\xbf\xbd_k");
    assert_string_equal(k.by_name.at[2].name, "emoji_\xf0\x9f\x9a\x80_k");
    log_close(&log);
}

static void kernels_of_no_duration_count_and_divide_nothing_by_zero(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "11-zero-duration/zero_1.1750000000001.pt.trace.json");
    const kernels k = kernels_analyze(&log.worker, log.arena);

    assert_int_equal(find(k.by_name, "tiny")->calls, 1);
    assert_int_equal(find(k.by_name, "tiny")->mean_ns, 0);
    assert_int_equal(find(k.by_name, "real")->mean_ns, 10000);
    assert_float_equal(find(k.by_name, "tiny")->occupancy, 0, 0);
    log_close(&log);
}

static void nanoseconds_survive_stamps_that_no_double_holds(void **state)
{
    (void)state;
    static const char *const files[] = {
        "14-ns-precision/abs_1.1712195495519.pt.trace.json",
        "14-ns-precision/rel_2.1712195495519.pt.trace.json",
    };
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        log_lines log = {0};
        log_add_case(&log, files[i]);
        const kernels k = kernels_analyze(&log.worker, log.arena);
        const kernel_row *const relu = find(k.by_name, "relu_200ns");
        assert_int_equal(relu->total_ns, 600);
        assert_int_equal(relu->min_ns, 200);
        assert_int_equal(relu->max_ns, 200);
        assert_int_equal(find(k.by_name, "one_ns")->total_ns, 1);
        assert_int_equal(find(k.by_name, "gap_kernel")->total_ns, 398);
        log_close(&log);
    }
}

static void projected_annotations_and_bad_durations_are_no_kernel_time(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t rows;
        int64_t total_us;
    } cases[] = {
        {"19-gpu-annotation-double-count/ann_1.1750000000001.pt.trace.json",   2, 160},
        {"13-negative-and-missing-duration/neg_1.1750000000001.pt.trace.json", 2, 40 },
        {"34-gpu-only/gpuonly_1.1750000000001.pt.trace.json",                  2, 80 },
        {"38-odd-ids/ids_1.1750000000001.pt.trace.json",                       3, 70 },
        {"24-nccl-names/comm_1.1750000000001.pt.trace.json",                   7, 170},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        log_lines log = {0};
        log_add_case(&log, cases[i].file);
        const kernels k = kernels_analyze(&log.worker, log.arena);
        int64_t total = 0;
        for (uint32_t row = 0; row < k.by_name.count; row++) {
            assert_true(k.by_name.at[row].min_ns >= 0);
            total += k.by_name.at[row].total_ns;
        }
        assert_int_equal(k.by_name.count, cases[i].rows);
        assert_int_equal(total, cases[i].total_us * 1000);
        log_close(&log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_hold_count_total_mean_extremes_and_means_weighted_by_duration),
        cmocka_unit_test(launch_shapes_and_operators_make_rows_of_their_own),
        cmocka_unit_test(tensor_cores_are_yes_no_or_unknown),
        cmocka_unit_test(spans_of_a_worker_are_summed_by_text),
        cmocka_unit_test(a_graph_launch_delays_its_first_node_only),
        cmocka_unit_test(triton_kernels_belong_to_what_launched_them),
        cmocka_unit_test(one_name_in_two_spellings_is_one_row),
        cmocka_unit_test(kernels_of_no_duration_count_and_divide_nothing_by_zero),
        cmocka_unit_test(nanoseconds_survive_stamps_that_no_double_holds),
        cmocka_unit_test(projected_annotations_and_bad_durations_are_no_kernel_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
