// SPDX-License-Identifier: BSD-3-Clause
// What two intakes took of one file, joined, is what one takes of all of it.
#include "support/cmocka_all.h"

#include "model/intake.h"
#include "support/same_trace.h"
#include "support/trace_builder.h"

#include <stdio.h>

// Something of every kind, some of it twice, some of it new in each round.
static void add_round(trace_builder *b, int round)
{
    char name[48], odd[48], thread[48], shapes[48];
    const int64_t at = round * 1000;
    snprintf(name, sizeof(name), "aten::op_%d", round % 5);
    snprintf(odd, sizeof(odd), "0x%d", round % 3);
    snprintf(thread, sizeof(thread), "thread %d of some long name", round % 4);
    snprintf(shapes, sizeof(shapes), "[[%d,3],[]]", round % 6);

    made_step(b, round, "1", at, at + 900);
    trace_builder_add(b, (made_event){.category = "cpu_op",
                                      .name = name,
                                      .thread = thread,
                                      .begin = at + 10 - round % 7 * 100,
                                      .duration = 400,
                                      .external = odd,
                                      .shapes = shapes,
                                      .types = "[\"float\"]",
                                      .stack = round % 2 ? "f;g" : NULL,
                                      .has_sequence = true,
                                      .sequence = round,
                                      .fwd_thread = round % 2});
    made_call(b, round % 2 ? "cudaLaunchKernel" : name, thread, odd, at + 20, at + 30);
    trace_builder_add(b, (made_event){
                             .category = "kernel",
                             .name = round % 2 ? "ncclAllReduce" : name,
                             .process = "0",
                             .thread = "7",
                             .device = round % 3 ? "0" : "gpu one",
                             .stream = "7",
                             .correlation = odd,
                             .begin = at + 100,
                             .duration = 50,
                             .grid = {round % 3 + 1, 1, 1},
                             .block = {32,            1, 1},
                             .occupancy_percent = 37
    });
    trace_builder_add(b, (made_event){.category = "gpu_memset",
                                      .name = "Memset",
                                      .process = "2",
                                      .thread = "stream 9",
                                      .begin = at,
                                      .duration = -1});
    trace_builder_add(b, (made_event){.category = round % 2 ? "fwdbwd" : "ac2g",
                                      .phase = round % 4 < 2 ? 's' : 'f',
                                      .flow_id = odd,
                                      .thread = thread,
                                      .begin = at});
    trace_builder_add(b, (made_event){.phase = 'M',
                                      .name = "thread_name",
                                      .thread = round % 2 ? thread : "never used",
                                      .arg_name = name});
    made_window(b, at, at + 5000);
}

static trace_builder *many_rounds(void)
{
    trace_builder *b = trace_builder_create();
    trace_builder_metadata(b, "deviceProperties",
                           "[{\"id\":0,\"name\":\"X\",\"numSms\":10},{\"id\":5}]");
    trace_builder_metadata(b, "distributedInfo", "{\"rank\":3,\"world_size\":8}");
    trace_builder_metadata(b, "baseTimeNanoseconds", "1750000000000000000");
    trace_builder_metadata(b, "tprof_losses", "{\"dropped_events\":5}");
    trace_builder_metadata(b, "INFO", "[\"line\"]");
    for (int round = 0; round < 12; round++)
        add_round(b, round);
    return b;
}

enum { EVENTS = 12 * 9 };

static trace *taken_at_once(const trace_builder *b)
{
    intake *in = intake_create();
    const record_visitor to = intake_visitor(in);
    trace_builder_feed(b, &to, 0, EVENTS);
    to.note(to.self, "bent", NOTE_INFO, 7, "something was bent");
    trace_builder_feed_metadata(b, &to);
    to.note(to.self, "truncated", NOTE_WARNING, 9, "cut off");
    to.note(to.self, "bent", NOTE_INFO, 11, "something was bent");
    return intake_finish(in, false);
}

