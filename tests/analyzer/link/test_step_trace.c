// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "link/step_trace.h"
#include "support/trace_builder.h"

#include <stdio.h>
#include <string.h>

// Three steps of 100, each with an operator, a launch and a kernel that starts later; the kernel of
// the first runs into the second. A copy without a launch lies in the second.
static trace *three_steps(trace_builder *b)
{
    for (int i = 0; i < 3; i++) {
        char key[16], op[16], kernel[16];
        const int64_t at = i * 100;
        snprintf(key, sizeof(key), "%d", i + 1);
        snprintf(op, sizeof(op), "op%d", i);
        snprintf(kernel, sizeof(kernel), "k%d", i);
        made_step(b, i, "1", at, at + 100);
        made_op(b, op, "1", at + 10, at + 60);
        made_call(b, "cudaLaunchKernel", "1", key, at + 20, at + 30);
        made_kernel(b, kernel, "7", key, at + 70, at + 120);
        made_op(b, "aten::grad", "2", at + 50, at + 90);
    }
    made_copy(b, "Memcpy HtoD", "9", NULL, 150, 160);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    return t;
}

// "ProfilerStep#1 op1 ...": the names of all events, in order.
static const char *names_of(const trace *t, char *names, size_t size)
{
    names[0] = '\0';
    for (uint32_t i = 0; i < t->events.count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", i ? " " : "", trace_name(t, i).at);
    }
    return names;
}

static void steps_keep_what_they_did(void **state)
{
    static const struct {
        uint32_t first, count;
        const char *names;
    } cases[] = {
        {0, 1, "ProfilerStep#0 op0 cudaLaunchKernel aten::grad k0"            },
        {1, 1, "ProfilerStep#1 op1 cudaLaunchKernel aten::grad Memcpy HtoD k1"},
        {2, 1, "ProfilerStep#2 op2 cudaLaunchKernel aten::grad k2"            },
        {0, 0, ""                                                             },
    };
    (void)state;
    char names[400];
    trace_builder *b = trace_builder_create();
    trace *t = three_steps(b);
    arena *a = arena_create();
    const step_list all = steps_of(t, a);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const step_list some = {all.at + cases[i].first, cases[i].count, true};
        const trace *part = step_trace(t, &some, a);
        assert_string_equal(names_of(part, names, sizeof(names)), cases[i].names);
    }
    assert_int_equal(step_trace(t, &all, a)->events.count, t->events.count);
    arena_destroy(a);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void links_point_to_the_same_events(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    trace *t = three_steps(b);
    arena *a = arena_create();
    const step_list all = steps_of(t, a);
    const step_list last = {all.at + 2, 1, true};
    const trace *part = step_trace(t, &last, a);

    for (uint32_t i = 0; i < part->events.count; i++) {
        const char *name = trace_name(part, i).at;
        const uint32_t to = part->events.link[i];
        const char *target = to == EVENT_NONE ? "-" : trace_name(part, to).at;
        const char *want = strcmp(name, "k2") == 0                 ? "cudaLaunchKernel"
                           : strcmp(name, "cudaLaunchKernel") == 0 ? "op2"
                           : strcmp(name, "op2") == 0              ? "ProfilerStep#2"
                                                                   : "-";
        assert_string_equal(target, want);
    }
    arena_destroy(a);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void launches_and_ranges_are_those_of_the_part(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    for (int i = 0; i < 3; i++) {
        made_annotation(b, "outer", "1", i * 100 + 1, i * 100 + 99);
        made_annotation(b, "inner", "1", i * 100 + 15, i * 100 + 40);
    }
    trace *t = three_steps(b);
    arena *a = arena_create();
    const step_list all = steps_of(t, a);
    const step_list last = {all.at + 2, 1, true};
    const trace *part = step_trace(t, &last, a);

    assert_int_equal(part->range_count, 2);
    assert_int_equal(part->ranges[1].around, 0);
    assert_int_equal(part->work_count, 1);
    assert_int_equal(part->launch_count, 1);
    assert_string_equal(trace_name(part, part->work[0]).at, "k2");
    const launch *const by = &part->launches[part->launched_by[0]];
    assert_int_equal(by->call, part->events.link[part->work[0]]);
    assert_string_equal(trace_name(part, by->in_operator).at, "op2");
    assert_string_equal(trace_name(part, part->ranges[by->in_range].event).at, "inner");
    arena_destroy(a);
    trace_destroy(t);
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_keep_what_they_did),
        cmocka_unit_test(links_point_to_the_same_events),
        cmocka_unit_test(launches_and_ranges_are_those_of_the_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
