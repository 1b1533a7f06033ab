// SPDX-License-Identifier: BSD-3-Clause
// A file read by two threads gives the trace that one gives.
#include "support/cmocka_all.h"

#include "model/trace_halves.h"
#include "support/same_trace.h"
#include "support/temp_dir.h"
#include "support/trace_builder.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPERATORS = 40000 }; // above 4 MB of text

static trace_builder *large(void)
{
    trace_builder *b = trace_builder_create();
    char name[32], thread[16];

    trace_builder_metadata(b, "baseTimeNanoseconds", "1750000000000000000");
    for (int i = 0; i < OPERATORS; i++) {
        snprintf(name, sizeof(name), "aten::op_%d", i % 97);
        snprintf(thread, sizeof(thread), "%d", i / 7000);
        made_op(b, name, thread, i * 10, i * 10 + 9);
    }
    return b;
}

// The file as a whole and as halves; false where the halves refuse.
static bool same_both_ways(const char *path, size_t size)
{
    const read_limits limits = {0};
    error err = {0};
    input *in;
    trace *whole, *halved = NULL;
    trace_halves h;

    if (!trace_halves_open(&h, path, size, &limits))
        return false;
    const bool loaded = trace_halves_load(&h, &limits, &halved);
    trace_halves_close(&h);
    assert_int_equal(loaded, halved != NULL);
    if (!loaded)
        return false;

    assert_int_equal(input_open(path, &limits, false, &in, &err), ERR_NONE);
    assert_int_equal(trace_load(in, &limits, false, &whole, &err), ERR_NONE);
    input_close(in);
    assert_null(trace_difference(whole, halved));
    assert_int_equal(whole->stored_bytes, halved->stored_bytes);
    assert_int_equal(whole->inflated_bytes, halved->inflated_bytes);
    trace_destroy(whole);
    trace_destroy(halved);
    return true;
}

static void halves_of_a_file_give_its_trace(void **state)
{
    (void)state;
    trace_builder *b = large();
    const char *json = trace_builder_json(b);

    write_whole_file(temp_path("trace"), json, strlen(json));
    assert_true(same_both_ways(temp_path("trace"), strlen(json)));
    trace_builder_destroy(b);
}

// An array at the root, and a file that ends too early.
static void other_ends_and_beginnings_are_no_obstacle(void **state)
{
    (void)state;
    trace_builder *b = large();
    const char *json = trace_builder_json(b), *array = strchr(json, '[');
    const size_t cut = strlen(json) - 100;

    write_whole_file(temp_path("cut"), json, cut);
    assert_true(same_both_ways(temp_path("cut"), cut));
    write_whole_file(temp_path("array"), array, (size_t)(strrchr(array, ']') + 1 - array));
    assert_true(same_both_ways(temp_path("array"), strlen(array)));
    trace_builder_destroy(b);
}

// One event holds objects that look like the end of one and the beginning of another, right where
// the file would be cut; or all events stand an array too deep.
static void what_only_looks_like_an_event_is_no_place_to_cut(void **state)
{
    (void)state;
    trace_builder *b = large();
    const char *json = trace_builder_json(b);
    const size_t length = strlen(json),
                 middle = (size_t)(strstr(json + length / 2, "},") + 2 - json);
    const size_t room = length + 800000;
    char *bytes = malloc(room);

    assert_non_null(bytes);
    size_t size = (size_t)snprintf(bytes, room, "%.*s{\"ph\":\"X\",\"name\":\"a\",\"args\":[",
                                   (int)middle, json);
    for (int i = 0; i < 10000; i++)
        size += (size_t)snprintf(bytes + size, room - size, "%s{\"name\":\"f\",\"line\":%d}",
                                 i ? "," : "", i);
    size += (size_t)snprintf(bytes + size, room - size, "]},%s", json + middle);
    write_whole_file(temp_path("frames"), bytes, size);
    assert_false(same_both_ways(temp_path("frames"), size));

    const char *array = strchr(json, '[');
    size = (size_t)snprintf(bytes, room, "[%.*s]", (int)(strrchr(array, ']') + 1 - array), array);
    write_whole_file(temp_path("nested"), bytes, size);
    assert_false(same_both_ways(temp_path("nested"), size));
    free(bytes);
    trace_builder_destroy(b);
}

static void what_is_not_to_be_halved_is_left_to_one_reader(void **state)
{
    (void)state;
    trace_builder *b = large();
    const char *small = "{\"traceEvents\": []}";
    trace_halves h;

    write_whole_file(temp_path("small"), small, strlen(small));
    assert_false(trace_halves_open(&h, temp_path("small"), strlen(small), NULL));
    assert_false(trace_halves_open(&h, temp_path("absent"), 100000000, NULL));
    trace_builder_add(b, (made_event){.category = "cpu_op", .name = "open", .phase = 'B'});
    const char *json = trace_builder_json(b);
    write_whole_file(temp_path("ranges"), json, strlen(json));
    assert_false(same_both_ways(temp_path("ranges"), strlen(json)));
    trace_builder_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_a_file_give_its_trace),
        cmocka_unit_test(other_ends_and_beginnings_are_no_obstacle),
        cmocka_unit_test(what_only_looks_like_an_event_is_no_place_to_cut),
        cmocka_unit_test(what_is_not_to_be_halved_is_left_to_one_reader),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
