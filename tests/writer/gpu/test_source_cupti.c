// SPDX-License-Identifier: BSD-3-Clause
// A program with a profiler of its own, on the stand-ins of driver and CUPTI: device work knows its
// annotations and its window. The build names the stand-in in TPROF_CUPTI_PATH.
#include "gpu/source.h"
#include "profiler.h"
#include "tprof/tprof.h"

#include "fake_cuda.h"
#include "support/cmocka_all.h"
#include "support/gpu_window.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const tp_gpu_event *projection(const tp_capture *capture, const char *name)
{
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (capture->gpu[i].kind == TP_GPU_ANNOTATION && strcmp(capture->gpu[i].name, name) == 0)
            return &capture->gpu[i];
    return NULL;
}

static void annotations_reach_from_their_first_to_their_last_work(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){.active = 1});
    (void)state;

    gpu_launch();
    tprof_scope outer = tprof_annotation_begin("outer");
    gpu_launch();
    tprof_scope inner = tprof_annotation_begin("inner");
    gpu_launch();
    tprof_end(&inner);
    tprof_scope idle = tprof_annotation_begin("idle");
    tprof_end(&idle);
    tprof_end(&outer);
    gpu_launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    const tp_gpu_event *kernels[3];
    for (size_t i = 0; i < 3; i++)
        kernels[i] = gpu_event(capture, TP_GPU_KERNEL, i);
    const struct {
        const char *name;
        const tp_gpu_event *first, *last;
    } cases[] = {
        {"outer", kernels[1], kernels[2]},
        {"inner", kernels[2], kernels[2]},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const tp_gpu_event *found = projection(capture, cases[i].name);
        assert_non_null(found);
        assert_int_equal(found->begin_ns, cases[i].first->begin_ns - 1);
        assert_int_equal(found->end_ns, cases[i].last->end_ns + 1);
    }
    assert_null(projection(capture, "idle"));
    assert_null(projection(capture, "ProfilerStep#0"));
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void each_window_has_the_work_that_was_launched_in_it(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){.wait = 1, .warmup = 1, .active = 2});
    (void)state;

    for (int step = 0; step < 8; step++) {
        for (int i = 0; i <= step; i++)
            gpu_launch();
        assert_int_equal(tprof_step(profiler), TPROF_OK);
        if (step % 4 != 3)
            continue;
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), step + step + 1);
        assert_int_equal(capture->losses[TPROF_LOSS_CUT_GPU_RECORDS], 0);
        assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
        tp_capture_release(capture);
    }
    tprof_destroy(profiler);
}

// Has `call` called behind the stand-in's next flush, as other threads may be at work then.
static void after_flush(void (*call)(void))
{
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    void (**place)(void);
    *(void **)(void *)&place = dlsym(cupti, "fake_cupti_after_flush");
    *place = call;
    dlclose(cupti);
}

static void work_given_while_a_window_ends_is_in_it(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    (void)state;

    gpu_launch();
    after_flush(gpu_launch);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 2);
    assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static uint64_t long_ago_ns; // of CLOCK_MONOTONIC

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// Work of the window before, whose record comes in only now.
static void deliver_late(void)
{
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    const fake_sink *sink = dlsym(cupti, "fake_cupti_sink");
    sink->work(&(fake_work){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                            .kernel = &GPU_WINDOW_KERNEL,
                            .start_ns = long_ago_ns,
                            .end_ns = long_ago_ns + 1,
                            .correlation = 1});
    dlclose(cupti);
}

static void a_record_that_comes_in_after_its_window_is_counted(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        tprof_profiler *profiler = gpu_start((tprof_schedule){0});
        long_ago_ns = monotonic_ns();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);

        assert_int_equal(tprof_start(profiler), TPROF_OK);
        // The second time it belongs to no window, since it is older than both.
        long_ago_ns -= twice ? 1000000000u : 0;
        deliver_late();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 0);
        assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], twice ? 0 : 1);
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
}

