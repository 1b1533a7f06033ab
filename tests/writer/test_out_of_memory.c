// SPDX-License-Identifier: BSD-3-Clause
// The whole life of a profiler with the n-th allocation failing, for each n until all succeed: a
// status or a counted loss, never a crash, and what is written is whole.
#include "support/cmocka_all.h"
#include "support/failing_malloc.h"
#include "support/temp_dir.h"

#include "out/json_writer.h"
#include "tprof/tprof.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *in_thread(void *unused)
{
    const int64_t sizes[] = {4, 4};
    const tprof_input input = {.type = "float", .sizes = sizes, .dimensions = 2};
    const tprof_op op = {.name = "aten::relu", .inputs = &input, .input_count = 1, .sequence = 3};
    (void)unused;

    tprof_scope scope = tprof_op_begin(&op);
    tprof_end(&scope);
    scope = tprof_annotation_begin("note");
    tprof_instant("moment");
    tprof_end(&scope);
    return NULL;
}

static void train(tprof_profiler *profiler)
{
    pthread_t thread;

    for (int step = 0; step < 4; step++) {
        const bool started = pthread_create(&thread, NULL, in_thread, NULL) == 0;
        {
            TPROF_SCOPE("forward");
            tprof_scope module = tprof_module_begin("Linear", 0);
            tprof_end(&module);
        }
        if (started)
            pthread_join(thread, NULL);
        tprof_step(profiler);
    }
}

// One life: four steps and the beginning of a fifth. Returns the number of files.
static uint64_t live(const tprof_tensorboard_options *options, const char *folder)
{
    tprof_profiler *profiler;
    tprof_stats stats = {0};
    tprof_config config = {
        .activities = TPROF_CPU,
        .schedule = {.active = 2},
        .record_shapes = true,
        .profile_memory = true,
        .with_stack = true,
        .with_modules = true,
        .on_trace_ready = tprof_tensorboard_trace_handler(folder, "worker", options),
    };

    const tprof_status status = tprof_create(&config, &profiler);
    if (status != TPROF_OK) {
        assert_null(profiler);
        assert_int_equal(status, TPROF_ERR_MEMORY);
        return 0;
    }
    tprof_add_metadata(profiler, "key", "value");
    tprof_set_environment(profiler, &(tprof_environment){.model = "mlp"});
    if (tprof_start(profiler) == TPROF_OK)
        train(profiler);
    tprof_stop(profiler);
    (void)!tprof_flush(profiler);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.pending_files, 0);
    tprof_destroy(profiler);
    return stats.files;
}

static void run_all(const tprof_tensorboard_options *options, uint64_t files, bool all_later)
{
    uint64_t written = 0;
    int64_t n = 0, needed;

    do {
        char name[32];
        snprintf(name, sizeof(name), "%d-%d-%lld", (int)options->files, all_later, (long long)++n);
        const char *folder = temp_path(name);
        fail_allocation(n, all_later);
        written = live(options, folder);
        needed = allocations_counted();
        fail_allocation(0, false);
        if (!options->run_folders) {
            const int found = count_files(folder, ".pt.trace.json");
            assert_int_equal(found < 0 ? 0 : found, written);
            assert_true(count_files(folder, ".tmp") <= 0);
        }
    } while (needed >= n);
    assert_int_equal(written, files);
}

static void the_nth_allocation_may_fail(void **state)
{
    (void)state;
    run_all(&(tprof_tensorboard_options){.plain = true}, 5, false);
    run_all(&(tprof_tensorboard_options){.plain = true, .files = TPROF_FILE_PER_WINDOW}, 3, false);
    run_all(&(tprof_tensorboard_options){.plain = true, .run_folders = true}, 5, false);
}

static void all_allocations_from_the_nth_on_may_fail(void **state)
{
    (void)state;
    run_all(&(tprof_tensorboard_options){.plain = true}, 5, true);
}

static int latency_with_failures(int64_t n)
{
    tprof_latency *latency;
    tprof_latency_summary summary;
    int kept = 0;

    fail_allocation(n, false);
    if (tprof_latency_create(0, 1, &latency) == TPROF_OK) {
        for (int i = 0; i < 1000; i++)
            kept += tprof_latency_add(latency, i) == TPROF_OK;
        tprof_latency_summarize(latency, &summary);
        tprof_latency_destroy(latency);
    }
    const int needed = (int)allocations_counted();
    fail_allocation(0, false);
    assert_true(kept == 1000 || n <= needed);
    return needed;
}

static void latency_samples_may_not_fit(void **state)
{
    (void)state;
    for (int64_t n = 1; latency_with_failures(n) >= n; n++)
        continue;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_allocation_may_fail),
        cmocka_unit_test(all_allocations_from_the_nth_on_may_fail),
        cmocka_unit_test(latency_samples_may_not_fit),
    };
    temp_dir_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_dir_remove();
    return failed;
}
