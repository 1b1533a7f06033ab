// SPDX-License-Identifier: BSD-3-Clause
// Copies through pageable memory, inside the steps that count.
#include "support/cmocka_all.h"

#include "analyze/transfers.h"
#include "support/made_worker.h"

#define PAGEABLE "copy Memcpy_HtoD_(Pageable_->_Device) 7 "
#define PINNED   "copy Memcpy_HtoD_(Pinned_->_Device) 7 "

static void copies_in_the_steps_are_counted_by_their_memory(void **state)
{
    static const char *const SCRIPT = "step 1 main 100 1000\n"
                                      "call cudaMemcpy main 1 100 150\n"
                                      "call cudaMemcpyAsync main 2 200 210\n"
                                      "call cudaMemcpyAsync main 3 300 310\n" //
        PAGEABLE "- 10 20 7\n"                                                // before the step
        PAGEABLE "1 110 140 100\n"                                            // blocking
        PAGEABLE "2 210 260 200\n"                                            //
        PINNED "3 310 330 400\n";
    (void)state;

    made_worker m;
    made_worker_open(&m, &SCRIPT, 1);
    const transfers got = transfers_analyze(&m.worker);
    assert_int_equal(got.copies, 3);
    assert_int_equal(got.copies_ns, 100);
    assert_int_equal(got.pageable, 2);
    assert_int_equal(got.pageable_ns, 80);
    assert_int_equal(got.pageable_bytes, 300);
    assert_int_equal(got.pageable_blocking, 1);
    made_worker_close(&m);
}

// A launch without a record of its work makes a step incomplete.
static void incomplete_steps_count_only_where_no_other_does(void **state)
{
    static const struct {
        const char *script;
        int64_t copies;
    } cases[] = {
        {"step 1 main 0 100\ncall cudaMemcpyAsync main 1 10 20\n" PINNED "1 30 40\n"
         "step 2 main 100 200\ncall cudaLaunchKernel main 9 110 120\n" PINNED "- 130 140\n",
         1                                                                                             },
        {"step 1 main 0 100\n" PINNED "- 30 40\nwindow 10 200\n",                                     1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        assert_int_equal(transfers_analyze(&m.worker).copies, cases[i].copies);
        made_worker_close(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_in_the_steps_are_counted_by_their_memory),
        cmocka_unit_test(incomplete_steps_count_only_where_no_other_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
