// SPDX-License-Identifier: BSD-3-Clause
// The pool that CUPTI's buffers come from: order, limit, reuse, threads.
#include "gpu/buffers.h"

#include "support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 1024, LIMIT = 3 };

static tp_buffers pool;

static int setup(void **state)
{
    (void)state;
    tp_buffers_init(&pool, BYTES, LIMIT * BYTES);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tp_buffers_free(&pool);
    return 0;
}

static void buffers_are_aligned_and_of_the_size_asked_for(void **state)
{
    tp_buffer *buffer = tp_buffers_request(&pool, false);
    (void)state;

    assert_int_equal(buffer->size, BYTES);
    assert_int_equal((uintptr_t)buffer->data % 8, 0);
    memset(buffer->data, 1, buffer->size);
    tp_buffers_complete(&pool, buffer->data, 0);
}

static void full_buffers_come_in_the_order_in_which_they_were_completed(void **state)
{
    tp_buffer *a = tp_buffers_request(&pool, false);
    tp_buffer *b = tp_buffers_request(&pool, false);
    (void)state;

    memset(b->data, 'b', BYTES);
    tp_buffers_complete(&pool, b->data, 600);
    tp_buffers_complete(&pool, a->data, BYTES + 1); // more than there is, is cut
    tp_buffer *list = tp_buffers_take(&pool);
    assert_ptr_equal(list, b);
    assert_int_equal(list->valid, 600);
    assert_ptr_equal(list->next, a);
    assert_int_equal(list->next->valid, BYTES);
    assert_null(list->next->next);
    assert_null(tp_buffers_take(&pool));
    tp_buffers_recycle(&pool, list);
}

static void of_a_buffer_far_from_full_only_that_part_is_kept(void **state)
{
    (void)state;

    // Many more than the limit has buffers, and all of them wait to be read.
    for (int i = 0; i < 20; i++) {
        tp_buffer *buffer = tp_buffers_request(&pool, false);
        assert_non_null(buffer);
        memset(buffer->data, i, 16);
        tp_buffers_complete(&pool, buffer->data, 16);
    }
    tp_buffer *list = tp_buffers_take(&pool);
    int count = 0;
    for (const tp_buffer *buffer = list; buffer; buffer = buffer->next, count++) {
        assert_int_equal(buffer->valid, 16);
        assert_int_equal(buffer->data[15], count);
    }
    assert_int_equal(count, 20);
    assert_int_equal(pool.held, BYTES + 20 * 16);
    tp_buffers_recycle(&pool, list);
    assert_int_equal(pool.held, BYTES);
}

static void beyond_the_limit_there_is_none_or_a_spare_one(void **state)
{
    tp_buffer *held[LIMIT];
    (void)state;

    for (int i = 0; i < LIMIT; i++)
        held[i] = tp_buffers_request(&pool, false);
    assert_null(tp_buffers_request(&pool, false));
    tp_buffer *spare = tp_buffers_request(&pool, true);
    assert_true(spare->spare);
    assert_int_equal(tp_buffers_refused(&pool), 2);
    assert_int_equal(tp_buffers_refused(&pool), 0);

    tp_buffers_complete(&pool, spare->data, 8);
    tp_buffers_complete(&pool, held[0]->data, BYTES);
    tp_buffers_recycle(&pool, tp_buffers_take(&pool));
    // The spare one is gone, the other is used again.
    assert_ptr_equal(tp_buffers_request(&pool, false), held[0]);
    for (int i = 0; i < LIMIT; i++)
        tp_buffers_complete(&pool, held[i]->data, 8);
}

static void a_buffer_that_was_never_asked_for_is_none(void **state)
{
    (void)state;
    tp_buffers_complete(&pool, NULL, 100);
    assert_null(tp_buffers_take(&pool));
}

static void *fill_and_return(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2000; i++) {
        tp_buffer *buffer = tp_buffers_request(&pool, true);
        if (buffer) {
            memset(buffer->data, i, 16);
            tp_buffers_complete(&pool, buffer->data, 16);
        }
        if (i % 3 == 0)
            tp_buffers_recycle(&pool, tp_buffers_take(&pool));
    }
    return NULL;
}

static void any_number_of_threads_share_the_pool(void **state)
{
    pthread_t threads[4];
    (void)state;

    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fill_and_return, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    tp_buffers_recycle(&pool, tp_buffers_take(&pool));
    assert_int_equal(pool.out, 0);
    assert_true(pool.held <= LIMIT * BYTES);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(buffers_are_aligned_and_of_the_size_asked_for),
        TEST(full_buffers_come_in_the_order_in_which_they_were_completed),
        TEST(of_a_buffer_far_from_full_only_that_part_is_kept),
        TEST(beyond_the_limit_there_is_none_or_a_spare_one),
        TEST(a_buffer_that_was_never_asked_for_is_none),
        TEST(any_number_of_threads_share_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
