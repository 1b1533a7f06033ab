// SPDX-License-Identifier: BSD-3-Clause
// The n-th allocation fails, for each n until all succeed: tables, stacks and event files give a
// status, and nothing crashes or is half done.
#include "support/cmocka_all.h"
#include "support/failing_malloc.h"
#include "support/made_capture.h"
#include "support/temp_dir.h"

#include "encode/encode_averages.h"
#include "encode/encode_stacks.h"
#include "encode/tfevents_file.h"

#include <stdlib.h>
#include <string.h>

static tp_capture *full_capture(void)
{
    static const int64_t sizes[] = {4, 8};
    static const tprof_input input = {.type = "float", .sizes = sizes, .dimensions = 2};
    static const tprof_op forward = {.name = "mm",
                                     .inputs = &input,
                                     .input_count = 1,
                                     .sequence = 1,
                                     .stack = "a.c(1): a;b.c(2): b"};
    static const tprof_op backward = {
        .name = "MmBackward", .sequence = 1, .backward = true, .forward_thread = 1};

    made_begin();
    made_operator(&forward, 5, 1000, 9000);
    made_operator(&backward, 6, 10000, 19000);
    made_range(TP_LOADER, "loader", 20000, 25000);
    made_memory(TPROF_DEVICE_CPU, 26000, 100);
    made_step(1, 0, 30000);
    made_memory(TPROF_DEVICE_CPU, 40000, 100);
    tp_capture *capture = made_capture();
    const tp_gpu_event kernel = {
        .kind = TP_GPU_KERNEL, .name = "k", .begin_ns = 5000, .end_ns = 6000, .op_id = 5};
    assert_true(tp_capture_add_gpu(capture, &kernel));
    return capture;
}

// Whether the table was made, with and without what groups by text.
static bool make_table(const tp_capture *capture)
{
    const tprof_averages_options groups = {.group_by_input_shape = true, .group_by_stack_n = 2};
    tprof_averages *averages;

    if (tp_averages_make(capture, &groups, &averages) != TPROF_OK) {
        assert_null(averages);
        return false;
    }
    char *table = tprof_averages_table(averages, NULL);
    const bool made = table != NULL;
    if (made)
        assert_non_null(strstr(table, "Self CUDA time total: 1.000us\n"));
    free(table);
    tprof_averages_free(averages);
    return made;
}

static bool make_stacks(const tp_capture *capture)
{
    tp_sink *sink;

    if (tp_sink_memory_open(0, &sink) != TPROF_OK)
        return false;
    tp_stacks_encoder("self_cpu_time_total")->encode(capture, "stacks", sink);
    const bool made = sink->status == TPROF_OK;
    if (made)
        assert_string_equal(tp_sink_memory_data(sink, NULL),
                            "b.c(2):_b;a.c(1):_a 8\nb.c(2):_b;a.c(1):_a 9\n");
    else
        assert_int_equal(sink->status, TPROF_ERR_MEMORY);
    tp_sink_abandon(sink);
    return made;
}

static bool add_scalars(const tp_capture *capture)
{
    const int before = count_files(temp_path(""), "");
    tp_tfevents_file *file = tp_tfevents_create(temp_path(""));
    int error;

    if (!file)
        return false;
    const tprof_status status = tp_tfevents_add(file, capture, &error);
    if (status != TPROF_OK) {
        assert_int_equal(status, TPROF_ERR_MEMORY);
        assert_int_equal(count_files(temp_path(""), ""), before);
    }
    tp_tfevents_destroy(file);
    return status == TPROF_OK;
}

static void until_all_succeed(bool (*act)(const tp_capture *))
{
    tp_capture *capture = full_capture();
    int64_t n = 0, needed;
    bool made;

    do {
        fail_allocation(++n, false);
        made = act(capture);
        needed = allocations_counted();
        fail_allocation(0, false);
        assert_true(made == (needed < n));
    } while (!made);
    assert_true(n > 3);
    tp_capture_release(capture);
}

static void tables_need_all_their_memory(void **state)
{
    (void)state;
    until_all_succeed(make_table);
}

static void stacks_need_all_their_memory(void **state)
{
    (void)state;
    until_all_succeed(make_stacks);
}

static void windows_of_scalars_are_added_whole_or_not(void **state)
{
    (void)state;
    until_all_succeed(add_scalars);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_need_all_their_memory),
        cmocka_unit_test(stacks_need_all_their_memory),
        cmocka_unit_test(windows_of_scalars_are_added_whole_or_not),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
