// SPDX-License-Identifier: BSD-3-Clause
// A program with a profiler of its own, on the stand-ins of driver and CUPTI: device work knows its
// operator, its annotations and its window. The build names the stand-in in TPROF_CUPTI_PATH.
#include "gpu/source.h"
#include "profiler.h"
#include "tprof/tprof.h"

#include "fake_cuda.h"
#include "support/cmocka_all.h"

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

static const fake_kernel KERNEL = {"_Z4gemmPfS_S_i", 20000, 32, 0};

static void launch(void)
{
    const dim3 grid = {1, 1, 1};
    const dim3 block = {32, 1, 1};
    cudaLaunchKernel(&KERNEL, grid, block, NULL, 0, NULL);
}

static tprof_profiler *start(tprof_schedule schedule)
{
    const tprof_config config = {.schedule = schedule};
    tprof_profiler *profiler = NULL;
    cuInit(0);
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    return profiler;
}

// The number-th event of a kind of the last window.
static const tp_gpu_event *gpu_event(const tp_capture *capture, tp_gpu_kind kind, size_t number)
{
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (capture->gpu[i].kind == kind && number-- == 0)
            return &capture->gpu[i];
    return NULL;
}

static size_t count(const tp_capture *capture, tp_gpu_kind kind)
{
    size_t n = 0;
    while (gpu_event(capture, kind, n))
        n++;
    return n;
}

static const tp_gpu_event *projection(const tp_capture *capture, const char *name)
{
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (capture->gpu[i].kind == TP_GPU_ANNOTATION && strcmp(capture->gpu[i].name, name) == 0)
            return &capture->gpu[i];
    return NULL;
}

static uint32_t id_of(const tp_capture *capture, const char *name)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    while (tp_cursor_next(&cursor, &record))
        if (strcmp(record.name, name) == 0)
            return record.id;
    fail_msg("no event %s", name);
    return 0;
}

static void work_belongs_to_the_innermost_operator(void **state)
{
    tprof_profiler *profiler = start((tprof_schedule){0});
    const tprof_op outer_op = {.name = "aten::linear"};
    const tprof_op inner_op = {.name = "aten::addmm"};
    (void)state;

    launch();
    tprof_scope outer = tprof_op_begin(&outer_op);
    tprof_scope inner = tprof_op_begin(&inner_op);
    launch();
    tprof_end(&inner);
    launch();
    tprof_end(&outer);
    launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(count(capture, TP_GPU_KERNEL), 4);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, 0);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 1)->op_id, id_of(capture, "aten::addmm"));
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 2)->op_id, id_of(capture, "aten::linear"));
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 3)->op_id, 0);
    assert_int_equal(gpu_event(capture, TP_GPU_RUNTIME, 1)->op_id, id_of(capture, "aten::addmm"));
    assert_string_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->name,
                        "gemm(float*, float*, float*, int)");
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void annotations_reach_from_their_first_to_their_last_work(void **state)
{
    tprof_profiler *profiler = start((tprof_schedule){.active = 1});
    (void)state;

    launch();
    tprof_scope outer = tprof_annotation_begin("outer");
    launch();
    tprof_scope inner = tprof_annotation_begin("inner");
    launch();
    tprof_end(&inner);
    tprof_scope idle = tprof_annotation_begin("idle");
    tprof_end(&idle);
    tprof_end(&outer);
    launch();
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
    tprof_profiler *profiler = start((tprof_schedule){.wait = 1, .warmup = 1, .active = 2});
    (void)state;

    for (int step = 0; step < 8; step++) {
        for (int i = 0; i <= step; i++)
            launch();
        assert_int_equal(tprof_step(profiler), TPROF_OK);
        if (step % 4 != 3)
            continue;
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(count(capture, TP_GPU_KERNEL), step + step + 1);
        assert_int_equal(capture->losses[TPROF_LOSS_CUT_GPU_RECORDS], 0);
        assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
        tp_capture_release(capture);
    }
    tprof_destroy(profiler);
}

static void *launch_on_a_thread(void *arg)
{
    tprof_scope scope = tprof_begin_copy(arg);
    for (int i = 0; i < 100; i++)
        launch();
    tprof_end(&scope);
    return NULL;
}

static void threads_have_owners_of_their_own(void **state)
{
    tprof_profiler *profiler = start((tprof_schedule){0});
    char names[4][24];
    pthread_t threads[4];
    (void)state;

    for (int i = 0; i < 4; i++) {
        snprintf(names[i], sizeof(names[i]), "thread%d", i);
        pthread_create(&threads[i], NULL, launch_on_a_thread, names[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    for (int i = 0; i < 4; i++) {
        const uint32_t id = id_of(capture, names[i]);
        size_t own = 0;
        for (size_t k = 0; k < count(capture, TP_GPU_KERNEL); k++)
            own += gpu_event(capture, TP_GPU_KERNEL, k)->op_id == id;
        assert_int_equal(own, 100);
    }
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void a_range_open_across_windows_leaves_no_owner_behind(void **state)
{
    tprof_profiler *profiler = start((tprof_schedule){0});
    (void)state;

    tprof_scope open = tprof_annotation_begin("open at the end");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_end(&open);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, 0);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->annotation_id, 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void work_of_an_operator_that_the_window_lacks_has_no_owner(void **state)
{
    tprof_profiler *profiler = start((tprof_schedule){0});
    const tprof_op op = {.name = "open::op"};
    (void)state;

    tprof_scope open = tprof_op_begin(&op);
    launch();
    for (int window = 0; window < 2; window++) {
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last_prepared(profiler);
        assert_int_equal(count(capture, TP_GPU_KERNEL), 1);
        assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, 0);
        assert_int_equal(gpu_event(capture, TP_GPU_RUNTIME, 0)->op_id, 0);
        assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 1);
        tp_capture_release(capture);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        launch();
    }
    tprof_end(&open);
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
    tprof_profiler *profiler = start((tprof_schedule){0});
    (void)state;

    launch();
    after_flush(launch);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(count(capture, TP_GPU_KERNEL), 2);
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
                            .kernel = &KERNEL,
                            .start_ns = long_ago_ns,
                            .end_ns = long_ago_ns + 1,
                            .correlation = 1});
    dlclose(cupti);
}

