// SPDX-License-Identifier: BSD-3-Clause
// The operator table of small inputs with known answers.
#include "support/cmocka_all.h"

#include "support/log_lines.h"
#include "support/operator_rows.h"

static void bad_durations_leave_no_negative_time(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "13-negative-and-missing-duration/neg_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_host(o.by_name, "aten::mm", 1, 100 - 3 * 5, 100);
    for (uint32_t i = 0; i < o.by_name.count; i++)
        assert_true(o.by_name.at[i].host_self_ns >= 0 && o.by_name.at[i].host_total_ns >= 0);
    log_close(&log);
}

static void a_graph_replay_is_told_beside_the_operators(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "21-cuda-graph-replay/graph_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.graph_replay_ns, 210000);
    assert_int_equal(o.unlinked_ns, 0);
    assert_int_equal(o.by_name.count, 1);
    assert_device(o.by_name, "aten::index", 10, 10);
    log_close(&log);
}

static void driver_launches_without_ids_find_their_operator_by_time(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "23-driver-launch-triton/triton_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.unlinked_ns, 0);
    assert_int_equal(find(o.by_name, "triton_poi_fused_add_cos_sin_0")->calls, 2);
    assert_device(o.by_name, "triton_poi_fused_add_cos_sin_0", 20, 20);
    log_close(&log);
}

static void a_log_of_device_work_only_has_no_operator_rows(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "34-gpu-only/gpuonly_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_int_equal(o.by_name.count, 0);
    assert_int_equal(o.unlinked_ns, 80000);
    log_close(&log);
}

static void odd_thread_and_correlation_ids_link_as_written(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "38-odd-ids/ids_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_device(o.by_name, "aten::mm", 10, 10);
    assert_device(o.by_name, "aten::add", 20, 20);
    assert_device(o.by_name, "aten::t", 40, 40);
    assert_int_equal(o.unlinked_ns, 0);
    log_close(&log);
}

static void old_and_new_words_for_categories_give_the_same_rows(void **state)
{
    (void)state;
    static const char *const files[] = {
        "17-category-names-old-new/old_1.1623143089861.pt.trace.json",
        "17-category-names-old-new/new_2.1750000000001.pt.trace.json",
    };
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        log_lines log = {0};
        log_add_case(&log, files[i]);
        const operators o = operators_analyze(&log.worker, log.arena);
        assert_device(o.by_name, "aten::conv2d", 85, 85);
        log_close(&log);
    }
}

static void a_log_without_categories_still_counts_its_operators(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "18-array-root/legacy_1.1677000000000.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_host(o.by_name, "aten::mul", 4, 210, 210);
    log_close(&log);
}

static void an_operator_of_no_duration_is_counted(void **state)
{
    (void)state;
    log_lines log = {0};
    log_add_case(&log, "11-zero-duration/zero_1.1750000000001.pt.trace.json");
    const operators o = operators_analyze(&log.worker, log.arena);

    assert_host(o.by_name, "aten::view", 1, 0, 0);
    log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_durations_leave_no_negative_time),
        cmocka_unit_test(a_graph_replay_is_told_beside_the_operators),
        cmocka_unit_test(driver_launches_without_ids_find_their_operator_by_time),
        cmocka_unit_test(a_log_of_device_work_only_has_no_operator_rows),
        cmocka_unit_test(odd_thread_and_correlation_ids_link_as_written),
        cmocka_unit_test(old_and_new_words_for_categories_give_the_same_rows),
        cmocka_unit_test(a_log_without_categories_still_counts_its_operators),
        cmocka_unit_test(an_operator_of_no_duration_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
