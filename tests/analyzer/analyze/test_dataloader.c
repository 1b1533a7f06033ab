// SPDX-License-Identifier: BSD-3-Clause
// Data-loader waits, and what would cover them.
#include "support/cmocka_all.h"

#include "analyze/dataloader.h"
#include "support/made_worker.h"

#include <math.h>

#define SINGLE "_SingleProcessDataLoaderIter.__next__"
#define MULTI  "_MultiProcessingDataLoaderIter.__next__"

// clang-format off
static void waits_are_hidden_where_a_device_works(void **state)
{
    static const struct {
        const char *says, *script;
        int64_t wait, exposed, hidden;
        const char *loader;
        int64_t without, workers;
    } cases[] = {
        {"no device: all of it is exposed",
         "step 1 main 0 1000\n"
         "loader " SINGLE " main 100 700\n"
         "op a main 700 1000\n",
         600, 600, 0, "single_process", 400, 2},
        {"any device of the process hides it",
         "step 1 main 0 1000\n"
         "loader " MULTI " main 100 400\n"
         "kernel a 0:7 - 50 150\n"
         "kernel b 1:7 - 300 600\n"
         "copy Memcpy_HtoD 1:8 - 290 310\n",
         300, 140, 160, "multi_process", 860, INT_NONE},
        {"nested marks wait once",
         "step 1 main 0 1000\n"
         "loader outer.__next__ main 100 300\n"
         "loader outer.__next__ main 150 250\n",
         200, 200, 0, "unknown", 800, INT_NONE},
        {"another thread's loader is no wait of the step",
         "step 1 main 0 1000\n"
         "loader " SINGLE " other 100 300\n",
         0, 0, 0, "single_process", 1000, INT_NONE},
        {"no loader at all",
         "step 1 main 0 1000\n"
         "op a main 0 10\n",
         0, 0, 0, "none", 1000, INT_NONE},
        {"only what lies inside the step counts",
         "step 1 main 100 1000\n"
         "loader " SINGLE " main 0 200\n",
         100, 100, 0, "single_process", 800, 1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        const dataloader got = dataloader_analyze(&m.worker, m.arena);
        assert_int_equal(got.step_count, 1);
        assert_int_equal(got.steps[0].wait_ns, cases[i].wait);
        assert_int_equal(got.steps[0].exposed_ns, cases[i].exposed);
        assert_int_equal(got.steps[0].hidden_ns, cases[i].hidden);
        assert_string_equal(got.summary.loader, cases[i].loader);
        assert_int_equal(got.summary.step_without_exposed_ns, cases[i].without);
        assert_int_equal(got.summary.workers_suggested, cases[i].workers);
        assert_non_null(got.summary.assumption);
        made_worker_close(&m);
    }
}
// clang-format on

static void the_summary_goes_over_all_spans(void **state)
{
    static const char *const SCRIPTS[] = {
        "step 1 main 0 100\nloader " SINGLE " main 0 60\nop a main 60 100\n",
        "step 2 main 0 300\nloader " SINGLE " main 0 100\nop a main 60 100\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 2);
    const dataloader got = dataloader_analyze(&m.worker, m.arena);
    assert_int_equal(got.step_count, 2);
    assert_string_equal(got.steps[1].span, "2");
    assert_float_equal(got.summary.wait_share, 0.4, 1e-12);
    assert_float_equal(got.summary.exposed_share, 0.4, 1e-12);
    assert_int_equal(got.summary.step_without_exposed_ns, 120);
    assert_int_equal(got.summary.workers_suggested, 1); // 160 of wait to 240 of the rest
    made_worker_close(&m);
}

static void without_steps_nothing_is_claimed(void **state)
{
    (void)state;
    made_worker m;
    made_worker_open(&m, NULL, 0);
    const dataloader got = dataloader_analyze(&m.worker, m.arena);
    assert_int_equal(got.step_count, 0);
    assert_true(isnan(got.summary.wait_share));
    assert_int_equal(got.summary.step_without_exposed_ns, INT_NONE);
    assert_string_equal(got.summary.loader, "none");
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_hidden_where_a_device_works),
        cmocka_unit_test(the_summary_goes_over_all_spans),
        cmocka_unit_test(without_steps_nothing_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
