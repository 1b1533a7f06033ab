// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/screen_text.h"
#include "report/table_layout.h"
#include "report/table_sort.h"
#include "report/table_text.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
    const char *name;
    int64_t calls, first_ns, second_ns, third_ns, fourth_ns;
    double share;
    const char *prose, *about;
} row;

static const column COLUMNS[] = {
    COLUMN(row, name, UNIT_NONE, "Name"),
    COLUMN(row, calls, UNIT_COUNT, "Calls"),
    COLUMN(row, first_ns, UNIT_NS, "Mean of first"),
    COLUMN(row, second_ns, UNIT_NS, "Second"),
    COLUMN(row, third_ns, UNIT_NS, "Third"),
    COLUMN(row, fourth_ns, UNIT_NS, "Fourth"),
    COLUMN(row, share, UNIT_RATIO, "Share"),
};

static const row ROWS[] = {
    {"a_kernel_of_a_very_long_name_with_even_more_behind_it", 1234567, 5000000, 123456789, 77,
     999000,                                                                                         0.75, NULL, NULL},
    {"short",                                                 1,       4000000, 3000,      55, 1000, 0.25, NULL, NULL},
};

static table times(void)
{
    return (table){TABLE("t", "Times", COLUMNS, row), .rows = ROWS, .row_count = 2, .total_rows = 2,
                   .bar = "share"};
}

static const char *shown(tp_sink **sink, table t, report_style style)
{
    assert_int_equal(tp_sink_memory_open(0, sink), TPROF_OK);
    table_text(*sink, &t, 20, &style);
    return tp_sink_memory_data(*sink, &(size_t){0});
}

static void a_line_gives_up_decoration_first_and_never_numbers(void **state)
{
    static const struct {
        int width;
        const char *want;
    } cases[] = {
  // The bar, as long as the name has room.
        {100, "  Name                                  Calls  Mean of first   Second  Third   "
              "Fourth   Share\n"
              "  a_kernel_of_a_very_lo…_behind_it  1,234,567        5.00 ms   123 ms  77 ns   999 "
              "us  75.0 %  ███▊\n"
              "  short                                     1        4.00 ms  3.00 us  55 ns  1.00 "
              "us  25.0 %  █▎\n"                                                            },
 // No bar, headings of two lines, and the name gives way.
        {80,  "                                        Mean of\n"
             "  Name                           Calls    first   Second  Third   Fourth   Share\n"
             "  a_kernel_of_a_ve…ehind_it  1,234,567  5.00 ms   123 ms  77 ns   999 us  75.0 %\n"
             "  short                              1  4.00 ms  3.00 us  55 ns  1.00 us  25.0 %\n"},
 // Small gaps.
        {60,  "                       Mean of\n"
             "  Name           Calls   first  Second Third  Fourth  Share\n"
             "  a_kern…_it 1,234,567 5.00 ms  123 ms 77 ns  999 us 75.0 %\n"
             "  short              1 4.00 ms 3.00 us 55 ns 1.00 us 25.0 %\n"                     },
 // Whole columns, those of least time first among times.
        {40,  "             Mean of\n"
             "  Name         first  Second  Share\n"
             "  a_kern…_it 5.00 ms  123 ms 75.0 %\n"
             "  short      4.00 ms 3.00 us 25.0 %\n"
             "  … and columns for a wider screen:\n"
             "    Fourth, Third, Calls\n"                                                        },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tp_sink *out;
        const char *text_shown =
            shown(&out, times(), (report_style){.detail = DETAIL_VIEWS, .width = cases[i].width});
        assert_string_equal(text_shown + strlen("\nTimes\n"), cases[i].want);
        tp_sink_abandon(out);
    }
}

static void no_line_is_wider_than_was_asked_for(void **state)
{
    (void)state;
    for (int width = 30; width < 130; width++) {
        tp_sink *out;
        const char *at =
            shown(&out, times(), (report_style){.detail = DETAIL_VIEWS, .width = width});
        for (; *at; at += strcspn(at, "\n") + 1) {
            char line[400];
            snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
            assert_true(screen_width(line) <= width);
        }
        tp_sink_abandon(out);
    }
}

