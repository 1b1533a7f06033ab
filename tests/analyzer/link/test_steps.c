// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "link/steps.h"
#include "support/trace_builder.h"

#include <stdio.h>

typedef struct event {
    char kind;  // S step, O operator, A annotation, C call, K kernel, W window; 0 ends
    int number; // of a step; correlation of calls and kernels
    int64_t begin, end;
} event;

typedef struct window {
    const char *name;
    int64_t begin, end;
    bool complete;
} window;

static void add(trace_builder *b, const event *e)
{
    char key[16];
    snprintf(key, sizeof(key), "%d", e->number);
    switch (e->kind) {
    case 'S':
        made_step(b, e->number, "1", e->begin, e->end);
        break;
    case 'O':
        made_op(b, "aten::mm", "1", e->begin, e->end);
        break;
    case 'A':
        made_annotation(b, "mine", "1", e->begin, e->end);
        break;
    case 'C':
        made_call(b, "cudaLaunchKernel", "1", key, e->begin, e->end);
        break;
    case 'K':
        made_kernel(b, "k", "7", key, e->begin, e->end);
        break;
    case 'W':
        made_window(b, e->begin, e->end);
        break;
    default:
        fail();
    }
}

typedef struct step_case {
    event events[10];
    window steps[4];
    bool marked;
} step_case;

static void check(const step_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trace_builder *b = trace_builder_create();
        for (const event *e = cases[i].events; e->kind; e++)
            add(b, e);
        trace *t = trace_builder_trace(b);
        trace_link(t);
        const step_list steps = steps_of(t, t->arena);
        const window *w = cases[i].steps;

        assert_int_equal(steps.marked, cases[i].marked);
        for (uint32_t k = 0; k < steps.count; k++, w++) {
            assert_non_null(w->name);
            assert_string_equal(steps.at[k].name, w->name);
            assert_int_equal(steps.at[k].begin, w->begin);
            assert_int_equal(steps.at[k].end, w->end);
            assert_int_equal(steps.at[k].complete, w->complete);
        }
        assert_null(w->name);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void a_step_ends_with_the_last_work_that_it_launched(void **state)
{
    static const step_case cases[] = {
  // Without device work the marks are the steps, gaps and all.
        {{{'S', 1, 0, 100}, {'S', 2, 110, 200}},
         {{"1", 0, 100, true}, {"2", 110, 200, true}},
         true                                                                                                                                      },
 // Work that ends inside its mark changes nothing.
        {{{'S', 1, 0, 100}, {'C', 1, 10, 20}, {'K', 1, 30, 40}},                                    {{"1", 0, 100, true}},                     true},
 // Work beyond the mark: the end moves, and the next step begins there.
        {{{'S', 1, 0, 100}, {'C', 1, 10, 20}, {'K', 1, 90, 150}, {'S', 2, 105, 200}},
         {{"1", 0, 150, true}, {"2", 150, 200, true}},
         true                                                                                                                                      },
 // ... even beyond the whole next step, which is then empty.
        {{{'S', 1, 0, 100}, {'C', 1, 10, 20}, {'K', 1, 90, 300}, {'S', 2, 105, 200}},
         {{"1", 0, 300, true}, {"2", 300, 300, true}},
         true                                                                                                                                      },
 // A call that crosses the end of its step launches for no step.
        {{{'S', 1, 0, 100}, {'C', 1, 90, 110}, {'K', 1, 150, 200}},                                 {{"1", 0, 100, true}},                     true},
 // Work launched before the first mark does not shorten it.
        {{{'C', 1, 0, 5}, {'K', 1, 10, 60}, {'S', 1, 50, 100}, {'C', 2, 60, 65}, {'K', 2, 70, 80}},
         {{"1", 50, 100, true}},
         true                                                                                                                                      },
 // A last step with little work stays.
        {{{'S', 1, 0, 100},
          {'C', 1, 10, 20},
          {'K', 1, 30, 40},
          {'C', 2, 50, 60},
          {'K', 2, 65, 70},
          {'S', 2, 100, 150}},
         {{"1", 0, 100, true}, {"2", 100, 150, true}},
         true                                                                                                                                      },
 // Two marks of one name are two steps.
        {{{'S', 0, 0, 10}, {'S', 0, 20, 30}},                                                       {{"0", 0, 10, true}, {"0", 20, 30, true}}, true},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void steps_that_were_cut_or_miss_records_are_incomplete(void **state)
{
    static const step_case cases[] = {
        {{{'W', 0, 0, 300}, {'S', 1, 0, 100}, {'S', 2, 100, 300}},
         {{"1", 0, 100, true}, {"2", 100, 300, true}},
         true                                                                                                      },
        {{{'W', 0, 50, 250}, {'S', 1, 0, 100}, {'S', 2, 100, 200}, {'S', 3, 200, 300}},
         {{"1", 0, 100, false}, {"2", 100, 200, true}, {"3", 200, 300, false}},
         true                                                                                                      },
 // Device records end after the first step.
        {{{'S', 1, 0, 100},
          {'C', 1, 10, 20},
          {'K', 1, 30, 40},
          {'S', 2, 100, 200},
          {'C', 2, 110, 120},
          {'S', 3, 200, 300}},
         {{"1", 0, 100, true}, {"2", 100, 200, false}, {"3", 200, 300, true}},
         true                                                                                                      },
 // No step has any: then they are not missing from one.
        {{{'S', 1, 0, 100}, {'C', 1, 10, 20}},                                          {{"1", 0, 100, true}}, true},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void without_marks_all_activity_is_one_step(void **state)
{
    static const step_case cases[] = {
        {{{'O', 0, 10, 50}, {'C', 1, 20, 30}, {'K', 1, 40, 90}}, {{"all", 10, 90, true}},  false},
        {{{'W', 0, 0, 500}, {'A', 0, 5, 300}, {'O', 0, 10, 50}}, {{"all", 10, 50, true}},  false},
        {{{'K', 1, 40, 90}, {'K', 2, 100, 110}},                 {{"all", 40, 110, true}}, false},
        {{{'A', 0, 5, 300}},                                     {{"all", 5, 300, true}},  false},
        {{{'W', 0, 0, 500}},                                     {{NULL, 0, 0, false}},    false},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void a_step_knows_its_mark_and_thread(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_op(b, "aten::mm", "other", 0, 5);
    made_step(b, 7, "main", 10, 100);
    made_call(b, "cudaLaunchKernel", "other", "1", 20, 30);
    made_kernel(b, "k", "7", "1", 90, 130);
    trace *t = trace_builder_trace(b);
    trace_link(t);
    const step_list steps = steps_of(t, t->arena);

    assert_int_equal(steps.count, 1);
    assert_int_equal(steps.at[0].end, 130); // launched from another thread
    assert_int_equal(steps.at[0].host_begin, 10);
    assert_int_equal(steps.at[0].host_end, 100);
    assert_string_equal(strings_text(&t->strings, t->lanes[steps.at[0].lane].thread).at, "main");
    trace_destroy(t);
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_ends_with_the_last_work_that_it_launched),
        cmocka_unit_test(steps_that_were_cut_or_miss_records_are_incomplete),
        cmocka_unit_test(without_marks_all_activity_is_one_step),
        cmocka_unit_test(a_step_knows_its_mark_and_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
