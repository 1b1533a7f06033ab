// SPDX-License-Identifier: BSD-3-Clause
// The recorder, through the calls that programs use: many threads, threads that come and go, and
// what is lost when memory runs out.
#include "support/cmocka_all.h"

#include "profiler.h"
#include "recorder.h"
#include "window.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 16, RANGES = 20000 };

static tprof_profiler *begin(size_t memory_bytes)
{
    const tprof_config config = {
        .activities = TPROF_CPU, .memory_bytes = memory_bytes, .memory_only = true};
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

static void *record_ranges(void *name)
{
    if (name)
        tprof_thread_name(name);
    for (int i = 0; i < RANGES; i++) {
        TPROF_SCOPE("outer");
        TPROF_SCOPE("inner");
    }
    return NULL;
}

static void in_threads(void *(*body)(void *), int count, char names[][24])
{
    pthread_t threads[THREADS];
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, names ? names[i] : NULL), 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void sixteen_threads_lose_nothing(void **state)
{
    char names[THREADS][24];
    uint64_t counts[THREADS] = {0}, others = 0;
    (void)state;

    for (int i = 0; i < THREADS; i++)
        snprintf(names[i], sizeof(names[i]), "worker %d", i);
    tprof_profiler *profiler = begin(0);
    in_threads(record_ranges, THREADS, names);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);

    tp_capture *capture = tp_profiler_last_prepared(profiler);
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    int64_t end_ns = 0;
    const tp_thread *thread = NULL;
    while (tp_cursor_next(&cursor, &record)) {
        int number = -1;
        sscanf(record.thread->name, "worker %d", &number);
        if (number < 0 || number >= THREADS)
            others++;
        else
            counts[number]++;
        // Of one thread in order of their ends, all inside the window.
        assert_true(record.begin_ns <= record.end_ns);
        assert_true(record.begin_ns >= capture->begin_ns && record.end_ns <= capture->end_ns);
        assert_true(thread != record.thread || record.end_ns >= end_ns);
        thread = record.thread;
        end_ns = record.end_ns;
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(counts[i], 2 * RANGES);
    assert_int_equal(others, 0);
    assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_EVENTS], 0);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void *name_long(void *name)
{
    tprof_thread_name(name);
    TPROF_SCOPE("range");
    return NULL;
}

