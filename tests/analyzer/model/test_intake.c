// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/intake.h"
#include "support/trace_builder.h"

#include <stdio.h>

static int set_up(void **state)
{
    *state = trace_builder_create();
    return 0;
}

static int tear_down(void **state)
{
    trace_builder_destroy(*state);
    return 0;
}

static role role_named(const trace *t, const char *name)
{
    return t->events.role[event_named(t, name, 0)];
}

static void records_become_events_by_their_category(void **state)
{
    trace_builder *b = *state;
    made_step(b, 3, "1", 0, 100);
    made_op(b, "ProfilerStep#4", "1", 100, 200);
    trace_builder_add(b, (made_event){.category = "gpu_user_annotation",
                                      .name = "ProfilerStep#3",
                                      .process = "0",
                                      .thread = "7",
                                      .duration = 90});
    trace_builder_add(b, (made_event){.category = "python_function", .name = "f"});
    trace_builder_add(
        b, (made_event){.category = "python_function", .name = "nn.Module: A", .module_id = 2});
    made_call(b, "cudaLaunchKernel", "1", "5", 10, 20);
    made_kernel(b, "k", "7", "5", 30, 40);
    trace_builder_add(
        b, (made_event){.category = "cpu_instant_event", .name = "[memory]", .phase = 'i'});
    trace_builder_add(b, (made_event){.category = "cuda_sync", .name = "Stream Sync"});
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->records, 9);
    assert_int_equal(t->events.count, 6);
    assert_int_equal(events_named(t, "ProfilerStep#3"), 1);
    assert_int_equal(role_named(t, "ProfilerStep#3"), ROLE_STEP);
    assert_int_equal(role_named(t, "ProfilerStep#4"), ROLE_STEP);
    assert_int_equal(role_named(t, "f"), ROLE_PYTHON);
    assert_int_equal(role_named(t, "nn.Module: A"), ROLE_MODULE);
    assert_int_equal(role_named(t, "k"), ROLE_KERNEL);
    assert_true(event_flags(t, event_named(t, "cudaLaunchKernel", 0)) & NAME_LAUNCH_CALL);
    trace_destroy(t);
}

static void categories_are_counted_with_their_time(void **state)
{
    trace_builder *b = *state;
    made_op(b, "a", "1", 0, 10);
    made_op(b, "b", "1", 20, 50);
    made_step(b, 1, "1", 0, 100);
    made_annotation(b, "x", "1", 0, 7);
    trace_builder_add(b, (made_event){.category = "overhead", .name = "o", .duration = 5});
    trace_builder_add(b, (made_event){.category = "ac2g", .phase = 's', .flow_id = "1"});
    trace *t = trace_builder_trace(b);
    static const struct {
        const char *word;
        role role;
        uint64_t records;
        int64_t total;
    } expected[] = {
        {"cpu_op",          ROLE_OPERATOR,   2, 40 },
        {"user_annotation", ROLE_STEP,       1, 100},
        {"user_annotation", ROLE_ANNOTATION, 1, 7  },
        {"overhead",        ROLE_OVERHEAD,   1, 5  },
        {"ac2g",            ROLE_FLOW,       1, 0  },
    };

    assert_int_equal(t->category_count, ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const category_count *c = &t->categories[i];
        assert_string_equal(strings_text(&t->strings, c->word).at, expected[i].word);
        assert_int_equal(c->role, expected[i].role);
        assert_int_equal(c->records, expected[i].records);
        assert_int_equal(c->total_ns, expected[i].total);
    }
    trace_destroy(t);
}

static void bad_durations_count_as_nothing_and_are_noted(void **state)
{
    trace_builder *b = *state;
    made_kernel(b, "backwards", "7", NULL, 100, 50);
    made_op(b, "negative", "1", 10, 9);
    trace_builder_add(b,
                      (made_event){.category = "cpu_op", .name = "none", .without_duration = true});
    made_op(b, "zero", "1", 10, 10);
    trace *t = trace_builder_trace(b);

    for (uint32_t i = 0; i < t->events.count; i++)
        assert_int_equal(t->events.duration[i], 0);
    assert_int_equal(notes_of(t, "negative_duration"), 2);
    assert_int_equal(notes_of(t, "missing_duration"), 1);
    trace_destroy(t);
}

