// SPDX-License-Identifier: BSD-3-Clause
// Device work knows the operator or range that launched it, on the stand-ins of driver and CUPTI.
// The build names the stand-in in TPROF_CUPTI_PATH.
#include "profiler.h"
#include "tprof/tprof.h"

#include "fake_cuda.h"
#include "support/cmocka_all.h"
#include "support/gpu_window.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdio.h>

static void work_belongs_to_the_innermost_operator(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    const tprof_op outer_op = {.name = "aten::linear"};
    const tprof_op inner_op = {.name = "aten::addmm"};
    (void)state;

    gpu_launch();
    tprof_scope outer = tprof_op_begin(&outer_op);
    tprof_scope inner = tprof_op_begin(&inner_op);
    gpu_launch();
    tprof_end(&inner);
    gpu_launch();
    tprof_end(&outer);
    gpu_launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 4);
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

static void *launch_on_a_thread(void *arg)
{
    tprof_scope scope = tprof_begin_copy(arg);
    for (int i = 0; i < 100; i++)
        gpu_launch();
    tprof_end(&scope);
    return NULL;
}

static void threads_have_owners_of_their_own(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
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
        for (size_t k = 0; k < gpu_count(capture, TP_GPU_KERNEL); k++)
            own += gpu_event(capture, TP_GPU_KERNEL, k)->op_id == id;
        assert_int_equal(own, 100);
    }
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void a_range_open_across_windows_leaves_no_owner_behind(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    (void)state;

    tprof_scope open = tprof_annotation_begin("open at the end");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_end(&open);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    gpu_launch();
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last(profiler);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, 0);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->annotation_id, 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void work_of_an_operator_that_the_window_lacks_has_no_owner(void **state)
{
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    const tprof_op op = {.name = "open::op"};
    (void)state;

    tprof_scope open = tprof_op_begin(&op);
    gpu_launch();
    for (int window = 0; window < 2; window++) {
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last_prepared(profiler);
        assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 1);
        assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, 0);
        assert_int_equal(gpu_event(capture, TP_GPU_RUNTIME, 0)->op_id, 0);
        assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 1);
        tp_capture_release(capture);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        gpu_launch();
    }
    tprof_end(&open);
    tprof_destroy(profiler);
}

static void the_innermost_range_counts_however_deep_it_is(void **state)
{
    enum { DEPTH = 70, OUTER = 30, TAKEN = 64 }; // the stand-in takes so many
    tprof_profiler *profiler = gpu_start((tprof_schedule){0});
    static const int launched_at[] = {DEPTH - 1, TAKEN, TAKEN - 1, TAKEN - 2, OUTER, 0};
    tprof_scope scopes[DEPTH];
    char name[24];
    size_t launches = 0;
    (void)state;

    for (int i = 0; i < DEPTH; i++) {
        snprintf(name, sizeof(name), "range%d", i);
        scopes[i] = tprof_annotation_begin(name);
    }
    for (int i = DEPTH - 1; i >= 0; i--) {
        if (i == launched_at[launches]) {
            gpu_launch();
            launches++;
        }
        tprof_end(&scopes[i]);
    }
    gpu_launch();
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
    gpu_launch();
    assert_int_equal(tprof_step(profiler), TPROF_OK);
    fake_release();
    cudaDeviceSynchronize();
    tprof_end(&scope);
    assert_int_equal(tprof_step(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(gpu_count(capture, TP_GPU_KERNEL), 1);
    assert_int_equal(gpu_event(capture, TP_GPU_KERNEL, 0)->op_id, id_of(capture, "late::op"));
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_belongs_to_the_innermost_operator),
        cmocka_unit_test(threads_have_owners_of_their_own),
        cmocka_unit_test(a_range_open_across_windows_leaves_no_owner_behind),
        cmocka_unit_test(work_of_an_operator_that_the_window_lacks_has_no_owner),
        cmocka_unit_test(the_innermost_range_counts_however_deep_it_is),
        cmocka_unit_test(work_of_a_call_before_a_cut_knows_its_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
