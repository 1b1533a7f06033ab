// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/screen_text.h"

static void what_could_steer_a_terminal_is_escaped(void **state)
{
    static const struct {
        const char *raw, *safe;
    } cases[] = {
        {"aten::mm",              "aten::mm"                            },
        {"",                      ""                                    },
        {"前向_kernel 🚀",    "前向_kernel 🚀"                  },
        {"\x1b[31mred",           "\\x1b[31mred"                        },
        {"two\nlines\tand\rmore", "two\\nlines\\tand\\rmore"            },
        {"\x7f",                  "\\x7f"                               },
        {"\xc2\x9b",              "\\x9b"                               }, // C1: another way to begin an escape
        {"a\xe2\x80\xae"
         "b",            "a\\u202eb"                           }, // right-to-left override
        {"\xff\xfe",              "\xef\xbf\xbd\xef\xbf\xbd"            }, // not UTF-8
        {"\xed\xa0\x80",          "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, // a surrogate
        {"\xc0\xaf",              "\xef\xbf\xbd\xef\xbf\xbd"            }, // overlong
        {"cut \xe5\x89",          "cut \xef\xbf\xbd\xef\xbf\xbd"        },
    };
    (void)state;
    arena *a = arena_create();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(screen_safe(cases[i].raw, a), cases[i].safe);
    arena_destroy(a);
}

static void wide_characters_take_two_cells_and_marks_none(void **state)
{
    static const struct {
        const char *string;
        int width;
    } cases[] = {
        {"",                       0 },
        {"abc",                    3 },
        {"前向",                 4 },
        {"한글",                 4 },
        {"ｆｕｌｌ",           8 },
        {"🚀",                   2 },
        {"é",                     1 },
        {"e\xcc\x81",              1 },
        {"…█▌",              3 },
        {"étape d'entraînement", 20},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(screen_width(cases[i].string), cases[i].width);
}

static void cuts_fit_and_stay_whole_characters(void **state)
{
    static const char *const NAMES[] = {
        "aten::convolution_backward",
        "前向传播_kernel_前向传播_kernel",
        "🚀🚀🚀🚀🚀🚀🚀🚀",
        "e\xcc\x81"
        "e\xcc\x81"
        "e\xcc\x81"
        "e\xcc\x81"
        "e\xcc\x81"
        "e\xcc\x81",
        "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)>",
    };
    (void)state;
    arena *a = arena_create();

    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        for (int width = 1; width < 100; width++) {
            const char *cut = screen_cut(NAMES[i], width, a);
            assert_true(screen_width(cut) <= width);
            assert_ptr_equal(screen_safe(cut, a), cut); // still UTF-8
            if (screen_width(NAMES[i]) <= width)
                assert_string_equal(cut, NAMES[i]);
        }
    assert_string_equal(screen_cut("aten::convolution_backward", 16, a), "aten::conv…kward");
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_steer_a_terminal_is_escaped),
        cmocka_unit_test(wide_characters_take_two_cells_and_marks_none),
        cmocka_unit_test(cuts_fit_and_stay_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
