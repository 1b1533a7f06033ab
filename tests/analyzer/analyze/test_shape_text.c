// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "analyze/shape_text.h"

#include <stdlib.h>

static void shapes_stand_as_python_prints_a_list(void **state)
{
    (void)state;
    static const struct {
        const char *json, *python;
    } cases[] = {
        {"",                                  "[]"                                },
        {"[]",                                "[]"                                },
        {"[[32,3],[],[]]",                    "[[32, 3], [], []]"                 },
        {"[[[2,3],[4,5]],[]]",                "[[[2, 3], [4, 5]], []]"            },
        {"[null,true,false,-1,2.5]",          "[None, True, False, -1, 2.5]"      },
        {"[\"a,b:null\",\"it's\"]",           "['a,b:null', \"it's\"]"            },
        {"[\"\\\"q\\\" '\",\"\\u0001\\\\\"]", "['\"q\" \\'', '\\x01\\\\']"        },
        {"[\"\\n\\t\",\"\\u00e9\\u524d\"]",   "['\\n\\t', '\xc3\xa9\xe5\x89\x8d']"},
        {"{\"a\":[1,2]}",                     "{'a': [1, 2]}"                     },
        {"\"plain, text\"",                   "plain, text"                       },
        {"5",                                 "5"                                 },
    };
    arena *a = arena_create();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const text t = shape_text(text_of(cases[i].json), a);
        assert_int_equal(t.length, strlen(cases[i].python));
        assert_memory_equal(t.at, cases[i].python, t.length);
    }
    arena_destroy(a);
}

static void every_prefix_of_a_list_gives_some_text(void **state)
{
    (void)state;
    const char json[] = "[[1,2],\"\\u00e9\\\"x\\ud800\",null,{\"k\":[true]}]";
    arena *a = arena_create();

    for (size_t length = 0; length < sizeof(json); length++) {
        // An exact copy, so that a sanitizer sees a read past its end.
        char *const exact = length ? memcpy(malloc(length), json, length) : NULL;
        assert_true(shape_text((text){exact, length}, a).length >= length / 8);
        free(exact);
    }
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_stand_as_python_prints_a_list),
        cmocka_unit_test(every_prefix_of_a_list_gives_some_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