static trace *taken_in_parts(const trace_builder *b, uint32_t cut)
{
    intake *first = intake_create(), *second = intake_create_later();
    const record_visitor to_first = intake_visitor(first), to = intake_visitor(second);
    trace_builder_feed(b, &to_first, 0, cut);
    trace_builder_feed(b, &to, cut, EVENTS);
    to.note(to.self, "bent", NOTE_INFO, 7, "something was bent");
    trace_builder_feed_metadata(b, &to);
    to.note(to.self, "truncated", NOTE_WARNING, 9, "cut off");
    to.note(to.self, "bent", NOTE_INFO, 11, "something was bent");
    assert_true(intake_join(first, second));
    return intake_finish(first, false);
}

static void same_wherever_cut(trace_builder *b)
{
    trace *whole = taken_at_once(b);

    assert_int_equal(whole->records, EVENTS);
    for (uint32_t cut = 0; cut <= EVENTS; cut++) {
        trace *parts = taken_in_parts(b, cut);
        const char *difference = trace_difference(whole, parts);
        if (difference)
            fail_msg("cut at %u: %s differ", cut, difference);
        trace_destroy(parts);
    }
    trace_destroy(whole);
    trace_builder_destroy(b);
}

static void a_cut_anywhere_changes_nothing(void **state)
{
    (void)state;
    same_wherever_cut(many_rounds());
}

static void broken_times_of_zero_are_mended_in_both_parts(void **state)
{
    static const int64_t DAYS = INT64_C(3) * 86400 * 1000000000;
    trace_builder *b = trace_builder_create();
    (void)state;

    for (int i = 0; i < EVENTS; i++) {
        const int64_t begin = i % 40 == 7 ? 0 : DAYS - i % 5;
        made_op(b, "a", "1", begin, begin + 2 + i % 7);
    }
    same_wherever_cut(b);
}

static bool joins(const trace_builder *first_part, const trace_builder *second_part)
{
    intake *first = intake_create(), *second = intake_create_later();
    const record_visitor to_first = intake_visitor(first), to = intake_visitor(second);

    trace_builder_feed(first_part, &to_first, 0, UINT32_MAX);
    trace_builder_feed(second_part, &to, 0, UINT32_MAX);
    const bool joined = intake_join(first, second);
    if (!joined)
        intake_drop(second);
    intake_drop(first);
    return joined;
}

static void what_one_part_cannot_tell_is_not_joined(void **state)
{
    (void)state;
    trace_builder *plain = trace_builder_create(), *ranges = trace_builder_create(),
                  *long_ones = trace_builder_create();
    made_op(plain, "a", "1", 0, 10);
    trace_builder_add(ranges, (made_event){.category = "cpu_op", .name = "a", .phase = 'B'});
    for (int i = 0; i < 3; i++)
        made_op(long_ones, "a", "1", 0, INT64_C(1) << 58);

    assert_true(joins(plain, plain));
    assert_false(joins(plain, ranges));
    assert_false(joins(ranges, plain));
    assert_true(joins(long_ones, plain));
    assert_false(joins(long_ones, long_ones));
    trace_builder_destroy(plain);
    trace_builder_destroy(ranges);
    trace_builder_destroy(long_ones);
}

static void events_behind_a_key_of_a_later_part_are_not_joined(void **state)
{
    (void)state;
    trace_builder *b = many_rounds();
    intake *first = intake_create(), *second = intake_create_later();
    const record_visitor to = intake_visitor(second);

    trace_builder_feed_metadata(b, &to);
    trace_builder_feed(b, &to, 0, 3);
    assert_false(intake_join(first, second));
    intake_drop(first);
    intake_drop(second);
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_anywhere_changes_nothing),
        cmocka_unit_test(broken_times_of_zero_are_mended_in_both_parts),
        cmocka_unit_test(what_one_part_cannot_tell_is_not_joined),
        cmocka_unit_test(events_behind_a_key_of_a_later_part_are_not_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