static void names_of_threads_end_between_characters(void **state)
{
    char name[200];
    pthread_t thread;
    (void)state;

    memset(name, 'x', 79);
    strcpy(name + 79, "\xc3\xa9 and more");
    tprof_profiler *profiler = begin(0);
    assert_int_equal(pthread_create(&thread, NULL, name_long, name), 0);
    pthread_join(thread, NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(capture->thread_count, 1);
    name[79] = '\0';
    assert_string_equal(capture->threads[0].name, name);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void *record_one(void *unused)
{
    (void)unused;
    TPROF_SCOPE("short");
    return NULL;
}

static void threads_that_come_and_go_share_memory(void **state)
{
    enum { ROUNDS = 500 };
    tprof_stats stats;
    (void)state;

    tprof_profiler *profiler = begin(0);
    for (int i = 0; i < ROUNDS; i++)
        in_threads(record_one, 4, NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.events, 4 * ROUNDS);
    assert_int_equal(stats.dropped_events, 0);
    // Not a chunk a thread: they were 2000.
    assert_in_range(stats.peak_memory_bytes, 1, 64 * TP_CHUNK_BYTES);

    // Each thread is told from the others although they took over one another's log.
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_in_range(capture->thread_count, 100, 4 * ROUNDS);
    tp_capture_release(capture);
    tprof_destroy(profiler);
}

static void what_does_not_fit_is_counted(void **state)
{
    // Beside what is recorded here, each thread there ever was at one time keeps a chunk.
    enum { LIMIT = 4 << 20, MANY = 100000 };
    tprof_stats stats;
    (void)state;

    tprof_profiler *profiler = begin(LIMIT);
    for (int i = 0; i < MANY; i++) {
        TPROF_SCOPE("range");
    }
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.events + stats.dropped_events, MANY);
    assert_in_range(stats.events, 1, LIMIT / sizeof(tp_event));
    assert_in_range(stats.peak_memory_bytes, 1, LIMIT);
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(capture->losses[TPROF_LOSS_DROPPED_EVENTS], stats.dropped_events);
    tp_capture_release(capture);

    // Later windows have the memory again, once it has been cleared for them.
    for (int attempt = 0; attempt < 200 && events_of(profiler) == stats.events; attempt++) {
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        record_one(NULL);
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        usleep(5000);
    }
    assert_int_equal(events_of(profiler), stats.events + 1);
    tprof_destroy(profiler);
}

static void a_long_window_goes_to_disk(void **state)
{
    enum { LIMIT = 4 << 20, BATCHES = 40, BATCH = 20000 };
    const tprof_config config = {.activities = TPROF_CPU, .memory_bytes = LIMIT};
    tprof_profiler *profiler;
    tprof_stats stats;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    for (int window = 0; window < 2; window++) {
        assert_int_equal(tprof_start(profiler), TPROF_OK);
        // 25 MB of events, in bursts that leave the time to write them.
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int i = 0; i < BATCH; i++) {
                TPROF_SCOPE("range");
            }
            uint64_t held = LIMIT, peak;
            for (int wait = 0; wait < 5000 && held > LIMIT * 3 / 4; wait++) {
                usleep(1000);
                tp_pool_usage(&held, &peak);
            }
        }
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tprof_get_stats(profiler, &stats);
        assert_int_equal(stats.dropped_events, 0);
        assert_int_equal(stats.events, (window + 1) * BATCHES * BATCH);
        assert_in_range(stats.peak_memory_bytes, 1, LIMIT);

        // All are there, in their order.
        tp_capture *capture = tp_profiler_last_prepared(profiler);
        tp_cursor cursor = tp_cursor_begin(capture);
        tp_record record;
        int64_t end_ns = capture->begin_ns, count = 0;
        for (; tp_cursor_next(&cursor, &record); count++) {
            assert_true(record.begin_ns >= end_ns);
            end_ns = record.end_ns;
        }
        assert_int_equal(count, BATCHES * BATCH);
        tp_capture_release(capture);
    }
    tprof_destroy(profiler);
}

static void many_windows_use_the_same_memory(void **state)
{
    tprof_stats stats;
    (void)state;

    tprof_profiler *profiler = begin(0);
    for (int window = 0; window < 1000; window++) {
        for (int i = 0; i < 100; i++) {
            TPROF_SCOPE("range");
        }
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
    }
    tprof_get_stats(profiler, &stats);
    assert_in_range(stats.peak_memory_bytes, 1, 64 * TP_CHUNK_BYTES);
    tprof_destroy(profiler);
}

static void ranges_that_cross_the_window_are_left_out(void **state)
{
    tprof_stats stats;
    (void)state;

    tprof_profiler *profiler = begin(0);
    tprof_scope open = tprof_begin("begun in the first window");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(events_of(profiler), 0);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    tprof_end(&open);
    record_one(NULL);
    tprof_scope never_ended = tprof_begin("open at the end");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.cut_events, 1);
    tprof_end(&never_ended);
    tprof_end(&never_ended);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.events, 1);
    assert_int_equal(stats.cut_events, 2);
    tprof_destroy(profiler);
}

static uint64_t cut_of(tprof_profiler *profiler)
{
    tprof_stats stats;
    tprof_get_stats(profiler, &stats);
    return stats.cut_events;
}

static void *leave_open(void *unused)
{
    (void)unused;
    (void)tprof_annotation_begin("never ended");
    return NULL;
}

static void ranges_open_at_the_end_are_counted_in_their_window(void **state)
{
    (void)state;

    tprof_profiler *profiler = begin(0);
    tprof_scope outer = tprof_annotation_begin("open at the end");
    tprof_scope inner = tprof_dataloader_begin("too");
    in_threads(leave_open, 2, NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(capture->event_count, 0);
    assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 4);
    tp_capture_release(capture);
    tprof_end(&inner);
    tprof_end(&outer);
    assert_int_equal(cut_of(profiler), 4);

    // The next window has nothing of them.
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    capture = tp_profiler_last_prepared(profiler);
    assert_int_equal(capture->losses[TPROF_LOSS_CUT_EVENTS], 0);
    tp_capture_release(capture);
    assert_int_equal(cut_of(profiler), 4);
    tprof_destroy(profiler);
}

