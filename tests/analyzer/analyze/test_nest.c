// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

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

static bool is_operator(const trace *t, uint32_t event)
{
    return t->events.role[event] == ROLE_OPERATOR;
}

// Walks operators only.
static void assert_story(const char *const *lines, const char *expected)
{
    static const nest_visitor visitor = {sizeof(nest_node), leave};
    log_lines log = {0};
    log_add_lines(&log, lines);
    const trace *const t = log.traces[0];
    story s = {.trace = t};
    nest n = nest_begin(t, log.arena);

    for (uint32_t i = 0; i < t->events.count; i++) {
        uint32_t around = t->events.link[i];
        while (around != EVENT_NONE && !is_operator(t, around))
            around = t->events.link[around];
        if (!is_operator(t, i))
            continue;
        nest_enter(&n, &visitor, &s, i, around);
        tell(&s, '+', i);
    }
    nest_end(&n, &visitor, &s);
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

static void what_is_not_walked_is_looked_through(void **state)
{
    (void)state;
    assert_story((const char *const[]){"cpu_op|a|1|0|10|", "user_annotation|mark|1|1|8|",
                                       "cpu_op|b|1|2|3|", "cpu_op|c|1|6|2|", NULL},
                 "+a +b -b <a 3 +c -c <a 2 -a 5 ");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_left_when_what_follows_is_outside),
        cmocka_unit_test(what_is_not_walked_is_looked_through),
        cmocka_unit_test(threads_have_stacks_of_their_own),
        cmocka_unit_test(overlaps_without_nesting_take_no_time_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
