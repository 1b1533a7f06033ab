// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/annotations.h"
#include "support/log_lines.h"

#include <stdio.h>

static const annotation_row *find(annotations all, const char *name)
{
    for (uint32_t i = 0; i < all.count; i++)
        if (strcmp(all.at[i].name, name) == 0)
            return &all.at[i];
    fail_msg("no row %s", name);
    return NULL;
}

static void latencies_of_a_range_are_those_of_its_occurrences(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "user_annotation|infer|1|0|10|",   "user_annotation|infer|1|100|50|",
        "user_annotation|infer|1|200|20|", "user_annotation|infer|1|300|50|",
        "cpu_op|aten::mm|1|105|10|",       NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 1);
    const annotation_row *const row = &all.at[0];
    assert_int_equal(row->calls, 4);
    assert_int_equal(row->total_ns, 130000);
    assert_int_equal(row->self_ns, 130000);
    assert_int_equal(row->mean_ns, 32500);
    assert_int_equal(row->median_ns, 35000);
    assert_int_equal(row->p95_ns, 50000);
    assert_int_equal(row->min_ns, 10000);
    assert_int_equal(row->max_ns, 50000);
    assert_int_equal(row->slowest_begin_ns, 100000);
    assert_string_equal(row->slowest_span, "1");
    log_close(&log);
}

static void nested_ranges_are_not_added_twice(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "user_annotation|ProfilerStep#1|1|0|200|", "user_annotation|forward|1|0|100|",
        "user_annotation|layers|1|10|30|",         "user_annotation|loss|1|50|20|",
        "user_annotation|forward|1|55|10|",        "user_annotation|forward|2|90|20|",
        "user_annotation|outside|1|190|30|",       NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 4);
    const annotation_row *const forward = find(all, "forward");
    assert_int_equal(forward->calls, 3);
    assert_int_equal(forward->total_ns, 120000); // the one inside another adds no time
    assert_int_equal(forward->self_ns, 50000 + 10000 + 20000);
    assert_int_equal(find(all, "loss")->self_ns, 10000);
    assert_float_equal(forward->step_share, 110.0 / 200, 1e-12); // two threads overlap by 10 us
    assert_float_equal(find(all, "outside")->step_share, 10.0 / 200, 1e-12);
    log_close(&log);
}

static void device_time_is_the_union_of_what_was_launched_inside(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "user_annotation|outer|1|0|100|",
        "user_annotation|inner|1|10|20|",
        "cpu_op|aten::mm|1|12|15|",
        "cuda_runtime|cudaLaunchKernel|1|14|1|'correlation':1",
        "cuda_runtime|cudaLaunchKernel|1|50|1|'correlation':2",
        "cuda_driver|cuLaunchKernel|1|60|1|'correlation':3",
        "cuda_runtime|cudaLaunchKernel|1|150|1|'correlation':4",
        "kernel|k|0:7|200|10|'device':0,'stream':7,'correlation':1",
        "kernel|k|0:8|205|10|'device':0,'stream':8,'correlation':2",
        "kernel|k|1:7|212|2|'device':1,'stream':7,'correlation':3",
        "kernel|k|0:7|300|50|'device':0,'stream':7,'correlation':4",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(find(all, "inner")->device_ns, 10000);
    assert_int_equal(find(all, "outer")->device_ns, 15000);
    log_close(&log);
}

