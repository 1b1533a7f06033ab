// SPDX-License-Identifier: BSD-3-Clause
// Latency samples: what the summary counts, and what the file holds.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "out/json_writer.h"
#include "tprof/tprof.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static tprof_latency *with_samples(uint64_t warmup, uint64_t items, int64_t count)
{
    tprof_latency *latency;
    assert_int_equal(tprof_latency_create(warmup, items, &latency), TPROF_OK);
    // The slowest first, as a warm-up is.
    for (int64_t i = count; i > 0; i--)
        assert_int_equal(tprof_latency_add(latency, 1000 * i), TPROF_OK);
    return latency;
}

static void a_summary_leaves_the_warm_up_out(void **state)
{
    static const struct {
        uint64_t warmup;
        int64_t samples;
        uint64_t counted;
        int64_t max_ns, p95_ns;
        double median_ns, mean_ns, per_second;
    } cases[] = {
        {0,  0,   0,  0,     0,     0,     0,     0          },
        {3,  2,   0,  0,     0,     0,     0,     0          },
        {0,  1,   1,  1000,  1000,  1000,  1000,  8e6        },
        {0,  4,   4,  4000,  4000,  2500,  2500,  3.2e6      },
        {1,  4,   3,  3000,  3000,  2000,  2000,  4e6        },
        {0,  20,  20, 20000, 19000, 10500, 10500, 8e9 / 10500},
        {80, 100, 20, 20000, 19000, 10500, 10500, 8e9 / 10500},
        {0,  21,  21, 21000, 20000, 11000, 11000, 8e9 / 11000},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tprof_latency *latency = with_samples(cases[i].warmup, 8, cases[i].samples);
        tprof_latency_summary summary;
        uint64_t kept;
        tprof_latency_summarize(latency, &summary);
        assert_int_equal(summary.count, cases[i].counted);
        assert_int_equal(summary.max_ns, cases[i].max_ns);
        assert_int_equal(summary.min_ns, cases[i].counted ? 1000 : 0);
        assert_int_equal(summary.p95_ns, cases[i].p95_ns);
        assert_true(summary.median_ns == cases[i].median_ns);
        assert_true(summary.mean_ns == cases[i].mean_ns);
        assert_true(summary.samples_per_second > cases[i].per_second * 0.999999 - 1e-9 &&
                    summary.samples_per_second < cases[i].per_second * 1.000001 + 1e-9);
        tprof_latency_samples(latency, &kept);
        assert_int_equal(kept, cases[i].samples);
        tprof_latency_destroy(latency);
    }
}

static void begin_and_end_measure_one_sample(void **state)
{
    tprof_latency *latency;
    uint64_t count;
    (void)state;

    assert_int_equal(tprof_latency_create(0, 0, &latency), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_latency_create(0, UINT64_MAX, &latency), TPROF_ERR_ARGUMENT);
    assert_null(latency);
    assert_int_equal(tprof_latency_create(0, 1, &latency), TPROF_OK);
    assert_int_equal(tprof_latency_end(latency), TPROF_ERR_STATE);
    tprof_latency_begin(latency);
    assert_int_equal(tprof_latency_end(latency), TPROF_OK);
    assert_int_equal(tprof_latency_end(latency), TPROF_ERR_STATE);
    assert_int_equal(tprof_latency_add(latency, -1), TPROF_ERR_ARGUMENT);
    assert_true(tprof_latency_samples(latency, &count)[0] >= 0);
    assert_int_equal(count, 1);
    tprof_latency_destroy(latency);
    tprof_latency_destroy(NULL);
}

static void the_file_holds_summary_record_and_samples(void **state)
{
    const tprof_version_entry versions[] = {
        {"cuda",     "12.4"},
        {"compiler", NULL  },
        {"cuda",     "13.0"}
    };
    const tprof_environment environment = {
        .model = "mlp \"small\"", .batch_size = 8, .versions = versions, .version_count = 3};
    tprof_latency *latency = with_samples(1, 8, 3);
    const char *path = temp_path("latency.json");
    size_t size;
    (void)state;

    assert_int_equal(tprof_latency_export(latency, &environment, path), TPROF_OK);
    assert_int_equal(tprof_latency_export(latency, NULL, path), TPROF_ERR_EXISTS);
    char *text = read_whole_file(path, &size);
    assert_non_null(text);
    assert_true(tp_json_valid(text, size));
    assert_non_null(strstr(text, "\"model\": \"mlp \\\"small\\\"\""));
    assert_non_null(strstr(text, "\"median_ns\": 1500"));
    assert_non_null(strstr(text, "\"compiler\": null"));
    assert_non_null(strstr(text, "\"cuda\": \"12.4\""));
    assert_null(strstr(text, "13.0"));
    assert_non_null(strstr(text, "\"samples_ns\": [\n    3000,\n    2000,\n    1000\n  ]"));
    free(text);
    assert_int_equal(tprof_latency_export(latency, NULL, temp_path("latency.json.gz")), TPROF_OK);
    text = read_whole_file(temp_path("latency.json.gz"), &size);
    assert_non_null(text);
    assert_memory_equal(text, "\x1f\x8b", 2);
    free(text);
    tprof_latency_destroy(latency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_leaves_the_warm_up_out),
        cmocka_unit_test(begin_and_end_measure_one_sample),
        cmocka_unit_test(the_file_holds_summary_record_and_samples),
    };
    temp_dir_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_dir_remove();
    return failed;
}
