// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "support/trace_builder.h"

#include <stdio.h>

typedef struct call {
    const char *name, *correlation;
    int64_t begin, end;
} call;

static const char *launch_of(const trace *t, const char *work, uint32_t n)
{
    const uint32_t link = t->events.link[event_named(t, work, n)];
    return link == EVENT_NONE ? "none" : trace_name(t, link).at;
}

static void work_belongs_to_the_call_of_its_correlation(void **state)
{
    static const struct {
        call calls[3];
        const char *correlation, *launch;
    } cases[] = {
        {{{"cudaLaunchKernel", "5", 0, 10}},                                     "5",          "cudaLaunchKernel"},
        {{{"cudaLaunchKernel", "5", 0, 10}},                                     "6",          "none"            },
        {{{"cudaLaunchKernel", "5", 0, 10}},                                     NULL,         "none"            },
        {{{"cudaLaunchKernel", NULL, 0, 10}},                                    NULL,         "none"            },
        {{{"cuLaunchKernelEx", "5", 0, 10}},                                     "5",          "cuLaunchKernelEx"},
 // The driver's call is inside the runtime's.
        {{{"cudaLaunchKernel", "5", 0, 10}, {"cuLaunchKernel", "5", 2, 8}},
         "5",                                                                                  "cudaLaunchKernel"},
        {{{"cuLaunchKernel", "5", 2, 8}, {"cudaLaunchKernel", "5", 0, 10}},
         "5",                                                                                  "cudaLaunchKernel"},
        {{{"first", "5", 0, 10}, {"second", "5", 20, 30}},                       "5",          "first"           },
        {{{"short", "5", 0, 1}, {"long", "5", 20, 30}, {"middle", "5", 40, 42}}, "5",          "long"            },
 // Ids that are equal in 32 bits only, and ids that are no numbers.
        {{{"low", "1", 0, 10}, {"high", "4294967297", 20, 30}},                  "4294967297", "high"            },
        {{{"low", "1", 0, 10}, {"high", "4294967297", 20, 30}},                  "1",          "low"             },
        {{{"text", "a", 0, 10}, {"negative", "-1", 20, 30}},                     "-1",         "negative"        },
        {{{"far", "2147483647", 0, 10}, {"near", "0", 20, 30}},                  "2147483647", "far"             },
        {{{"far", "2147483647", 0, 10}, {"near", "0", 20, 30}},                  "3",          "none"            },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        trace_builder *b = trace_builder_create();
        for (size_t k = 0; k < ARRAY_LEN(cases[i].calls) && cases[i].calls[k].name; k++) {
            const call *c = &cases[i].calls[k];
            made_call(b, c->name, "1", c->correlation, c->begin, c->end);
        }
        made_kernel(b, "work", "7", cases[i].correlation, 50, 60);
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        assert_string_equal(launch_of(t, "work", 0), cases[i].launch);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void scattered_and_dense_keys_find_the_same_calls(void **state)
{
    static const int64_t steps[] = {1, 3, 1000003};
    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
        trace_builder *b = trace_builder_create();
        char key[32], name[32];
        for (int64_t i = 0; i < 2000; i++) {
            snprintf(key, sizeof(key), "%lld", (long long)(i * steps[s]));
            snprintf(name, sizeof(name), "call %lld", (long long)i);
            made_call(b, name, "1", key, i * 10, i * 10 + 5);
            snprintf(name, sizeof(name), "work %lld", (long long)i);
            made_kernel(b, name, "7", key, i * 10 + 6, i * 10 + 9);
        }
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        for (uint32_t i = 0; i < t->events.count; i++)
            if (role_is_device(t->events.role[i]))
                assert_string_equal(trace_name(t, i).at + 5,
                                    trace_name(t, t->events.link[i]).at + 5);
        assert_int_equal(notes_of(t, "unlinked_device_work"), 0);
        trace_destroy(t);
        trace_builder_destroy(b);
    }
}

static void a_graph_launch_owns_all_its_work(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_annotation(b, "decode_step", "1", 0, 100);
    made_call(b, "cudaGraphLaunch", "1", "9", 10, 20);
    for (int i = 0; i < 6; i++)
        made_kernel(b, "node", "7", "9", 30 + i * 10, 36 + i * 10);
    made_copy(b, "stray", "7", "77", 95, 99);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);

    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(launch_of(t, "node", i), "cudaGraphLaunch");
    assert_int_equal(notes_of(t, "graph_replay"), 6);
    assert_int_equal(notes_of(t, "unlinked_device_work"), 1);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void work_may_start_before_its_call(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_op(b, "aten::mm", "1", 90, 200);
    made_kernel(b, "work", "7", "3", 50, 60);
    made_call(b, "cudaLaunchKernel", "1", "3", 100, 110);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);

    assert_string_equal(launch_of(t, "work", 0), "cudaLaunchKernel");
    assert_int_equal(t->launches[t->launched_by[0]].in_operator, event_named(t, "aten::mm", 0));
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void ids_that_contradict_containment_are_counted(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    static const char *const ids[] = {"1", "7", NULL};
    trace_builder_add(
        b, (made_event){.category = "cpu_op", .name = "op", .external = "1", .duration = 1000});
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        char key[8];
        snprintf(key, sizeof(key), "%zu", i);
        made_call(b, "cudaLaunchKernel", "1", key, (int64_t)i * 10, (int64_t)i * 10 + 5);
        trace_builder_add(b, (made_event){.category = "kernel",
                                          .name = "k",
                                          .correlation = key,
                                          .external = ids[i],
                                          .device = "0",
                                          .stream = "7",
                                          .begin = 100 + (int64_t)i * 10,
                                          .duration = 5});
    }
    made_op(b, "op without id", "2", 0, 100);
    made_call(b, "cudaLaunchKernel", "2", "9", 10, 20);
    trace_builder_add(b, (made_event){.category = "kernel",
                                      .name = "k",
                                      .correlation = "9",
                                      .external = "9",
                                      .device = "0",
                                      .stream = "8",
                                      .begin = 50,
                                      .duration = 5});
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    assert_int_equal(notes_of(t, "external_id_mismatch"), 1);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void without_any_call_no_work_misses_one(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    made_kernel(b, "k", "7", "1", 0, 10);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    assert_int_equal(notes_of(t, "unlinked_device_work"), 0);
    trace_destroy(t);
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_belongs_to_the_call_of_its_correlation),
        cmocka_unit_test(scattered_and_dense_keys_find_the_same_calls),
        cmocka_unit_test(a_graph_launch_owns_all_its_work),
        cmocka_unit_test(work_may_start_before_its_call),
        cmocka_unit_test(ids_that_contradict_containment_are_counted),
        cmocka_unit_test(without_any_call_no_work_misses_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
