// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/json_slice.h"

static void members_and_elements_come_one_by_one(void **state)
{
    (void)state;
    text inside = json_inside(TEXT("{\"a\": 1, \"b\":[1,{\"c\":2}] ,\"d\":\"x,\\\"}\"}")), key,
         value;

    assert_true(json_next_member(&inside, &key, &value));
    assert_true(text_equal(key, TEXT("a")) && text_equal(value, TEXT("1")));
    assert_true(json_next_member(&inside, &key, &value));
    assert_true(text_equal(key, TEXT("b")) && text_equal(value, TEXT("[1,{\"c\":2}]")));
    assert_true(json_next_member(&inside, &key, &value));
    assert_true(text_equal(key, TEXT("d")) && text_equal(value, TEXT("\"x,\\\"}\"")));
    assert_false(json_next_member(&inside, &key, &value));

    inside = json_inside(TEXT("[ [1, 2], \"a\" ]"));
    assert_true(json_next_element(&inside, &value));
    assert_true(text_equal(value, TEXT("[1, 2]")));
    assert_true(json_next_element(&inside, &value));
    assert_true(text_equal(value, TEXT("\"a\"")));
    assert_false(json_next_element(&inside, &value));
}

static void a_member_is_found_by_its_key_and_the_last_holds(void **state)
{
    (void)state;
    const text raw = TEXT("{\"rank\": 3, \"x\": {\"rank\": 7}, \"rank\": 4}");
    assert_true(text_equal(json_member(raw, "rank"), TEXT("4")));
    assert_int_equal(json_member(raw, "ran").length, 0);
    assert_int_equal(json_member(TEXT("[1]"), "rank").length, 0);
    assert_int_equal(json_member(TEXT("3"), "rank").length, 0);
}

static void integers_may_be_strings_or_whole_floats(void **state)
{
    static const struct {
        const char *raw;
        bool is;
        int64_t value;
    } cases[] = {
        {"3",                    true,  3          },
        {"\"3\"",                true,  3          },
        {"-12",                  true,  -12        },
        {"9223372036854775807",  true,  INT64_MAX  },
        {"-9223372036854775808", true,  INT64_MIN  },
        {"9223372036854775808",  false, 0          },
        {"99999999999999999999", false, 0          },
        {"",                     false, 0          },
        {"\"\"",                 false, 0          },
        {"-",                    false, 0          },
        {"132.0",                true,  132        },
        {"8.5e10",               true,  85000000000},
        {"\"-1E2\"",             true,  -100       },
        {"850e-1",               true,  85         },
        {"0.0",                  true,  0          },
        {"1.5",                  false, 0          },
        {"15e-1",                false, 0          },
        {"1e19",                 false, 0          },
        {"9.0.0",                false, 0          },
        {"null",                 false, 0          },
        {"\"",                   false, 0          },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t value = 0;
        assert_int_equal(json_integer(text_of(cases[i].raw), &value), cases[i].is);
        assert_int_equal(value, cases[i].value);
    }
}

static void strings_lose_their_escapes(void **state)
{
    static const struct {
        const char *raw, *words;
    } cases[] = {
        {"\"a\"",                     "a"                    },
        {"\"a\\\"\\\\\\/\\n\\t\"",    "a\"\\/\n\t"           },
        {"\"\\u0041\\u00e9\\u4e2d\"", "A\xc3\xa9\xe4\xb8\xad"},
        {"\"\\ud83d\\ude80\"",        "\xf0\x9f\x9a\x80"     },
        {"\"\\ud83dx\"",              "\xef\xbf\xbdx"        },
        {"\"\\u00g0\"",               "\\u00g0"              },
        {"\"C:\\q\"",                 "C:\\q"                },
        {"12",                        "12"                   },
    };
    (void)state;
    arena *a = arena_create();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_true(text_equal(json_text(text_of(cases[i].raw), a), text_of(cases[i].words)));
    arena_destroy(a);
}

static void broken_text_ends(void **state)
{
    static const char whole[] = "{\"a\": [1, \"\\u00\", {\"b\": \"\\\\\"}], \"c\": \"\\ud83d\\u\"}";
    (void)state;
    arena *a = arena_create();
    for (size_t length = 0; length < sizeof(whole); length++)
        for (size_t from = 0; from <= length; from++) {
            // An allocation of its own, so that a sanitizer sees a byte read too far.
            const text part = {arena_copy(a, whole + from, length - from), length - from};
            text inside = json_inside(part), key, value;
            while (json_next_member(&inside, &key, &value))
                json_text(value, a);
            json_text(part, a);
            json_member(part, "c");
        }
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_elements_come_one_by_one),
        cmocka_unit_test(a_member_is_found_by_its_key_and_the_last_holds),
        cmocka_unit_test(integers_may_be_strings_or_whole_floats),
        cmocka_unit_test(strings_lose_their_escapes),
        cmocka_unit_test(broken_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
