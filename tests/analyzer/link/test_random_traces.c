// SPDX-License-Identifier: BSD-3-Clause
// Links and steps of random traces against the slow reading of their definitions.
#include "support/cmocka_all.h"

#include "link/link.h"
#include "link/ranges.h"
#include "link/steps.h"
#include "support/trace_builder.h"

#include <stdio.h>

enum { ROUNDS = 1500, EVENTS = 60, TIME = 200 };

static uint64_t random_state = 0x2545f4914f6cdd1du;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % limit);
}

static const char *one_of(const char *const *words, uint32_t count)
{
    return words[random_below(count)];
}

static void add_random(trace_builder *b)
{
    static const char *const categories[] = {"cpu_op",       "user_annotation", "python_function",
                                             "cuda_runtime", "cuda_driver",     "kernel",
                                             "gpu_memcpy",   "cuda_runtime",    "kernel"};
    static const char *const names[] = {"aten::mm", "cudaLaunchKernel", "cudaGraphLaunch",
                                        "ProfilerStep#1", "enumerate(DataLoader)#x"};
    static const char *const keys[] = {"1", "2", "3", "4", "-1", "4294967297", "99999999"};
    static const char *const threads[] = {"1", "2", "x"};
    const char *stream = one_of(threads, 3);
    trace_builder_add(b, (made_event){.category = one_of(categories, ARRAY_LEN(categories)),
                                      .name = one_of(names, ARRAY_LEN(names)),
                                      .thread = stream,
                                      .stream = stream,
                                      .device = one_of(threads, 2),
                                      .correlation = random_below(5) ? one_of(keys, 7) : NULL,
                                      .begin = random_below(TIME),
                                      .duration = random_below(random_below(2) ? 10 : TIME)});
}

static bool is_frame(const trace *t, uint32_t i)
{
    return t->events.role[i] == ROLE_PYTHON || t->events.role[i] == ROLE_MODULE;
}

// The latest event of the thread, and of its kind, that is open at the begin and holds all of it.
static uint32_t slow_parent(const trace *t, uint32_t event)
{
    const events *e = &t->events;
    for (uint32_t i = event; i-- > 0;)
        if (!role_is_device(e->role[i]) && e->lane[i] == e->lane[event] &&
            is_frame(t, i) == is_frame(t, event) && event_end(e, i) > e->begin[event] &&
            event_end(e, i) >= event_end(e, event))
            return i;
    return EVENT_NONE;
}

// Correlation keys as they were before linking, which gives the column back.
static uint32_t correlation_keys[EVENTS];

static uint32_t slow_launch(const trace *t, uint32_t work)
{
    const events *e = &t->events;
    uint32_t found = EVENT_NONE;
    for (uint32_t i = 0; i < e->count && correlation_keys[work] != KEY_NONE; i++)
        if (role_is_call(e->role[i]) && correlation_keys[i] == correlation_keys[work] &&
            (found == EVENT_NONE || e->duration[i] > e->duration[found]))
            found = i;
    return found;
}

// The innermost operator around a call that is neither a loader nor another mark.
static uint32_t slow_owner(const trace *t, uint32_t call)
{
    uint32_t i = slow_parent(t, call);
    while (i != EVENT_NONE && !range_is_operator(t, i))
        i = slow_parent(t, i);
    return i;
}

static int64_t later(int64_t x, int64_t y)
{
    return x > y ? x : y;
}

// The end of the work that the `n`-th mark launched, or INT64_MIN.
static int64_t slow_work_end(const trace *t, const step_list *steps, uint32_t n)
{
    const events *e = &t->events;
    int64_t end = INT64_MIN;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!role_is_device(e->role[i]) || e->link[i] == EVENT_NONE)
            continue;
        const int64_t call = e->begin[e->link[i]];
        const bool after_next = n + 1 < steps->count && steps->at[n + 1].host_begin <= call;
        if (steps->at[n].host_begin <= call && !after_next &&
            event_end(e, e->link[i]) <= steps->at[n].host_end)
            end = later(end, event_end(e, i));
    }
    return end;
}

static void check_steps(const trace *t)
{
    const events *e = &t->events;
    const step_list steps = steps_of(t, t->arena);
    bool any_work = false;
    uint32_t marks = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        any_work |= role_is_device(e->role[i]);
        marks += e->role[i] == ROLE_STEP;
    }
    assert_int_equal(steps.marked, marks > 0);
    if (!steps.marked)
        return;
    assert_int_equal(steps.count, marks);
    for (uint32_t n = 0; n < steps.count; n++) {
        const step *s = &steps.at[n];
        const int64_t begin =
            n && any_work ? later(steps.at[n - 1].end, s->host_begin) : s->host_begin;
        assert_int_equal(s->begin, begin);
        assert_int_equal(s->end, later(later(s->host_end, slow_work_end(t, &steps, n)), begin));
    }
}

static void check(const trace *t)
{
    const events *e = &t->events;
    for (uint32_t i = 0; i < e->count; i++) {
        const bool work = role_is_device(e->role[i]);
        assert_int_equal(e->link[i], work ? slow_launch(t, i) : slow_parent(t, i));
        if (i)
            assert_true(e->begin[i - 1] <= e->begin[i]);
    }
    for (uint32_t k = 0; k < t->launch_count; k++)
        assert_int_equal(t->launches[k].in_operator, slow_owner(t, t->launches[k].call));
    check_steps(t);
}

static void links_and_steps_are_as_defined(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        trace_builder *b = trace_builder_create();
        const uint32_t count = random_below(EVENTS);
        for (uint32_t i = 0; i < count; i++)
            add_random(b);
        trace *t = trace_builder_trace(b);
        for (uint32_t i = 0; i < t->events.count; i++)
            correlation_keys[i] = t->events.correlation[i];
        trace_link(t, round % 2);
        check(t);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_and_steps_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
