// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "link/link.h"
#include "support/trace_builder.h"

enum { US = 1000, WORKS = 5 };

typedef struct work {
    const char *stream;
    int64_t begin_us, end_us;
    int64_t clipped_us; // the end that is expected
} work;

static void check(const work *works, int64_t window_us, uint64_t clipped)
{
    trace_builder *b = trace_builder_create();
    static const char *const names[WORKS] = {"a", "b", "c", "d", "e"};
    made_op(b, "aten::mm", "1", 0, 50 * US);
    if (window_us)
        made_window(b, 0, window_us * US);
    for (int i = 0; i < WORKS && works[i].stream; i++)
        made_kernel(b, names[i], works[i].stream, NULL, works[i].begin_us * US,
                    works[i].end_us * US);
    trace *t = trace_builder_trace(b);
    trace_link(t, false);

    for (int i = 0; i < WORKS && works[i].stream; i++) {
        const uint32_t event = event_named(t, names[i], 0);
        assert_int_equal(event_end(&t->events, event), works[i].clipped_us * US);
        assert_int_equal(raw_duration(t, event), (works[i].end_us - works[i].begin_us) * US);
    }
    assert_int_equal(notes_of(t, "implausible_duration"), clipped);
    assert_int_equal(t->clipped_count, clipped);
    for (uint32_t i = 1; i < t->clipped_count; i++)
        assert_true(t->clipped[i - 1].event < t->clipped[i].event);
    trace_destroy(t);
    trace_builder_destroy(b);
}

static void work_over_later_starts_of_its_stream_is_clipped_to_the_next(void **state)
{
    static const struct {
        work works[WORKS];
        uint64_t clipped;
    } cases[] = {
  // Programmatic dependent launch.
        {{{"7", 100, 200, 200}, {"7", 180, 260, 260}, {"7", 260, 300, 300}}, 0},
        {{{"7", 100, 200, 200}, {"7", 199, 205, 205}, {"7", 200, 210, 210}}, 0},
 // Over many.
        {{{"7", 0, 1000, 100}, {"7", 100, 200, 200}, {"7", 300, 400, 400}},  1},
        {{{"7", 0, 90, 20}, {"7", 20, 30, 30}, {"7", 40, 50, 50}},           1},
 // Far over one.
        {{{"7", 0, 700, 100}, {"7", 100, 200, 200}},                         1},
 // Other streams do not matter.
        {{{"7", 0, 900, 900}, {"8", 100, 200, 200}, {"9", 300, 400, 400}},   0},
 // Several that are too long, each to the start after it.
        {{{"7", 0, 900, 100}, {"7", 100, 900, 200}, {"7", 200, 900, 900}},   2},
 // Two starts at one time are one start.
        {{{"7", 0, 50, 50}, {"7", 0, 40, 40}, {"7", 45, 60, 60}},            0},
        {{{"7", 0, 500, 300}, {"7", 0, 500, 300}, {"7", 300, 600, 600}},     2},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check(cases[i].works, 1000, cases[i].clipped);
}

static void work_far_past_the_recording_is_clipped_to_its_end(void **state)
{
    static const struct {
        int64_t window_us;
        work works[WORKS];
        uint64_t clipped;
    } cases[] = {
        {1000, {{"7", 900, 1100, 1100}},                          0},
        {1000, {{"7", 900, 2000, 2000}},                          0},
        {1000, {{"7", 900, 2001, 1000}},                          1},
        {1000, {{"7", 900, 99999999, 1000}},                      1},
 // To the next start on its stream, if there is one.
        {1000, {{"7", 900, 99999999, 950}, {"7", 950, 960, 960}}, 1},
 // The last start may be after what marks the end.
        {100,  {{"7", 500, 600, 600}},                            0},
 // No mark tells the end: the host is long done, and a kernel may well be the last thing.
        {0,    {{"7", 60, 5000, 5000}},                           0},
        {0,    {{"7", 60, 700000000, 60}},                        1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check(cases[i].works, cases[i].window_us, cases[i].clipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_over_later_starts_of_its_stream_is_clipped_to_the_next),
        cmocka_unit_test(work_far_past_the_recording_is_clipped_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
