// SPDX-License-Identifier: BSD-3-Clause
// Who gets events of device memory, on the stand-ins of driver and CUPTI: the profilers that asked.
// The build names the stand-in in TPROF_CUPTI_PATH.
#include "gpu/source.h"
#include "profiler.h"
#include "tprof/tprof.h"
#include "window.h"

#include "support/cmocka_all.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <dlfcn.h>

static tprof_profiler *make(bool profile_memory)
{
    const tprof_config config = {.profile_memory = profile_memory};
    tprof_profiler *profiler = NULL;
    cuInit(0);
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    return profiler;
}

// Records a window with an allocation and its end.
static size_t memory_events(tprof_profiler *profiler)
{
    size_t found = 0;
    void *memory;

    assert_int_equal(tprof_start(profiler), TPROF_OK);
    cudaMalloc(&memory, 4096);
    cudaFree(memory);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    for (size_t i = 0; i < capture->gpu_count; i++)
        found += capture->gpu[i].kind == TP_GPU_MEMORY;
    tp_capture_release(capture);
    return found;
}

static void a_profiler_made_while_another_exists_gets_them(void **state)
{
    tprof_profiler *without = make(false);
    tprof_profiler *with = make(true);
    (void)state;

    assert_int_equal(memory_events(with), 2);
    assert_int_equal(memory_events(without), 0);
    assert_int_equal(memory_events(with), 2);
    tprof_destroy(with);
    tprof_destroy(without);
}

static void one_that_was_refused_leaves_none_to_the_next(void **state)
{
    CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
    CUptiResult (*unsubscribe)(CUpti_SubscriberHandle);
    CUpti_SubscriberHandle other;
    (void)state;

    assert_int_equal(tp_gpu_open(), TPROF_OK); // loads the stand-in
    tp_gpu_close();
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&subscribe = dlsym(cupti, "cuptiSubscribe");
    *(void **)(void *)&unsubscribe = dlsym(cupti, "cuptiUnsubscribe");
    assert_int_equal(subscribe(&other, NULL, NULL), CUPTI_SUCCESS);
    tprof_destroy(make(true));
    assert_int_equal(unsubscribe(other), CUPTI_SUCCESS);

    // Enabled, the kind would bring records.
    assert_int_equal(tp_gpu_open(), TPROF_OK);
    void *memory;
    tp_capture *capture = tp_capture_create();
    capture->profile_memory = true;
    capture->end_ns = INT64_MAX / 2;
    assert_int_equal(tp_gpu_start(), TPROF_OK);
    cudaMalloc(&memory, 4096);
    cudaFree(memory);
    tp_gpu_stop();
    tp_gpu_collect(capture);
    for (size_t i = 0; i < capture->gpu_count; i++)
        assert_int_not_equal(capture->gpu[i].kind, TP_GPU_MEMORY);
    tp_capture_release(capture);
    tp_gpu_close();
    dlclose(cupti);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profiler_made_while_another_exists_gets_them),
        cmocka_unit_test(one_that_was_refused_leaves_none_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
