// SPDX-License-Identifier: BSD-3-Clause
// What a forked child may do, whatever the threads of its parent were doing.
#include "support/cmocka_all.h"

#include "capture.h"
#include "chunk_pool.h"
#include "stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static tprof_profiler *begin(void)
{
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *profiler;
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    return profiler;
}

static uint64_t events_of(tprof_profiler *profiler)
{
    tprof_stats stats;
    tprof_get_stats(profiler, &stats);
    return stats.events;
}

static void record_one(void)
{
    TPROF_SCOPE("range");
}

static void assert_child_returns_0(int (*body)(tprof_profiler *parents), tprof_profiler *parents)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body(parents));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

// What a child may do: record nothing with the parent's profiler, and use one of its own.
static int in_child(tprof_profiler *parents)
{
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *own;
    uint64_t held, peak;

    if (tprof_recording())
        return 4;
    record_one();
    tp_pool_usage(&held, &peak);
    if (held || peak)
        return 5;
    if (tprof_step(parents) != TPROF_ERR_STATE || tprof_stop(parents) != TPROF_ERR_STATE)
        return 1;
    if (tprof_create(&config, &own) != TPROF_OK || tprof_start(own) != TPROF_OK)
        return 2;
    for (int i = 0; i < 10000; i++)
        record_one();
    if (tprof_stop(own) != TPROF_OK || events_of(own) != 10000)
        return 3;
    tprof_destroy(own);
    tprof_destroy(parents);
    return 0;
}

// Only the steps of the child's own window are recorded, before and after the parent's is
// destroyed.
static int steps_in_child(tprof_profiler *parents)
{
    const tprof_config config = {
        .activities = TPROF_CPU, .schedule = {.wait = 1, .active = 1}
    };
    tprof_profiler *own;

    if (tprof_create(&config, &own) != TPROF_OK || tprof_recording())
        return 1;
    if (tprof_start(own) != TPROF_OK || tprof_recording())
        return 2;
    tprof_destroy(parents);
    if (tprof_step(own) != TPROF_OK || !tprof_recording())
        return 3;
    record_one();
    if (tprof_step(own) != TPROF_OK || tprof_recording())
        return 4;
    const bool counted = events_of(own) == 2; // the range and the step
    tprof_destroy(own);
    return counted ? 0 : 5;
}

static void a_forked_child_records_in_its_own_windows_only(void **state)
{
    (void)state;

    tprof_profiler *profiler = begin();
    record_one();
    assert_child_returns_0(steps_in_child, profiler);
    assert_true(tprof_recording());
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(events_of(profiler), 1);
    tprof_destroy(profiler);
}

static void *keep_recording(void *stop)
{
    while (!atomic_load((atomic_bool *)stop))
        record_one();
    return NULL;
}

static void a_forked_child_starts_anew(void **state)
{
    atomic_bool stop = false;
    pthread_t other;
    (void)state;

    tprof_profiler *profiler = begin();
    assert_int_equal(pthread_create(&other, NULL, keep_recording, &stop), 0);
    for (int i = 0; i < 20; i++) {
        record_one();
        assert_child_returns_0(in_child, profiler);
    }
    atomic_store(&stop, true);
    pthread_join(other, NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_in_range(events_of(profiler), 20, INT64_MAX);
    tprof_destroy(profiler);
}

// Asks for what needs the texts of stacks, with a profiler of its own.
static int tables_in_child(tprof_profiler *parents)
{
    const tprof_config config = {.activities = TPROF_CPU, .with_stack = true};
    const tprof_averages_options by_stack = {.group_by_stack_n = 3};
    tprof_profiler *own;
    tprof_averages *averages;

    (void)parents;
    alarm(5); // a lock that is never given back
    if (tprof_create(&config, &own) != TPROF_OK || tprof_start(own) != TPROF_OK)
        return 1;
    const tprof_op op = {.name = "aten::mm", .stack = "net.c(3): forward;train.c(9): main"};
    tprof_scope scope = tprof_op_begin(&op);
    tprof_end(&scope);
    if (tprof_stop(own) != TPROF_OK || tprof_key_averages(own, &by_stack, &averages) != TPROF_OK)
        return 2;
    const bool counted = tprof_averages_count(averages) == 1;
    tprof_averages_free(averages);
    tprof_destroy(own);
    return counted ? 0 : 3;
}

// What the thread that writes files does for each event with a stack.
static void *read_stacks(void *stop)
{
    const tp_stack *stack = tp_stack_here(NULL);
    while (!atomic_load((atomic_bool *)stop))
        tp_stack_text(stack);
    return NULL;
}

static void a_child_reads_stacks_that_its_parent_was_reading(void **state)
{
    enum { FORKS = 40 };
    tprof_profiler *profiler = begin();
    atomic_bool stop = false;
    pthread_t reader;
    (void)state;

    assert_int_equal(pthread_create(&reader, NULL, read_stacks, &stop), 0);
    for (int i = 0; i < FORKS; i++)
        assert_child_returns_0(tables_in_child, profiler);
    atomic_store(&stop, true);
    pthread_join(reader, NULL);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forked_child_starts_anew),
        cmocka_unit_test(a_forked_child_records_in_its_own_windows_only),
        cmocka_unit_test(a_child_reads_stacks_that_its_parent_was_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
