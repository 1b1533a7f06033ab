// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/lines.h"

static void words_stay_whole_and_numbers_with_their_units(void **state)
{
    static const struct {
        int indent, width;
        const char *words, *want;
    } cases[] = {
        {2, 12, "one two three four",             "one two\n  three four\n"            },
        {2, 10, "it takes 20.6 % of it",          "it takes\n  20.6 %\n  of it\n"      },
        {0, 10, "about 12.5 ms, or 3 (1 s) more", "about\n12.5 ms,\nor 3 (1 s)\nmore\n"},
        {0, 8,  "takes 3 steps",                  "takes 3\nsteps\n"                   },
        {2, 8,  "a abcdefghijklmnop b",           "a\n  abcdef\n  ghijkl\n  mnop b\n"  },
        {0, 5,  "前向前向 x",                 "前向\n前向\nx\n"                },
        {4, 4,  "abcd",                           "ab\n    cd\n"                       },
        {2, 20, "",                               "\n"                                 },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tp_sink *out;
        assert_int_equal(tp_sink_memory_open(0, &out), TPROF_OK);
        put_wrapped(out, cases[i].words, cases[i].indent, cases[i].width);
        assert_string_equal(tp_sink_memory_data(out, &(size_t){0}), cases[i].want);
        tp_sink_abandon(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stay_whole_and_numbers_with_their_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