static void what_warm_up_had_no_buffers_for_is_no_loss_of_the_window(void **state)
{
    enum { MORE_THAN_8_MB = 40000 };
    tprof_profiler *profiler = gpu_start((tprof_schedule){.warmup = 1, .active = 1, .repeat = 1});
    (void)state;

    for (int i = 0; i < MORE_THAN_8_MB; i++)
        gpu_launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    gpu_launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 1);
    assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void waits_are_on_the_device_whose_context_was_there_before(void **state)
{
    (void)state;
    for (int device = 1; device >= 0; device--) {
        cudaSetDevice(device);
        tprof_profiler *profiler = gpu_start((tprof_schedule){0});
        cudaDeviceSynchronize();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(gpu_event(capture, TP_GPU_SYNC, 0)->device, device);
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
}

static void a_profiler_after_another_records_as_well(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        tprof_profiler *profiler = gpu_start((tprof_schedule){0});
        gpu_launch();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 1);
        assert_int_equal(capture->device_count, 2);
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
    // Nothing is left that would keep another tool out.
    assert_int_equal(tp_gpu_open(), TPROF_OK);
    tp_gpu_close();
}

// The memory that such a record brings is the reader's, be it read for no window: a sanitizer sees
// it.
static void what_nobody_reads_is_released(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){.warmup = 1, .active = 1});
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    const fake_sink *sink = dlsym(cupti, "fake_cupti_sink");
    (void)state;

    sink->overhead(1, 2, malloc(100));
    dlclose(cupti);
    tprof_destroy(profiler);
}

// What a child with a profiler of its own finds wrong with its trace; 0: nothing.
static int record_in_a_child(void)
{
    const tprof_config config = {0};
    const tprof_op op = {.name = "child::op"};
    tprof_profiler *profiler;

    if (tprof_create(&config, &profiler) != TPROF_OK || tprof_start(profiler) != TPROF_OK)
        return 1;
    tprof_scope scope = tprof_op_begin(&op);
    gpu_launch();
    tprof_end(&scope);
    gpu_launch();
    if (tprof_stop(profiler) != TPROF_OK)
        return 2;
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    if (capture->event_count != 1 || capture->gpu_count != 0)
        return 3;
    bool told = false;
    for (uint32_t i = 0; i < capture->metadata_count; i++)
        told |= strstr(capture->metadata[i].json, "forked") != NULL;
    tp_capture_release(capture);
    tprof_destroy(profiler);
    return told ? 0 : 4;
}

static void a_child_records_without_its_parents_device(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    const tprof_op op = {.name = "parent::op"};
    int status;
    (void)state;

    tprof_scope scope = tprof_op_begin(&op);
    gpu_launch();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(record_in_a_child());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    gpu_launch();
    tprof_end(&scope);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, i)->op_id, id_of(capture, "parent::op"));
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void another_client_of_cupti_is_left_alone(void **state)
{
    const tprof_config all = {0};
    const tprof_config gpu_only = {.activities = TPROF_CUDA};
    tprof_profiler *profiler;
    char text[512];
    (void)state;

    assert_int_equal(tp_gpu_open(), TPROF_OK); // loads the stand-in
    tp_gpu_close();
    CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
    CUptiResult (*unsubscribe)(CUpti_SubscriberHandle);
    void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&subscribe = dlsym(cupti, "cuptiSubscribe");
    *(void **)(void *)&unsubscribe = dlsym(cupti, "cuptiUnsubscribe");
    CUpti_SubscriberHandle other;
    assert_int_equal(subscribe(&other, NULL, NULL), CUPTI_SUCCESS);

    assert_int_equal(tprof_create(&all, &profiler), TPROF_OK);
    tprof_error(profiler, text, sizeof(text));
    assert_non_null(strstr(text, "another tool"));
    tprof_destroy(profiler);
    assert_int_equal(tprof_create(&gpu_only, &profiler), TPROF_ERR_GPU);

    // It still is the client.
    assert_int_equal(unsubscribe(other), CUPTI_SUCCESS);
    assert_int_equal(tprof_create(&gpu_only, &profiler), TPROF_OK);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(annotations_reach_from_their_first_to_their_last_work),
        cmocka_unit_test(each_window_has_the_work_that_was_launched_in_it),
        cmocka_unit_test(work_given_while_a_window_ends_is_in_it),
        cmocka_unit_test(a_record_that_comes_in_after_its_window_is_counted),
        cmocka_unit_test(what_warm_up_had_no_buffers_for_is_no_loss_of_the_window),
        cmocka_unit_test(waits_are_on_the_device_whose_context_was_there_before),
        cmocka_unit_test(a_profiler_after_another_records_as_well),
        cmocka_unit_test(a_child_records_without_its_parents_device),
        cmocka_unit_test(what_nobody_reads_is_released),
        cmocka_unit_test(another_client_of_cupti_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