// Loaders and optimizers of old logs were operators; they are marks all the same.
static void rows_are_all_ranges_but_steps(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Operator|ProfilerStep#1|1|0|100|",
        "Operator|enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__|1|0|20|",
        "Operator|Optimizer.step#SGD.step|1|30|25|",
        "user_annotation|Optimizer.step#SGD.step|1|60|20|",
        "user_annotation|nccl:all_reduce|1|85|5|",
        "gpu_user_annotation|on_device|0:7|0|90|'device':0,'stream':7",
        "cpu_op|aten::mm|1|90|5|",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 3);
    assert_string_equal(all.at[0].name, "Optimizer.step#SGD.step");
    assert_int_equal(all.at[0].calls, 2);
    assert_int_equal(
        find(all, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__")->total_ns, 20000);
    assert_int_equal(find(all, "nccl:all_reduce")->calls, 1);
    log_close(&log);
}

static void spans_of_a_worker_are_summed_and_the_slowest_is_found_in_its_span(void **state)
{
    (void)state;
    static const char *const first[] = {
        "user_annotation|ProfilerStep#1|1|0|100|",
        "user_annotation|a|1|0|10|",
        "user_annotation|b|1|20|10|",
        NULL,
    };
    static const char *const second[] = {
        "user_annotation|ProfilerStep#2|1|0|300|",
        "user_annotation|b|1|30|90|",
        "user_annotation|a|1|0|10|",
        NULL,
    };
    log_lines log = {0};
    log_add_lines(&log, first);
    log_add_lines(&log, second);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 2);
    assert_string_equal(all.at[0].name, "b");
    assert_string_equal(all.at[0].slowest_span, "2");
    assert_int_equal(all.at[0].slowest_begin_ns, 30000);
    assert_float_equal(all.at[0].step_share, 100.0 / 400, 1e-12);
    assert_int_equal(all.at[1].calls, 2);
    assert_string_equal(all.at[1].slowest_span, "1");
    log_close(&log);
}

static void deep_nesting_takes_linear_time(void **state)
{
    (void)state;
    enum { DEPTH = 60000 };
    static char ranges[DEPTH][64], work[DEPTH][96];
    static const char *lines[2 * DEPTH + 2];

    for (int i = 0; i < DEPTH; i++) {
        snprintf(ranges[i], sizeof(ranges[i]), "user_annotation|r%d|1|%d|%d|", i, i,
                 2 * DEPTH - 2 * i);
        snprintf(work[i], sizeof(work[i]),
                 "kernel|k|0:7|%d|1|'device':0,'stream':7,'correlation':1", 3 * DEPTH + 2 * i);
        lines[i] = ranges[i];
        lines[DEPTH + i] = work[i];
    }
    lines[2 * DEPTH] = "cuda_runtime|cudaGraphLaunch|1|60000|0|'correlation':1";
    log_lines log = {0};
    log_add_lines(&log, lines);
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, DEPTH);
    assert_int_equal(find(all, "r59999")->device_ns, (int64_t)DEPTH * 1000);
    assert_int_equal(find(all, "r59936")->device_ns, (int64_t)DEPTH * 1000);
    assert_int_equal(find(all, "r0")->device_ns, 0); // beyond the depth that is followed
    log_close(&log);
}

static void what_a_graph_replays_belongs_to_the_range_of_its_launch(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "21-cuda-graph-replay/graph_1.1750000000001.pt.trace.json");
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 1);
    assert_int_equal(find(all, "decode_step")->device_ns, 220000);
    assert_float_equal(find(all, "decode_step")->step_share, 0.9, 1e-12);
    log_close(&log);
}

static void names_keep_commas_quotes_and_accents(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "04-unicode-same-name/uni_1.1750000000001.pt.trace.json");
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 1);
    assert_string_equal(all.at[0].name, "\xc3\xa9tape d'entra\xc3\xaenement, \"n\xc2\xb0 1\"");
    assert_int_equal(all.at[0].device_ns, 68000);
    log_close(&log);
}

static void without_marked_steps_shares_are_of_the_whole_log(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "33-no-steps-no-rank/infer_1.1750000000001.pt.trace.json");
    const annotations all = annotations_analyze(&log.worker, log.arena);

    assert_int_equal(all.count, 1);
    assert_true(all.at[0].step_share > 0);
    assert_int_equal(all.at[0].device_ns, 80000);
    log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_of_a_range_are_those_of_its_occurrences),
        cmocka_unit_test(nested_ranges_are_not_added_twice),
        cmocka_unit_test(device_time_is_the_union_of_what_was_launched_inside),
        cmocka_unit_test(rows_are_all_ranges_but_steps),
        cmocka_unit_test(spans_of_a_worker_are_summed_and_the_slowest_is_found_in_its_span),
        cmocka_unit_test(deep_nesting_takes_linear_time),
        cmocka_unit_test(what_a_graph_replays_belongs_to_the_range_of_its_launch),
        cmocka_unit_test(names_keep_commas_quotes_and_accents),
        cmocka_unit_test(without_marked_steps_shares_are_of_the_whole_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