static void times_that_no_clock_shows_stay_within_bounds(void **state)
{
    trace_builder *b = *state;
    made_op(b, "first", "1", INT64_MIN + 1, INT64_MIN + 5);
    made_op(b, "last", "1", INT64_MAX - 5, INT64_MAX);
    trace_builder_add(
        b, (made_event){.category = "cpu_op", .name = "long", .duration = INT64_MAX - 1});
    for (int i = 0; i < 20; i++)
        trace_builder_add(b, (made_event){.category = "cpu_op",
                                          .name = "years",
                                          .duration = INT64_C(100000000000000000)});
    trace *t = trace_builder_trace(b);
    int64_t sum = 0, last = 0;

    for (uint32_t i = 0; i < t->events.count; i++) {
        assert_false(__builtin_add_overflow(sum, t->events.duration[i], &sum));
        last = event_end(&t->events, i) > last ? event_end(&t->events, i) : last;
        assert_false(__builtin_sub_overflow(last, t->events.begin[0], &last));
        last += t->events.begin[0];
    }
    assert_int_equal(notes_of(t, "time_out_of_range"), 2 + 1 + 9);
    assert_int_equal(t->events.count, 1 + 20);
    trace_destroy(t);
}

static void a_time_of_zero_is_broken_where_all_others_are_far_away(void **state)
{
    static const int64_t DAY = INT64_C(86400) * 1000000000;
    trace_builder *b = *state;

    made_op(b, "later", "1", 3 * DAY + 10, 3 * DAY + 20);
    made_kernel(b, "broken", "7", NULL, 0, 5);
    made_op(b, "early", "1", 3 * DAY, 3 * DAY + 30);
    trace *t = trace_builder_trace(b);
    assert_int_equal(notes_of(t, "zero_time"), 1);
    assert_int_equal(t->events.begin[1], t->events.begin[0]);
    assert_int_equal(t->events.begin[2], t->events.begin[0] + 10);
    // Of equal begins the longer comes first.
    assert_true(text_equal(trace_name(t, 0), TEXT("early")));
    trace_destroy(t);
}

static void a_time_of_zero_may_be_the_beginning(void **state)
{
    trace_builder *b = *state;

    made_kernel(b, "first", "7", NULL, 0, 5);
    made_op(b, "next", "1", 3, 30);
    trace *t = trace_builder_trace(b);
    assert_int_equal(notes_of(t, "zero_time"), 0);
    assert_int_equal(t->events.begin[0], 0);
    trace_destroy(t);
}

static void begins_and_ends_are_paired_on_their_thread(void **state)
{
    static const struct {
        char phase;
        const char *name, *thread;
        int64_t at;
    } records[] = {
        {'B', "outer", "1", 0 },
        {'B', "other", "2", 5 },
        {'B', "inner", "1", 10},
        {'E', NULL,    "1", 30},
        {'E', NULL,    "2", 35},
        {'B', "again", "1", 40},
        {'E', NULL,    "1", 45},
        {'E', NULL,    "1", 50},
        {'E', NULL,    "1", 60},
        {'B', "open",  "1", 70},
    };
    trace_builder *b = *state;
    for (size_t i = 0; i < ARRAY_LEN(records); i++)
        trace_builder_add(b, (made_event){.category = "cpu_op",
                                          .phase = records[i].phase,
                                          .name = records[i].name,
                                          .thread = records[i].thread,
                                          .begin = records[i].at});
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->events.count, 5);
    assert_int_equal(t->events.duration[event_named(t, "outer", 0)], 50);
    assert_int_equal(t->events.duration[event_named(t, "inner", 0)], 20);
    assert_int_equal(t->events.duration[event_named(t, "other", 0)], 30);
    assert_int_equal(t->events.duration[event_named(t, "again", 0)], 5);
    assert_int_equal(t->events.duration[event_named(t, "open", 0)], 0);
    assert_int_equal(t->categories[0].total_ns, 50 + 20 + 30 + 5);
    assert_int_equal(notes_of(t, "unmatched_end"), 1);
    assert_int_equal(notes_of(t, "missing_duration"), 1);
    trace_destroy(t);
}

