// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "support/trace_builder.h"

static void add_op(trace_builder *b, const char *name, const char *thread, int64_t begin,
                   int64_t fwd_thread, int64_t sequence)
{
    trace_builder_add(b, (made_event){.category = "cpu_op",
                                      .name = name,
                                      .thread = thread,
                                      .begin = begin,
                                      .duration = 5,
                                      .has_sequence = true,
                                      .sequence = sequence,
                                      .fwd_thread = fwd_thread});
}

static void add_flow(trace_builder *b, const char *id, char phase, const char *thread, int64_t at)
{
    trace_builder_add(b, (made_event){.category = "fwdbwd",
                                      .name = "fwdbwd",
                                      .phase = phase,
                                      .flow_id = id,
                                      .thread = thread,
                                      .begin = at});
}

static trace *linked(trace_builder *b)
{
    trace *t = trace_builder_trace(b);
    trace_link(t, false);
    trace_builder_destroy(b);
    return t;
}

static void assert_forward(const trace *t, const char *backward, const char *forward)
{
    const forward_table table = forwards_of(t, t->arena);
    const uint32_t found = forward_of(&table, event_named(t, backward, 0));
    assert_string_equal(found == EVENT_NONE ? "-" : trace_name(t, found).at, forward);
}

static void arrows_lead_from_forward_to_backward(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    add_op(b, "linear", "1", 10, 0, 4);
    add_op(b, "addmm", "1", 12, 0, 4);
    add_op(b, "relu", "1", 20, 0, 5);
    add_op(b, "ReluBackward", "2", 100, 1, 5);
    add_op(b, "AddmmBackward", "2", 110, 1, 4);
    // Against the numbers, to see that the arrows count.
    add_flow(b, "1", 'f', "2", 110);
    add_flow(b, "1", 's', "1", 10);
    add_flow(b, "2", 's', "1", 12);
    add_flow(b, "2", 'f', "2", 100);
    add_flow(b, "3", 's', "1", 20);
    trace *t = linked(b);

    assert_forward(t, "AddmmBackward", "linear");
    assert_forward(t, "ReluBackward", "addmm");
    assert_forward(t, "relu", "-");
    trace_destroy(t);
}

static void without_arrows_the_sequence_number_tells(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    add_op(b, "linear", "1", 10, 0, 4);
    add_op(b, "addmm", "1", 12, 0, 4); // begins last: made the node
    add_op(b, "evaluate", "2", 100, 1, 4);
    add_op(b, "AddmmBackward", "2", 101, 1, 4);
    add_op(b, "lost", "2", 120, 1, 9);
    add_op(b, "late", "1", 200, 0, 4); // the number again, after the backward pass
    trace *t = linked(b);

    assert_forward(t, "evaluate", "addmm");
    assert_forward(t, "AddmmBackward", "addmm");
    assert_forward(t, "lost", "-");
    trace_destroy(t);
}

static void threads_count_their_numbers_on_their_own(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    add_op(b, "one", "11", 10, 0, 4);
    add_op(b, "two", "22", 11, 0, 4);
    add_op(b, "only one", "11", 12, 0, 5);
    add_op(b, "only two", "22", 13, 0, 6);
    add_op(b, "back one", "3", 100, 1, 4);
    add_op(b, "back two", "3", 110, 2, 4);
    add_op(b, "back only one", "3", 120, 1, 5);
    add_op(b, "back only two", "3", 130, 2, 6);
    trace *t = linked(b);

    assert_forward(t, "back one", "one");
    assert_forward(t, "back two", "two");
    assert_forward(t, "back only one", "only one");
    assert_forward(t, "back only two", "only two");
    trace_destroy(t);
}

static void arrows_into_nowhere_are_ignored(void **state)
{
    (void)state;
    trace_builder *b = trace_builder_create();
    add_op(b, "linear", "1", 10, 0, 4);
    add_op(b, "LinearBackward", "2", 100, 1, 4);
    add_flow(b, "1", 's', "1", 11);
    add_flow(b, "1", 'f', "2", 100);
    add_flow(b, "2", 's', "1", 10);
    add_flow(b, "2", 'f', "9", 100);
    add_flow(b, "3", 'f', "2", 100);
    trace *t = linked(b);

    assert_forward(t, "LinearBackward", "linear");
    trace_destroy(t);

    trace *empty = linked(trace_builder_create());
    assert_int_equal(forwards_of(empty, empty->arena).count, 0);
    trace_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_lead_from_forward_to_backward),
        cmocka_unit_test(without_arrows_the_sequence_number_tells),
        cmocka_unit_test(threads_count_their_numbers_on_their_own),
        cmocka_unit_test(arrows_into_nowhere_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
