// SPDX-License-Identifier: BSD-3-Clause
// The table as text: layout, units, order and limits, on small captures worked out by hand.
#include "support/cmocka_all.h"
#include "support/made_capture.h"

#include "encode/averages_cells.h"
#include "encode/encode_averages.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static char *table_of(tp_capture *capture, tprof_averages_options groups,
                      tprof_table_options layout)
{
    tprof_averages *averages;
    assert_int_equal(tp_averages_make(capture, &groups, &averages), TPROF_OK);
    char *table = tprof_averages_table(averages, &layout);
    tprof_averages_free(averages);
    tp_capture_release(capture);
    return table;
}

static void assert_table(tp_capture *capture, tprof_averages_options groups,
                         tprof_table_options layout, const char *expected)
{
    char *table = table_of(capture, groups, layout);
    assert_string_equal(table, expected);
    free(table);
}

static tp_capture *host_only(void)
{
    made_begin();
    made_range(TP_RANGE, "forward", 1000, 501000);
    made_range(TP_RANGE, "step", 0, 2000000);
    made_range(TP_RANGE, "forward", 2000000, 2250000);
    tp_capture *capture = made_capture();
    capture->profile_memory = false;
    return capture;
}

static void columns_are_right_aligned_between_rules(void **state)
{
    (void)state;
    assert_table(
        host_only(), (tprof_averages_options){0}, (tprof_table_options){0},
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    "
        "# of Calls  \n"
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "       step        66.67%       1.500ms        88.89%       2.000ms       2.000ms  "
        "           1  \n"
        "    forward        33.33%     750.000us        33.33%     750.000us     375.000us  "
        "           2  \n"
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "Self CPU time total: 2.250ms\n");
}

static void a_header_and_a_limit_leave_the_sums_alone(void **state)
{
    (void)state;
    assert_table(
        host_only(), (tprof_averages_options){0},
        (tprof_table_options){
            .header = "run 7", .row_limit = 1, .sort_by = "count", .time_unit = "us"},
        "============================================================================="
        "==================\n"
        "run 7\n"
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    "
        "# of Calls  \n"
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "    forward        33.33%     750.000us        33.33%     750.000us     375.000us  "
        "           2  \n"
        "-----------  ------------  ------------  ------------  ------------  ------------  "
        "------------  \n"
        "Self CPU time total: 2250.000us\n");
}

static void only_rows_that_begin_outside_others_are_top_level(void **state)
{
    char *table;
    (void)state;

    table = table_of(host_only(), (tprof_averages_options){0},
                     (tprof_table_options){.top_level_events_only = true});
    assert_non_null(strstr(table, " step "));
    assert_null(strstr(table, " forward "));
    assert_non_null(strstr(table, "Self CPU time total: 2.250ms\n"));
    free(table);
}

static tp_capture *with_everything(void)
{
    static const int64_t sizes[] = {64, 32};
    static const tprof_input input = {.type = "float", .sizes = sizes, .dimensions = 2};
    static const tprof_op op = {.name = "aten::mm",
                                .inputs = &input,
                                .input_count = 1,
                                .flops = 2500000,
                                .stack = "net.c(3): forward;train.c(9): main"};

    made_begin();
    made_memory(TPROF_DEVICE_CPU, 500, 1536);
    made_memory(TPROF_DEVICE_CUDA, 500, 3 << 20);
    made_operator(&op, 50, 0, 1000);
    made_range(TP_RANGE, "tail", 2000, 3000);
    tp_capture *capture = made_capture();
    const tp_gpu_event kernel = {
        .kind = TP_GPU_KERNEL, .name = "gemm", .begin_ns = 1200, .end_ns = 3200, .op_id = 50};
    assert_true(tp_capture_add_gpu(capture, &kernel));
    return capture;
}