static void equal_ids_have_equal_keys_and_others_never(void **state)
{
    static const char *const ids[] = {
        "1",  "4294967297", "-1", "python", "2147483647", "2147483648",  "4294967295",
        "01", "1.0",        "",   "0",      "00",         "99999999999", "2147483649"};
    trace_builder *b = *state;
    char name[16];
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
            snprintf(name, sizeof(name), "call %zu", i);
            trace_builder_add(b, (made_event){.category = "cuda_runtime",
                                              .name = name,
                                              .correlation = ids[i],
                                              .external = ids[i],
                                              .begin = round});
        }
    trace *t = trace_builder_trace(b);
    const events *e = &t->events;

    for (uint32_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->count; k++) {
            assert_int_equal(e->correlation[i] == e->correlation[k], e->name[i] == e->name[k]);
            assert_int_equal(e->external[i] == e->external[k], e->name[i] == e->name[k]);
        }
    assert_int_equal(e->correlation[event_named(t, "call 0", 0)], 1);
    assert_int_equal(e->correlation[event_named(t, "call 4", 0)], 2147483647);
    trace_destroy(t);
}

static void records_without_category_are_those_of_the_legacy_export(void **state)
{
    trace_builder *b = *state;
    trace_builder_add(b,
                      (made_event){.name = "aten::mul", .process = "CPU functions", .duration = 5});
    trace_builder_add(b, (made_event){.name = "mul", .process = "CUDA functions", .duration = 3});
    trace_builder_add(b, (made_event){.name = "x", .process = "browser", .duration = 3});
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->events.count, 2);
    assert_int_equal(role_named(t, "aten::mul"), ROLE_OPERATOR);
    assert_int_equal(role_named(t, "mul"), ROLE_KERNEL);
    assert_string_equal(strings_text(&t->strings, t->devices[0].id).at, "CUDA functions");
    trace_destroy(t);
}

static void equal_details_are_stored_once(void **state)
{
    trace_builder *b = *state;
    for (int i = 0; i < 6; i++) {
        trace_builder_add(b, (made_event){.category = "cpu_op",
                                          .name = "a",
                                          .begin = i,
                                          .shapes = i % 2 ? "[[1,2]]" : "[[3]]",
                                          .types = "[\"float\"]",
                                          .stack = i % 3 ? NULL : "f;g;"});
        trace_builder_add(b, (made_event){
                                 .category = "kernel",
                                 .name = "k",
                                 .begin = i,
                                 .grid = {1 + i % 2, 1, 1},
                                 .block = {32,        1, 1},
                                 .registers = 8,
                                 .occupancy_percent = -100
        });
    }
    made_op(b, "bare", "1", 0, 1);
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->op_detail_count, 4);
    assert_int_equal(t->device_detail_count, 2);
    assert_int_equal(t->events.detail[event_named(t, "bare", 0)], DETAIL_NONE);
    const op_detail *o = &t->op_details[t->events.detail[event_named(t, "a", 1)]];
    assert_string_equal(strings_text(&t->strings, o->shapes).at, "[[1,2]]");
    assert_string_equal(strings_text(&t->strings, o->types).at, "[\"float\"]");
    assert_int_equal(o->stack, STRING_NONE);
    const device_detail *d = &t->device_details[t->events.detail[event_named(t, "k", 1)]];
    assert_int_equal(d->grid[0], 2);
    assert_int_equal(d->registers, 8);
    assert_int_equal(d->shared_bytes, -1);
    assert_true(d->blocks_per_sm < 0);
    assert_true(d->occupancy_percent == -100);
    trace_destroy(t);
}

