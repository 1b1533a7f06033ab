// SPDX-License-Identifier: BSD-3-Clause
// Which ranges nest with those of their thread, and which get a row of their own.
#include "inject/nvtx_ranges.h"

#include "support/cmocka_all.h"

#include <pthread.h>

static uint64_t ticks;

static tp_nvtx_range range_of(nvtx_domain domain, const char *name)
{
    return (tp_nvtx_range){.domain = domain, .name = name, .begin = ++ticks};
}

static int push(nvtx_domain domain, const char *name)
{
    const tp_nvtx_range range = range_of(domain, name);
    int level;
    tp_nvtx_push(&range, &level);
    return level;
}

static nvtx_range_id start(const char *name)
{
    const tp_nvtx_range range = range_of(NULL, name);
    return tp_nvtx_start(&range);
}

static void assert_popped(nvtx_domain domain, int level, const char *name)
{
    tp_nvtx_range range;
    assert_int_equal(tp_nvtx_pop(domain, &range), level);
    assert_string_equal(range.name, name);
}

static void assert_finished(nvtx_range_id id, const char *name, int lane)
{
    tp_nvtx_range range;
    int found;
    assert_true(tp_nvtx_finish(id, &range, &found));
    assert_string_equal(range.name, name);
    assert_int_equal(found, lane);
}

static void ranges_nest_within_their_domain(void **state)
{
    char x;
    nvtx_domain other = &x;
    tp_nvtx_range range;
    (void)state;

    assert_int_equal(push(NULL, "a"), 0);
    assert_int_equal(push(other, "b"), 0);
    assert_int_equal(push(NULL, "c"), 1);
    assert_popped(other, 0, "b"); // although "c" is open in it
    assert_popped(NULL, 1, "c");
    assert_popped(NULL, 0, "a");
    assert_int_equal(tp_nvtx_pop(NULL, &range), -1);
    assert_int_equal(tp_nvtx_pop(other, &range), -1);
}

static void ranges_too_deep_to_be_kept_are_told_and_leave_the_others_right(void **state)
{
    enum { DEEP = 5000, KEPT = 4096 };
    tp_nvtx_range range;
    (void)state;

    for (int i = 0; i < DEEP; i++) {
        int level;
        range = range_of(NULL, "deep");
        assert_int_equal(tp_nvtx_push(&range, &level), i < KEPT);
        assert_int_equal(level, i);
    }
    for (int i = DEEP - 1; i >= 0; i--)
        assert_int_equal(tp_nvtx_pop(NULL, &range), i < KEPT ? i : -2);
    assert_int_equal(tp_nvtx_pop(NULL, &range), -1);
}

static void a_range_that_nests_lies_on_its_thread(void **state)
{
    (void)state;
    const nvtx_range_id outer = start("outer");
    const nvtx_range_id inner = start("inner");
    push(NULL, "pushed");
    assert_popped(NULL, 0, "pushed");
    assert_finished(inner, "inner", 0);
    assert_finished(outer, "outer", 0);
}

static void ranges_that_overlap_get_rows_of_their_own(void **state)
{
    (void)state;
    const nvtx_range_id first = start("first");
    const nvtx_range_id second = start("second");
    assert_finished(first, "first", 1); // the second is still open
    push(NULL, "pushed");
    assert_finished(second, "second", 2); // the pushed one is
    const nvtx_range_id third = start("third");
    assert_popped(NULL, 0, "pushed");
    assert_finished(third, "third", 1); // what it began in is not
}

static void *finish_elsewhere(void *arg)
{
    assert_finished(*(nvtx_range_id *)arg, "crossing", 1);
    return NULL;
}

static void a_range_that_ends_on_another_thread_gets_a_row(void **state)
{
    pthread_t thread;
    nvtx_range_id id = start("crossing");
    (void)state;

    pthread_create(&thread, NULL, finish_elsewhere, &id);
    pthread_join(thread, NULL);
}

static void *start_and_leave(void *id)
{
    *(nvtx_range_id *)id = start("left");
    return NULL;
}

static void *finish_left(void *arg)
{
    push(NULL, "other"); // this thread's ranges may lie where those of the first did
    tp_nvtx_range range;
    tp_nvtx_pop(NULL, &range);
    assert_finished(*(nvtx_range_id *)arg, "left", 1);
    return NULL;
}

static void a_range_whose_thread_is_gone_gets_a_row(void **state)
{
    pthread_t thread;
    nvtx_range_id id = 0;
    (void)state;

    pthread_create(&thread, NULL, start_and_leave, &id);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, finish_left, &id);
    pthread_join(thread, NULL);
}

static void numbers_of_no_range_are_refused(void **state)
{
    const nvtx_range_id id = start("once");
    tp_nvtx_range range;
    int lane;
    (void)state;

    assert_false(tp_nvtx_finish(0, &range, &lane));
    assert_false(tp_nvtx_finish(UINT64_MAX, &range, &lane));
    assert_finished(id, "once", 0);
    assert_false(tp_nvtx_finish(id, &range, &lane));
    const nvtx_range_id again = start("again");
    assert_true(again != id);
    assert_false(tp_nvtx_finish(id, &range, &lane));
    assert_finished(again, "again", 0);
}

static void more_open_ranges_than_there_is_room_for_have_no_number(void **state)
{
    enum { MANY = 17000 };
    static nvtx_range_id ids[MANY];
    tp_nvtx_range range;
    int lane, refused = 0;
    (void)state;

    for (int i = 0; i < MANY; i++)
        refused += (ids[i] = start("many")) == 0;
    assert_int_equal(refused, MANY - 16384);
    for (int i = 0; i < MANY; i++)
        tp_nvtx_finish(ids[i], &range, &lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_nest_within_their_domain),
        cmocka_unit_test(ranges_too_deep_to_be_kept_are_told_and_leave_the_others_right),
        cmocka_unit_test(a_range_that_nests_lies_on_its_thread),
        cmocka_unit_test(ranges_that_overlap_get_rows_of_their_own),
        cmocka_unit_test(a_range_that_ends_on_another_thread_gets_a_row),
        cmocka_unit_test(a_range_whose_thread_is_gone_gets_a_row),
        cmocka_unit_test(numbers_of_no_range_are_refused),
        cmocka_unit_test(more_open_ranges_than_there_is_room_for_have_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
