// SPDX-License-Identifier: BSD-3-Clause
// The system's time is set while a window runs, on the stand-ins of driver and CUPTI: calls stay in
// the ranges around them. The build names the stand-in in TPROF_CUPTI_PATH.
#include "profiler.h"
#include "tprof/tprof.h"

#include "fake_cuda.h"
#include "support/cmocka_all.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t set_by_ns;

// The system's, but for what this program has set.
FAKE_API int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) {
        const int64_t ns = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + set_by_ns;
        now->tv_sec = ns / 1000000000;
        now->tv_nsec = ns % 1000000000;
    }
    return result;
}

static void launch_in_range(const char *name)
{
    static const fake_kernel kernel = {"gemm", 20000, 32, 0};
    const dim3 one = {1, 1, 1};

    tprof_scope scope = tprof_begin_copy(name);
    cudaLaunchKernel(&kernel, one, one, NULL, 0, NULL);
    cudaDeviceSynchronize();
    tprof_end(&scope);
}

static void expect_work_within(const tp_capture *capture, const tp_record *range)
{
    size_t found = 0;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const tp_gpu_event *event = &capture->gpu[i];
        if (event->op_id != range->id)
            continue;
        assert_true(event->begin_ns >= range->begin_ns);
        assert_true(event->end_ns <= range->end_ns);
        found++;
    }
    assert_true(found >= 3); // the kernel and both calls
}

static void calls_stay_in_their_ranges_when_the_time_is_set(void **state)
{
    static const int64_t steps[] = {3600000000000, -3600000000000, 1000000, -1000000, 3000000};
    const struct timespec pause = {0, 1000000};
    (void)state;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        tprof_profiler *profiler = NULL;
        cuInit(0);
        assert_int_equal(tprof_create(NULL, &profiler), TPROF_OK);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        launch_in_range("before");
        nanosleep(&pause, NULL);
        set_by_ns += steps[i];
        launch_in_range("after");
        assert_int_equal(tprof_stop(profiler), TPROF_OK);

        tp_capture *capture = tp_profiler_last_prepared(profiler);
        tp_cursor cursor = tp_cursor_begin(capture);
        tp_record record;
        while (tp_cursor_next(&cursor, &record))
            expect_work_within(capture, &record);
        assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
        assert_int_equal(capture->losses[TPROF_LOSS_CUT_GPU_RECORDS], 0);
        const tp_metadata *told = NULL;
        for (uint32_t m = 0; m < capture->metadata_count; m++)
            if (strcmp(capture->metadata[m].key, "tprof_gpu_clock") == 0)
                told = &capture->metadata[m];
        assert_non_null(told);
        assert_non_null(strstr(told->json, "\"step_ns\": "));
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_stay_in_their_ranges_when_the_time_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
