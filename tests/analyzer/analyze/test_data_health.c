// SPDX-License-Identifier: BSD-3-Clause
// What a recording holds and lacks, over its spans.
#include "support/cmocka_all.h"

#include "analyze/data_health.h"
#include "support/made_worker.h"

static const data_note *note_of(const data_health *r, const char *code)
{
    for (uint32_t i = 0; i < r->note_count; i++)
        if (!strcmp(r->notes[i].code, code))
            return &r->notes[i];
    return NULL;
}

static void spans_are_added_up(void **state)
{
    static const char *const SCRIPTS[] = {
        "meta tprof_gpu_status \"no_driver\"\n"
        "meta deviceProperties [{\"id\":0},{\"id\":1}]\n"
        "meta tprof_losses {\"dropped_events\":3}\n"
        "meta INFO [\"one\",\"two\"]\n"
        "step 1 main 0 100\ncall cudaLaunchKernel main 1 10 20\n",
        "meta tprof_losses {\"dropped_events\":4}\n"
        "meta INFO [\"three\",\"four\",\"five\"]\n"
        "step 2 main 0 100\ncall cudaLaunchKernel main 1 10 20\nkernel k 7 1 30 40\n"
        "call cudaDeviceSynchronize main - 50 60\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 2);
    const data_health got = data_health_analyze(&m.worker, m.arena);
    assert_int_equal(got.spans, 2);
    assert_int_equal(got.launch_calls, 2);
    assert_int_equal(got.device_events, 1);
    assert_int_equal(got.listed_devices, 2);
    assert_string_equal(got.gpu_status, "no_driver");
    assert_int_equal(got.log_lines.count, 4);
    assert_string_equal(got.log_lines.at[2], "three");
    const data_note *lost = note_of(&got, "dropped_events");
    assert_non_null(lost);
    assert_int_equal(lost->count, 7);
    assert_int_equal(lost->severity, NOTE_WARNING);
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
