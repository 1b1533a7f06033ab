// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/launch_sites.h"
#include "analyze/nest.h"
#include "support/log_lines.h"

#include <stdio.h>

typedef struct story {
    const trace *trace;
    char text[512];
    size_t length;
} story;

static void tell(story *s, char sign, uint32_t event)
{
    s->length += (size_t)snprintf(s->text + s->length, sizeof(s->text) - s->length, "%c%s ", sign,
                                  trace_name(s->trace, event).at);
}

static bool counts(void *self, uint32_t event)
{
    const story *const s = self;
    return s->trace->events.role[event] == ROLE_OPERATOR;
}

static void enter(void *self, const nest_node *node)
{
    tell(self, '+', node->event);
}

static void leave(void *self, void *left, void *around)
{
    story *const s = self;
    const nest_node *const node = left, *const above = around;

    tell(s, '-', node->event);
    if (above)
        tell(s, '<', above->event);
    s->length += (size_t)snprintf(s->text + s->length, sizeof(s->text) - s->length, "%lld ",
                                  (long long)nest_self_ns(s->trace, node) / 1000);
}

static void assert_story(const char *const *lines, const char *expected)
{
    log_lines log = {0};
    log_add_lines(&log, lines);
    story s = {.trace = log.traces[0]};
    const nest_visitor visitor = {&s, sizeof(nest_node), counts, enter, leave};

    nest_walk(s.trace, &visitor, log.arena);
    assert_string_equal(s.text, expected);
    log_close(&log);
}

static void events_are_left_when_what_follows_is_outside(void **state)
{
    (void)state;
    assert_story((const char *const[]){"cpu_op|a|1|0|10|", "cpu_op|b|1|1|4|", "cpu_op|c|1|2|1|",
                                       "cpu_op|d|1|6|1|", "cpu_op|e|1|20|1|", NULL},
                 "+a +b +c -c <b 1 -b <a 3 +d -d <a 1 -a 5 +e -e 1 ");
}

static void what_does_not_count_is_looked_through(void **state)
{
    (void)state;
    assert_story((const char *const[]){"cpu_op|a|1|0|10|", "user_annotation|mark|1|1|8|",
                                       "cpu_op|b|1|2|3|", "cpu_op|c|1|6|2|", NULL},
                 "+a +mark +b -b <a 3 +c -c <a 2 -a 5 ");
}

static void threads_have_stacks_of_their_own(void **state)
{
    (void)state;
    assert_story((const char *const[]){"cpu_op|a|1|0|10|", "cpu_op|b|2|1|5|", "cpu_op|c|1|2|5|",
                                       "cpu_op|d|2|3|1|", NULL},
                 "+a +b +c +d -c <a 5 -a 5 -d <b 1 -b 4 ");
}

// No instant is taken from the one around it twice, and none that it does not have.
static void overlaps_without_nesting_take_no_time_twice(void **state)
{
    (void)state;
    assert_story(
        (const char *const[]){"cpu_op|a|1|0|10|", "cpu_op|b|1|1|5|", "cpu_op|c|1|4|5|", NULL},
        "+a +b -b <a 5 +c -c <a 5 -a 2 ");
    assert_story((const char *const[]){"cpu_op|a|1|0|10|", "cpu_op|b|1|8|6|", NULL},
                 "+a -a 10 +b -b 6 ");
}

static void launches_know_what_is_around_them(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "user_annotation|mark|1|0|100|",
        "cpu_op|op|1|10|50|",
        "cuda_runtime|cudaStreamSynchronize|1|12|1|'correlation':9",
        "cuda_runtime|cudaLaunchKernel|1|20|10|'correlation':1",
        "cuda_driver|cuLaunchKernel|1|22|5|'correlation':2",
        "cuda_runtime|cudaLaunchKernel|1|70|5|'correlation':3",
        "cuda_runtime|cudaLaunchKernel|1|200|5|'correlation':4",
        "kernel|k|0:7|300|1|'device':0,'stream':7,'correlation':2",
        "kernel|k|0:7|310|1|'device':0,'stream':7,'correlation':3",
        "kernel|k|0:7|320|1|'device':0,'stream':7,'correlation':4",
        "kernel|k|0:7|330|1|'device':0,'stream':7,'correlation':3",
        "kernel|k|0:7|340|1|'device':0,'stream':7",
        NULL,
    };
    static const struct {
        int64_t call_us;
        bool in_operator, in_annotation;
    } expected[] = {
        {22,  true,  true },
        {70,  false, true },
        {200, false, false},
    };
    log_lines log = {0};
    log_add_lines(&log, lines);
    const trace *const t = log.traces[0];
    const launch_sites s = launch_sites_of(t, log.arena);

    assert_int_equal(s.count, ARRAY_LEN(expected));
    for (uint32_t i = 0; i < s.count; i++) {
        assert_int_equal(t->events.begin[s.at[i].call] - t->events.begin[0],
                         expected[i].call_us * 1000);
        assert_int_equal(s.at[i].in_operator != EVENT_NONE, expected[i].in_operator);
        assert_int_equal(s.at[i].in_annotation != EVENT_NONE, expected[i].in_annotation);
        assert_int_equal(launch_site_of_call(&s, s.at[i].call), i);
    }
    static const uint32_t sites[] = {0, 1, 2, 1, SITE_NONE};
    for (uint32_t i = 0; i < ARRAY_LEN(sites); i++)
        assert_int_equal(launch_site_of(&s, t->events.count - 5 + i), sites[i]);
    assert_int_equal(launch_site_of_call(&s, 0), SITE_NONE);
    log_close(&log);
}

static void numbers_of_launches_hold_over_many_words_of_bits(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static char calls[COUNT][80], work[COUNT][96];
    static const char *lines[2 * COUNT + 1];

    for (int i = 0; i < COUNT; i++) {
        snprintf(calls[i], sizeof(calls[i]),
                 "cuda_runtime|cudaLaunchKernel|1|%d|1|'correlation':%d", 2 * i, i);
        snprintf(work[i], sizeof(work[i]),
                 "kernel|k|0:7|%d|1|'device':0,'stream':7,'correlation':%d", 10000 + 2 * i,
                 i % 3 ? i : -1);
        lines[2 * i] = calls[i];
        lines[2 * i + 1] = work[i];
    }
    log_lines log = {0};
    log_add_lines(&log, lines);
    const launch_sites s = launch_sites_of(log.traces[0], log.arena);

    assert_int_equal(s.count, COUNT / 3 * 2);
    for (uint32_t i = 0; i < s.count; i++)
        assert_int_equal(launch_site_of_call(&s, s.at[i].call), i);
    log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_left_when_what_follows_is_outside),
        cmocka_unit_test(what_does_not_count_is_looked_through),
        cmocka_unit_test(threads_have_stacks_of_their_own),
        cmocka_unit_test(overlaps_without_nesting_take_no_time_twice),
        cmocka_unit_test(launches_know_what_is_around_them),
        cmocka_unit_test(numbers_of_launches_hold_over_many_words_of_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