static void every_kind_of_column_has_its_place(void **state)
{
    const tprof_averages_options groups = {.group_by_input_shape = true, .group_by_stack_n = 5};
    char *table;
    (void)state;

    table = table_of(with_everything(), groups, (tprof_table_options){0});
    char *head = strchr(table, '\n') + 1;
    *strchr(head, '\n') = '\0';
    assert_string_equal(head, "        Name    Self CPU %      Self CPU   CPU total %     CPU "
                              "total  CPU time avg     Self CUDA   Self CUDA %    CUDA total  CUDA "
                              "time avg       CPU Mem  Self CPU Mem      CUDA Mem  Self CUDA Mem   "
                              " # of Calls    Input Shapes  Source Location        Total MFLOPs  ");
    char *first = head + strlen(head) + 1;
    first = strchr(first, '\n') + 1; // behind the rule
    char *second = strchr(first, '\n');
    *second++ = '\0';
    assert_string_equal(
        first,
        "    aten::mm        50.00%       1.000us        50.00%       1.000us       1.000us       "
        "2.000us       100.00%       2.000us       2.000us       1.50 KB       1.50 KB       3.00 "
        "MB       3.00 MB             1      [[64, 32]]  net.c(3): forward             2.500  ");
    char *third = strchr(second, '\n');
    *third++ = '\0';
    assert_int_equal(strspn(second, " "), strlen(first) - 14 - 23); // only the next frame
    assert_non_null(strstr(second, "train.c(9): main"));
    assert_int_equal(strspn(third, " "), strlen(first)); // and a line that ends the stack
    assert_non_null(strstr(third, "Self CUDA time total: 2.000us\n"));
    free(table);
}

static void what_no_row_has_is_no_column(void **state)
{
    char *table;
    tp_capture *capture = with_everything();
    (void)state;

    capture->profile_memory = false;
    capture->with_flops = false;
    capture->gpu_count = 0;
    table = table_of(capture, (tprof_averages_options){0}, (tprof_table_options){0});
    static const char *const absent[] = {"CUDA", "Mem", "Input Shapes", "Source", "FLOPs"};
    for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
        assert_null(strstr(table, absent[i]));
    free(table);
}

static void long_names_are_cut_to_what_the_column_holds(void **state)
{
    static const struct {
        int32_t width;
        const char *expected;
    } cases[] = {
        {0,  "\nautograd::engine::evaluate_function: ConvolutionBack...  "      },
        {20, "\nautograd::engine:...  "                                         },
        {-1, "\n    autograd::engine::evaluate_function: ConvolutionBackward0  "},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        made_begin();
        made_range(TP_RANGE, "autograd::engine::evaluate_function: ConvolutionBackward0", 0, 5);
        char *table = table_of(made_capture(), (tprof_averages_options){0},
                               (tprof_table_options){.max_name_column_width = cases[i].width});
        assert_non_null(strstr(table, cases[i].expected));
        free(table);
    }
}

static void names_are_measured_in_characters(void **state)
{
    char *table;
    (void)state;

    made_begin();
    made_range(TP_RANGE, "schritt für schritt", 0, 5);
    table = table_of(made_capture(), (tprof_averages_options){0}, (tprof_table_options){0});
    assert_non_null(strstr(table, "\n    schritt für schritt  "));
    assert_int_equal(strspn(table, "-"), 19 + 4);
    free(table);
}