static void sequence_marks_follow_their_events_when_sorted(void **state)
{
    trace_builder *b = *state;
    for (int i = 0; i < 100; i++)
        trace_builder_add(b, (made_event){.category = "cpu_op",
                                          .name = "a",
                                          .begin = 1000 - i,
                                          .has_sequence = true,
                                          .sequence = i,
                                          .fwd_thread = i % 3});
    trace_builder_add(b,
                      (made_event){.category = "fwdbwd", .phase = 's', .flow_id = "4", .begin = 5});
    trace_builder_add(b,
                      (made_event){.category = "fwdbwd", .phase = 'f', .flow_id = "4", .begin = 9});
    trace_builder_add(b,
                      (made_event){.category = "ac2g", .phase = 's', .flow_id = "4", .begin = 5});
    trace *t = trace_builder_trace(b);

    assert_int_equal(t->sequence_count, 100);
    for (uint32_t i = 0; i < t->sequence_count; i++) {
        const sequence_mark *m = &t->sequences[i];
        assert_int_equal(t->events.begin[m->event], 1000 - m->number);
        assert_int_equal(m->fwd_thread, m->number % 3);
    }
    assert_int_equal(t->flow_count, 2);
    assert_true(t->flows[0].start && !t->flows[1].start);
    assert_true(t->flows[0].id == t->flows[1].id);
    trace_destroy(t);
}

static void notes_of_the_reader_are_counted_by_code(void **state)
{
    (void)state;
    intake *in = intake_create();
    const record_visitor to = intake_visitor(in);
    to.note(to.self, "raw_control_character", NOTE_INFO, 10, "in a name");
    to.note(to.self, "truncated", NOTE_ERROR, 90, "the file ends in a string");
    to.note(to.self, "raw_control_character", NOTE_INFO, 20, "in a name");
    trace *t = intake_finish(in, false);

    assert_int_equal(t->note_count, 2);
    assert_string_equal(t->notes[0].code, "raw_control_character");
    assert_int_equal(t->notes[0].count, 2);
    assert_int_equal(t->notes[0].byte, 10);
    assert_true(t->truncated);
    assert_int_equal(t->events.count, 0);
    assert_int_equal(t->window_begin, TIME_NONE);
    trace_destroy(t);
    trace_destroy(NULL);
}

static void a_record_without_anything_is_left_out(void **state)
{
    (void)state;
    intake *in = intake_create();
    const record_visitor to = intake_visitor(in);
    to.event(to.self, &(record){.phase = 0});
    to.event(to.self, &(record){.phase = 'X', .offset = 7});
    to.event(to.self, &(record){.phase = 'E'});
    to.event(to.self, &(record){.phase = 'B', .fields = FIELD_TIME});
    trace *t = intake_finish(in, false);

    assert_int_equal(t->records, 4);
    assert_int_equal(t->events.count, 0);
    assert_int_equal(notes_of(t, "skipped_element"), 1);
    assert_int_equal(t->notes[0].byte, 7);
    trace_destroy(t);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_become_events_by_their_category),
        TEST(categories_are_counted_with_their_time),
        TEST(bad_durations_count_as_nothing_and_are_noted),
        TEST(times_that_no_clock_shows_stay_within_bounds),
        TEST(a_time_of_zero_is_broken_where_all_others_are_far_away),
        TEST(a_time_of_zero_may_be_the_beginning),
        TEST(begins_and_ends_are_paired_on_their_thread),
        TEST(equal_ids_have_equal_keys_and_others_never),
        TEST(records_without_category_are_those_of_the_legacy_export),
        TEST(equal_details_are_stored_once),
        TEST(sequence_marks_follow_their_events_when_sorted),
        TEST(notes_of_the_reader_are_counted_by_code),
        TEST(a_record_without_anything_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
