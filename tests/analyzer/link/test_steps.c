// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "link/steps.h"
#include "support/trace_builder.h"

#include <stdio.h>

// Events as words: S step, O operator, A annotation, C call, K kernel, W window; then a number (of
// the step; the correlation of calls and kernels), begin and end.
static void add(trace_builder *b, char kind, int number, int64_t begin, int64_t end)
{
    char key[16];
    snprintf(key, sizeof(key), "%d", number);
    switch (kind) {
    case 'S':
        made_step(b, number, "1", begin, end);
        break;
    case 'O':
        made_op(b, "aten::mm", "1", begin, end);
        break;
    case 'A':
        made_annotation(b, "mine", "1", begin, end);
        break;
    case 'C':
        made_call(b, "cudaLaunchKernel", "1", key, begin, end);
        break;
    case 'K':
        made_kernel(b, "k", "7", key, begin, end);
        break;
    case 'W':
        made_window(b, begin, end);
        break;
    default:
        fail();
    }
}

static void add_all(trace_builder *b, const char *words)
{
    char kind;
    int number, length;
    long begin, end;
    for (; sscanf(words, " %c%d %ld-%ld%n", &kind, &number, &begin, &end, &length) == 4;
         words += length)
        add(b, kind, number, begin, end);
    assert_string_equal(words, "");
}

// "1 0-100, 2 100-200 cut"
static const char *steps_as_text(const trace *t, const step_list *steps)
{
    const char *made = "";
    for (uint32_t i = 0; i < steps->count; i++) {
        const step *s = &steps->at[i];
        made = arena_printf(t->arena, "%s%s%s %ld-%ld%s", made, i ? ", " : "", s->name,
                            (long)s->begin, (long)s->end, s->complete ? "" : " cut");
    }
    return made;
}

typedef struct step_case {
    const char *events, *steps;
} step_case;

static void check(const step_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trace_builder *b = trace_builder_create();
        add_all(b, cases[i].events);
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        const step_list steps = steps_of(t, t->arena);
        assert_string_equal(steps_as_text(t, &steps), cases[i].steps);
        assert_int_equal(steps.marked, strchr(cases[i].events, 'S') != NULL);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void a_step_ends_with_the_last_work_that_it_launched(void **state)
{
    static const step_case cases[] = {
  // Without device work the marks are the steps, gaps, overlaps and all.
        {"S1 0-100 S2 110-200",                                     "1 0-100, 2 110-200"},
        {"S1 0-120 S2 110-200",                                     "1 0-120, 2 110-200"},
 // Work that ends inside its mark changes nothing.
        {"S1 0-100 C1 10-20 K1 30-40",                              "1 0-100"           },
 // Work beyond the mark: the end moves, and the next step begins there.
        {"S1 0-100 C1 10-20 K1 90-150 S2 105-200",                  "1 0-150, 2 150-200"},
 // ... even beyond the whole next step, which is then empty.
        {"S1 0-100 C1 10-20 K1 90-300 S2 105-200",                  "1 0-300, 2 300-300"},
 // A call that crosses the end of its step launches for no step.
        {"S1 0-100 C1 90-110 K1 150-200",                           "1 0-100"           },
 // Work launched before the first mark does not shorten it.
        {"C1 0-5 K1 10-60 S1 50-100 C2 60-65 K2 70-80",             "1 50-100"          },
 // A last step with little work stays.
        {"S1 0-100 C1 10-20 K1 30-40 C2 50-60 K2 65-70 S2 100-150", "1 0-100, 2 100-150"},
 // Two marks of one name are two steps.
        {"S0 0-10 S0 20-30",                                        "0 0-10, 0 20-30"   },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void steps_that_were_cut_or_miss_records_are_incomplete(void **state)
{
    static const step_case cases[] = {
        {"W0 0-300 S1 0-100 S2 100-300",                                "1 0-100, 2 100-300"                   },
        {"W0 50-250 S1 0-100 S2 100-200 S3 200-300",                    "1 0-100 cut, 2 100-200, 3 200-300 cut"},
 // Device records end after the first step.
        {"S1 0-100 C1 10-20 K1 30-40 S2 100-200 C2 110-120 S3 200-300",
         "1 0-100, 2 100-200 cut, 3 200-300"                                                                   },
 // No step has any: then they are not missing from one.
        {"S1 0-100 C1 10-20",                                           "1 0-100"                              },
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void without_marks_all_activity_is_one_step(void **state)
{
    static const step_case cases[] = {
        {"O0 10-50 C1 20-30 K1 40-90", "all 10-90" },
        {"W0 0-500 A0 5-300 O0 10-50", "all 10-50" },
        {"K1 40-90 K2 100-110",        "all 40-110"},
        {"A0 5-300",                   "all 5-300" },
        {"W0 0-500",                   ""          },
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
    trace_link(t, false);
    const step_list steps = steps_of(t, t->arena);

    assert_int_equal(steps.count, 1);
    assert_int_equal(steps.at[0].end, 130); // launched from another thread
    assert_int_equal(steps.at[0].host_begin, 10);
    assert_int_equal(steps.at[0].host_end, 100);
    assert_string_equal(strings_text(&t->strings, t->lanes[steps.at[0].lane].thread).at, "main");
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void a_log_without_marks_says_so(void **state)
{
    (void)state;
    for (int marks = 0; marks <= 1; marks++) {
        trace_builder *b = trace_builder_create();
        made_op(b, "aten::mm", "main", 0, 5);
        if (marks)
            made_step(b, 7, "main", 0, 10);
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        assert_int_equal(notes_of(t, "no_steps"), !marks);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_ends_with_the_last_work_that_it_launched),
        cmocka_unit_test(steps_that_were_cut_or_miss_records_are_incomplete),
        cmocka_unit_test(without_marks_all_activity_is_one_step),
        cmocka_unit_test(a_step_knows_its_mark_and_thread),
        cmocka_unit_test(a_log_without_marks_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