static void rows_are_sorted_by_each_of_the_keys(void **state)
{
    // b has the longest time, a the most calls, c the most memory and device time.
    static const struct {
        const char *key;
        const char *order;
    } cases[] = {
        {"count",                    "abc"},
        {"cpu_time",                 "bca"},
        {"cpu_time_total",           "bac"},
        {"self_cpu_time_total",      "bac"},
        {"device_time",              "cab"},
        {"cuda_time",                "cab"},
        {"xpu_time",                 "cab"},
        {"device_time_total",        "cab"},
        {"cuda_time_total",          "cab"},
        {"xpu_time_total",           "cab"},
        {"self_device_time_total",   "cab"},
        {"self_cuda_time_total",     "cab"},
        {"self_xpu_time_total",      "cab"},
        {"cpu_memory_usage",         "cab"},
        {"self_cpu_memory_usage",    "cab"},
        {"cuda_memory_usage",        "bac"},
        {"device_memory_usage",      "bac"},
        {"xpu_memory_usage",         "bac"},
        {"self_cuda_memory_usage",   "bac"},
        {"self_device_memory_usage", "bac"},
        {"self_xpu_memory_usage",    "bac"},
    };
    const tprof_op c = {.name = "c"};
    tprof_averages *averages;
    (void)state;

    made_begin();
    for (int i = 0; i < 4; i++)
        made_range(TP_RANGE, "a", 100 * i, 100 * i + 10);
    made_memory(TPROF_DEVICE_CUDA, 520, 9);
    made_range(TP_RANGE, "b", 500, 600);
    made_memory(TPROF_DEVICE_CPU, 710, 8);
    made_operator(&c, 3, 700, 720);
    tp_capture *capture = made_capture();
    const tp_gpu_event kernel = {
        .kind = TP_GPU_KERNEL, .name = "k", .begin_ns = 900, .end_ns = 910, .op_id = 3};
    assert_true(tp_capture_add_gpu(capture, &kernel));
    assert_int_equal(tp_averages_make(capture, NULL, &averages), TPROF_OK);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        size_t *order = tp_averages_order(averages, cases[i].key);
        char got[8] = "";
        assert_non_null(order);
        for (size_t n = 0; n < averages->count; n++)
            if (!averages->rows[order[n]].is_device)
                strcat(got, averages->rows[order[n]].name);
        assert_string_equal(got, cases[i].order);
        free(order);
    }
    assert_null(tp_averages_order(averages, "speed"));
    assert_null(tprof_averages_table(averages, &(tprof_table_options){.sort_by = "speed"}));
    tprof_averages_free(averages);
    tp_capture_release(capture);
}

static void an_empty_list_is_an_empty_text(void **state)
{
    (void)state;
    made_begin();
    assert_table(made_capture(), (tprof_averages_options){0}, (tprof_table_options){0}, "");
}

static void cells_choose_units(void **state)
{
    static const struct {
        double ns;
        const char *unit;
        const char *expected;
    } times[] = {
        {0,       NULL, "0.000us"      },
        {1,       NULL, "0.001us"      },
        {999999,  NULL, "999.999us"    },
        {1000000, NULL, "1.000ms"      },
        {1e9,     NULL, "1.000s"       },
        {1.5e9,   NULL, "1.500s"       },
        {-2e6,    NULL, "-2000.000us"  },
        {1.5e9,   "us", "1500000.000us"},
        {1500,    "ms", "0.002ms"      },
        {1500,    "?",  "1.500us"      },
    };
    static const struct {
        int64_t bytes;
        const char *expected;
    } sizes[] = {
        {0,                "0 B"     },
        {-1023,            "-1023 B" },
        {1024,             "1.00 KB" },
        {-1536,            "-1.50 KB"},
        {1048576,          "1.00 MB" },
        {(int64_t)5 << 29, "2.50 GB" },
    };
    tp_text text = {0};
    (void)state;

    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        tp_text_clear(&text);
        tp_cell_time(&text, times[i].unit, times[i].ns);
        assert_string_equal(text.data, times[i].expected);
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        tp_text_clear(&text);
        tp_cell_bytes(&text, sizes[i].bytes);
        assert_string_equal(text.data, sizes[i].expected);
    }
    tp_text_clear(&text);
    tp_cell_share(&text, 0, 0);
    assert_string_equal(text.data, "NaN");
    tp_text_clear(&text);
    tp_cell_last(&text, "very/long/path/train.c(9): main", 31, 18);
    assert_string_equal(text.data, "...rain.c(9): main");
    free(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_right_aligned_between_rules),
        cmocka_unit_test(a_header_and_a_limit_leave_the_sums_alone),
        cmocka_unit_test(only_rows_that_begin_outside_others_are_top_level),
        cmocka_unit_test(every_kind_of_column_has_its_place),
        cmocka_unit_test(what_no_row_has_is_no_column),
        cmocka_unit_test(long_names_are_cut_to_what_the_column_holds),
        cmocka_unit_test(names_are_measured_in_characters),
        cmocka_unit_test(rows_are_sorted_by_each_of_the_keys),
        cmocka_unit_test(an_empty_list_is_an_empty_text),
        cmocka_unit_test(cells_choose_units),
    };
    // A program's locale must not change the point in numbers, where there is one that would.
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        setlocale(LC_NUMERIC, "de_DE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