static void shares_are_of_all_rows_whatever_is_shown(void **state)
{
    static const char *const WANT[] = {
        "  Name   First   Share\n"
        "  ab    6.00 s  60.0 %  ██████\n"
        "  ac    3.00 s  30.0 %  ███\n",
        "  Name   First   Share\n"
        "  ab    6.00 s  60.0 %  ██████\n"
        "  … and 1 more\n",
        "  Name   First   Share\n"
        "  ab    6.00 s  30.0 %  ███\n"
        "  … and 1 more\n",
    };
    static const column SHORT[] = {
        COLUMN(row, name, UNIT_NONE, "Name"),
        COLUMN(row, first_ns, UNIT_NS, "First"),
    };
    static const row LETTERS[] = {
        {.name = "ab", .first_ns = 6000000000},
        {.name = "ac", .first_ns = 3000000000},
        {.name = "b",  .first_ns = 1000000000},
    };
    (void)state;
    regex_t filter;
    assert_int_equal(regcomp(&filter, "^a", REG_EXTENDED | REG_NOSUB), 0);

    for (size_t i = 0; i < ARRAY_LEN(WANT); i++) {
        const table_choice choice = {.filter = &filter, .limited = i > 0, .top = 1};
        arena *a = arena_create();
        tp_sink *out;
        table t = {TABLE("s", "S", SHORT, row), .rows = LETTERS, .row_count = 3, .total_rows = 3,
                   .bar = "first_ns"};
        t.bar_whole = i == 2 ? 2e10 : 0;
        t = table_select(&t, &choice, a);
        const char *text_shown =
            shown(&out, t, (report_style){.detail = DETAIL_VIEWS, .width = 34});
        assert_string_equal(text_shown + strlen("\nS\n"), WANT[i]);
        tp_sink_abandon(out);
        arena_destroy(a);
    }
    regfree(&filter);
}

static void a_subject_takes_a_line_unless_whole_names_are_wanted(void **state)
{
    static const column ITEMS[] = {
        COLUMN(row, name, UNIT_NONE, "N"),
        COLUMN(row, prose, UNIT_PROSE, "Prose"),
        COLUMN_QUIET(row, about, UNIT_SUBJECT, "About"),
    };
    static const row ITEM[] = {
        {.name = "x",
         .prose = "void of<several, words, and, more>() is hot",
         .about = "void of<several, words, and, more>()"},
        {.name = "y",           .prose = "nothing is"                                         },
    };
    static const char *const WANT[] = {
        "  x  void of<several, w… more>()\n"
        "     is hot\n"
        "  y  nothing is\n",
        "  x  void of<several, words,\n"
        "     and, more>() is hot\n"
        "  y  nothing is\n",
    };
    (void)state;

    for (int whole = 0; whole < 2; whole++) {
        tp_sink *out;
        const table t = {TABLE("i", "Items", ITEMS, row), .rows = ITEM, .row_count = 2,
                         .total_rows = 2, .look = LOOK_ITEMS};
        const char *text_shown = shown(&out, t, (report_style){.whole_names = whole, .width = 32});
        assert_string_equal(text_shown + strlen("\nItems\n"), WANT[whole]);
        tp_sink_abandon(out);
    }
}

static void a_long_value_of_a_record_is_wrapped(void **state)
{
    static const char *const NAMES[] = {"one", "two", "three", "four", "five"};
    typedef struct record {
        int64_t count;
        text_list names;
    } record;
    static const column FIELDS[] = {
        COLUMN(record, count, UNIT_COUNT, "count"),
        COLUMN(record, names, UNIT_NONE, "names"),
    };
    static const record RECORD = {
        12345, {NAMES, 5}
    };
    tp_sink *out;
    (void)state;

    const table t = {TABLE("r", "Record", FIELDS, record), .rows = &RECORD, .row_count = 1,
                     .total_rows = 1, .look = LOOK_RECORD};
    assert_string_equal(shown(&out, t, (report_style){.width = 24}), "\nRecord\n"
                                                                     "  count 12,345\n"
                                                                     "  names one, two,\n"
                                                                     "    three, four, five\n");
    tp_sink_abandon(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_gives_up_decoration_first_and_never_numbers),
        cmocka_unit_test(no_line_is_wider_than_was_asked_for),
        cmocka_unit_test(shares_are_of_all_rows_whatever_is_shown),
        cmocka_unit_test(a_subject_takes_a_line_unless_whole_names_are_wanted),
        cmocka_unit_test(a_long_value_of_a_record_is_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