static void a_record_that_comes_in_after_its_window_is_counted(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        tprof_profiler *profiler = start((tprof_schedule){0});
        long_ago_ns = monotonic_ns();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);

        assert_int_equal(tprof_start(profiler), TPROF_OK);
        // The second time it belongs to no window, since it is older than both.
        long_ago_ns -= twice ? 1000000000u : 0;
        deliver_late();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(count(capture, TP_GPU_KERNEL), 0);
        assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], twice ? 0 : 1);
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
}

static void what_warm_up_had_no_buffers_for_is_no_loss_of_the_window(void **state)
{
    enum { MORE_THAN_8_MB = 40000 };
    tprof_profiler *profiler = start((tprof_schedule){.warmup = 1, .active = 1, .repeat = 1});
    (void)state;

    for (int i = 0; i < MORE_THAN_8_MB; i++)
        launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(count(capture, TP_GPU_KERNEL), 1);
    assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_GPU_RECORDS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void the_innermost_range_counts_however_deep_it_is(void **state)
{
    enum { DEPTH = 70, OUTER = 30, TAKEN = 64 }; // the stand-in takes so many
    tprof_profiler *profiler = start((tprof_schedule){0});
    static const int launched_at[] = {DEPTH - 1, TAKEN, TAKEN - 1, TAKEN - 2, OUTER, 0};
    tprof_scope scopes[DEPTH];
    char name[16];
    size_t launches = 0;
    (void)state;

    for (int i = 0; i < DEPTH; i++) {
        snprintf(name, sizeof(name), "range%d", i);
        scopes[i] = tprof_annotation_begin(name);
    }
    for (int i = DEPTH - 1; i >= 0; i--) {
        if (i == launched_at[launches]) {
            launch();
            launches++;
        }
        tprof_end(&scopes[i]);
    }
    launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(launches, 6);
    for (size_t i = 0; i < launches; i++) {
        snprintf(name, sizeof(name), "range%d", launched_at[i]);
        assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, i)->op_id, id_of(capture, name));
        assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, i)->annotation_id, id_of(capture, name));
    }
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, launches)->op_id, 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void nothing_is_done(tprof_profiler *profiler, void *arg)
{
    (void)profiler;
    (void)arg;
}

static void work_of_a_call_before_a_cut_knows_its_operator(void **state)
{
    const tprof_config config = {
        .schedule = {.active = 2,             .repeat = 1      },
        .on_trace_ready = {.call = nothing_is_done, .each_step = true},
    };
    const tprof_op op = {.name = "late::op"};
    tprof_profiler *profiler;
    (void)state;

    cuInit(0);
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    tprof_scope scope = tprof_op_begin(&op);
    fake_hold();
    launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    fake_release();
    cudaDeviceSynchronize();
    tprof_end(&scope);
    assert_int_equal(tprof_step(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(count(capture, TP_GPU_KERNEL), 1);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, id_of(capture, "late::op"));
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void a_profiler_after_another_records_as_well(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        tprof_profiler *profiler = start((tprof_schedule){0});
        launch();
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last(profiler);
        assert_int_equal(count(capture, TP_GPU_KERNEL), 1);
        assert_int_equal(capture->device_count, 2);
        tp_capture_release(capture);
        tprof_destroy(profiler);
    }
    // Nothing is left that would keep another tool out.
    assert_int_equal(tp_gpu_open(), TPROF_OK);
    tp_gpu_close();
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
    launch();
    tprof_end(&scope);
    launch();
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
    tprof_profiler *profiler = start((tprof_schedule){0});
    const tprof_op op = {.name = "parent::op"};
    int status;
    (void)state;

    tprof_scope scope = tprof_op_begin(&op);
    launch();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(record_in_a_child());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    launch();
    tprof_end(&scope);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(count(capture, TP_GPU_KERNEL), 2);
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
        cmocka_unit_test(work_belongs_to_the_innermost_operator),
        cmocka_unit_test(annotations_reach_from_their_first_to_their_last_work),
        cmocka_unit_test(each_window_has_the_work_that_was_launched_in_it),
        cmocka_unit_test(threads_have_owners_of_their_own),
        cmocka_unit_test(a_range_open_across_windows_leaves_no_owner_behind),
        cmocka_unit_test(work_of_an_operator_that_the_window_lacks_has_no_owner),
        cmocka_unit_test(work_given_while_a_window_ends_is_in_it),
        cmocka_unit_test(a_record_that_comes_in_after_its_window_is_counted),
        cmocka_unit_test(what_warm_up_had_no_buffers_for_is_no_loss_of_the_window),
        cmocka_unit_test(the_innermost_range_counts_however_deep_it_is),
        cmocka_unit_test(work_of_a_call_before_a_cut_knows_its_operator),
        cmocka_unit_test(a_profiler_after_another_records_as_well),
        cmocka_unit_test(a_child_records_without_its_parents_device),
        cmocka_unit_test(another_client_of_cupti_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