static void late_ends_count_for_the_profiler_that_recorded_last(void **state)
{
    (void)state;

    tprof_profiler *first = begin(0), *second;
    assert_int_equal(tprof_create(NULL, &second), TPROF_OK);
    tprof_scope scope = tprof_begin("of the first");
    assert_int_equal(tprof_stop(first), TPROF_OK);
    tprof_end(&scope);
    assert_int_equal(cut_of(first), 1);
    assert_int_equal(cut_of(second), 0);
    assert_int_equal(tprof_start(second), TPROF_OK);
    scope = tprof_begin("of the second");
    assert_int_equal(tprof_stop(second), TPROF_OK);
    tprof_end(&scope);
    assert_int_equal(cut_of(first), 1);
    assert_int_equal(cut_of(second), 1);
    tprof_destroy(second);
    tprof_destroy(first);
}

static void what_began_while_nothing_was_recorded_is_no_range(void **state)
{
    tprof_stats stats;
    (void)state;

    tprof_scope plain = tprof_begin("before"), annotation = tprof_annotation_begin("before");
    tprof_profiler *profiler = begin(0);
    tprof_end(&annotation);
    tprof_end(&plain);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.events, 0);
    assert_int_equal(stats.cut_events, 0);
    tprof_destroy(profiler);
}

// Records from a destructor that runs after the recorder's own.
static void late(void *unused)
{
    (void)unused;
    record_one(NULL);
}

static void *end_late(void *key)
{
    pthread_setspecific(*(pthread_key_t *)key, key);
    record_one(NULL);
    return NULL;
}

static void destructors_may_record(void **state)
{
    pthread_key_t key;
    pthread_t thread;
    (void)state;

    tprof_profiler *profiler = begin(0);
    record_one(NULL);
    assert_int_equal(pthread_key_create(&key, late), 0);
    assert_int_equal(pthread_create(&thread, NULL, end_late, &key), 0);
    pthread_join(thread, NULL);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(events_of(profiler), 3);
    tprof_destroy(profiler);
    pthread_key_delete(key);
}

static void *record_forever(void *stop)
{
    while (!atomic_load((atomic_bool *)stop)) {
        TPROF_SCOPE("range");
        tprof_scope copy = tprof_begin_copy("copied");
        tprof_counter("counter", 1.5);
        tprof_end(&copy);
    }
    return NULL;
}

static void windows_may_change_while_threads_record(void **state)
{
    atomic_bool stop = false;
    pthread_t threads[4];
    (void)state;

    tprof_profiler *profiler = begin(8 << 20);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_forever, &stop), 0);
    for (int i = 0; i < 50; i++) {
        usleep(1000);
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tp_capture *capture = tp_profiler_last_prepared(profiler);
        tp_cursor cursor = tp_cursor_begin(capture);
        tp_record record;
        uint64_t count = 0;
        for (; tp_cursor_next(&cursor, &record); count++)
            assert_true(record.begin_ns >= capture->begin_ns);
        assert_int_equal(count, capture->event_count);
        tp_capture_release(capture);
        assert_int_equal(tprof_start(profiler), TPROF_OK);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_threads_lose_nothing),
        cmocka_unit_test(names_of_threads_end_between_characters),
        cmocka_unit_test(threads_that_come_and_go_share_memory),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(a_long_window_goes_to_disk),
        cmocka_unit_test(many_windows_use_the_same_memory),
        cmocka_unit_test(ranges_that_cross_the_window_are_left_out),
        cmocka_unit_test(ranges_open_at_the_end_are_counted_in_their_window),
        cmocka_unit_test(late_ends_count_for_the_profiler_that_recorded_last),
        cmocka_unit_test(what_began_while_nothing_was_recorded_is_no_range),
        cmocka_unit_test(destructors_may_record),
        cmocka_unit_test(windows_may_change_while_threads_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
