// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "cli/commands.h"
#include "cli/job.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 8 };

typedef struct parsed {
    arena *arena;
    options options;
    const char *known;
    error err;
    err_code code;
} parsed;

static parsed parse(const char *const words[MOST_WORDS])
{
    parsed p = {.arena = arena_create()};
    char *arguments[MOST_WORDS + 1] = {0};

    for (int i = 0; i < MOST_WORDS && words[i]; i++)
        arguments[i] = arena_copy(p.arena, words[i], strlen(words[i]));
    p.code = options_parse(&p.options, arguments, p.arena, &p.known, &p.err);
    return p;
}

static void done(parsed *p)
{
    if (p->options.filter_regex)
        regfree((regex_t *)p->options.filter_regex);
    arena_destroy(p->arena);
}

static void wrong_words_are_answered_with_the_known_ones(void **state)
{
    static const struct {
        const char *words[MOST_WORDS];
        const char *message, *known;
    } cases[] = {
        {{0},                                            "no PATH given",                                            NULL            },
        {{"report"},                                     "no PATH given",                                            NULL            },
        {{"reprot", "./log"},                            "'reprot' is neither a command nor a path",                 "report, info"  },
        {{"--frmat", "json", "x"},                       "unknown option '--frmat'",                                 "format"        },
        {{"-x"},                                         "unknown option '-x'",                                      "format"        },
        {{"./x", "-f", "xml"},                           "--format does not know 'xml'",                             "text, json"    },
        {{"./x", "--views", "overview,operator"},        "--views does not know 'operator'",                         "operators"     },
        {{"./x", "--views=overview", "--sort", "calls"}, "column 'calls'",                                           "wall_ns"       },
        {{"./x", "--columns", "name,what"},              "column 'what'",                                            "device_self_ns"},
        {{"./x", "--color", "blue"},                     "--color does not know 'blue'",                             "always"        },
        {{"./x", "--by", "rank"},                        "--by does not know 'rank'",                                "span"          },
        {{"./x", "--top"},                               "--top wants a value: N",                                   NULL            },
        {{"./x", "--top", "-1"},                         "--top wants a whole number",                               NULL            },
        {{"./x", "--top", "9999999999999999999"},        "--top wants a whole number",                               NULL            },
        {{"./x", "--jobs", "0"},                         "--jobs wants a whole number from 1 to 65535, not '0'",     NULL            },
        {{"./x", "-j", "65536"},                         "--jobs wants a whole number from 1 to 65535, not '65536'", NULL            },
        {{"./x", "--top", "4294967296"},                 "from 0 to 4294967295, not '4294967296'",                   NULL            },
        {{"./x", "--steps", "5-3"},                      "the smaller end first, not '5-3'",                         NULL            },
        {{"./x", "--ranks", "1,,2"},                     "--ranks wants numbers",                                    NULL            },
        {{"./x", "--filter", "a("},                      "--filter does not understand",                             NULL            },
        {{"./x", "--strict=yes"},                        "--strict takes no value",                                  NULL            },
        {{"./x", "--views", ""},                         "--views wants a value: A,B, not ''",                       "overview"      },
        {{"./x", "--views="},                            "--views wants a value: A,B, not ''",                       "overview"      },
        {{"./x", "--views", ",,"},                       "--views wants a value: A,B, not ',,'",                     "overview"      },
        {{"./x", "--views", "overview", "--views", ""},  "--views wants a value",                                    "overview"      },
        {{"./x", "--views"},                             "--views wants a value: A,B",                               "overview"      },
        {{"./x", "-f", ""},                              "--format wants a value: NAME, not ''",                     "json"          },
        {{"./x", "--columns", ","},                      "--columns wants a value: A,B, not ','; --help",            NULL            },
        {{"./x", "--sort", ""},                          "--sort wants a value: COLUMN, not ''; --help",             NULL            },
        {{"./x", "-o", ""},                              "--output wants a value: FILE, not ''",                     NULL            },
        {{"./x", "--filter", ""},                        "--filter wants a value: REGEX, not ''",                    NULL            },
        {{"./x", "--worker="},                           "--worker wants a value: NAME, not ''",                     NULL            },
        {{"./x", "--color", ""},                         "--color wants a value: WHEN, not ''",                      "always"        },
        {{"--completion", ""},                           "--completion wants a value: SHELL, not ''",                "bash"          },
        {{"info", "./x", "--views", "overview"},         "--views goes with report",                                 NULL            },
        {{"-f", "json,text", "-o", "-", "./x"},          "--output - takes one format",                              NULL            },
        {{""},                                           "a PATH is empty: name a log directory",                    NULL            },
        {{"./x", ""},                                    "a PATH is empty: name a log directory",                    NULL            },
        {{"--", ""},                                     "a PATH is empty: name a log directory",                    NULL            },
        {{"./x", "-f", "json", "-f", "text"},            "several formats need --output",                            NULL            },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        parsed p = parse(cases[i].words);
        assert_int_equal(p.code, ERR_USAGE);
        assert_non_null(strstr(p.err.message, cases[i].message));
        assert_int_equal(p.known != NULL, cases[i].known != NULL);
        if (cases[i].known)
            assert_non_null(strstr(p.known, cases[i].known));
        done(&p);
    }
}

static void options_and_paths_come_in_any_order(void **state)
{
    static const char *const SAME[][MOST_WORDS] = {
        {"-f", "json", "--top",    "30",                    "-qv",      "--views", "operators,kernels",        "./a"},
        {"./a",    "-fjson",      "--top=30",     "-q",             "-v",               "--views=operators",        "--views=kernels"},
        {"report",    "--views",   "operators,,kernels,", "-vqfjson", "-n30", "--",    "./a"                         },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(SAME); i++) {
        parsed p = parse(SAME[i]);
        assert_int_equal(p.code, ERR_NONE);
        assert_string_equal(p.options.command->name, "report");
        assert_int_equal(p.options.paths.count, 1);
        assert_string_equal(p.options.paths.at[0], "./a");
        assert_string_equal(p.options.formats.at[0], "json");
        assert_int_equal(p.options.top, 30);
        assert_true(p.options.quiet && p.options.verbose && !p.options.strict);
        assert_int_equal(p.options.views.count, 2);
        assert_string_equal(p.options.views.at[1], "kernels");
        done(&p);
    }
}

static void what_is_named_twice_counts_once(void **state)
{
    (void)state;
    parsed p = parse((const char *[MOST_WORDS]){"-", "-", "-f", "json,json", "-fjson"});
    assert_int_equal(p.code, ERR_NONE);
    assert_int_equal(p.options.paths.count, 1);
    assert_int_equal(p.options.formats.count, 1);
    done(&p);
}

static void only_the_first_word_is_a_command(void **state)
{
    static const struct {
        const char *words[MOST_WORDS];
        const char *command;
        uint32_t paths;
    } cases[] = {
        {{"info", "./a"},    "info",   1},
        {{"./a", "info"},    "report", 2},
        {{"info", "./info"}, "info",   1},
        {{"--", "./info"},   "report", 1},
        {{"-"},              "report", 1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        parsed p = parse(cases[i].words);
        assert_int_equal(p.code, ERR_NONE);
        assert_string_equal(p.options.command->name, cases[i].command);
        assert_int_equal(p.options.paths.count, cases[i].paths);
        done(&p);
    }
}

static void ranges_hold_their_ends(void **state)
{
    (void)state;
    parsed p = parse((const char *[MOST_WORDS]){"./a", "--ranks", "0-3,8", "--ranks", "12"});
    assert_int_equal(p.code, ERR_NONE);
    for (int rank = -1; rank < 16; rank++)
        assert_int_equal(ranges_hold(&p.options.ranks, rank),
                         (rank >= 0 && rank <= 3) || rank == 8 || rank == 12);
    done(&p);
}

static void every_option_is_stated_once_and_has_help(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OPTION_COUNT; i++) {
        assert_true(OPTIONS[i].help[0] != '\0');
        assert_int_equal(OPTIONS[i].argument == NULL, OPTIONS[i].kind == OPTION_FLAG);
        assert_int_equal(OPTIONS[i].most > OPTIONS[i].least, OPTIONS[i].kind == OPTION_NUMBER);
        for (uint32_t k = 0; k < i; k++) {
            assert_string_not_equal(OPTIONS[i].name, OPTIONS[k].name);
            assert_true(!OPTIONS[i].letter || OPTIONS[i].letter != OPTIONS[k].letter);
            assert_int_not_equal(OPTIONS[i].offset, OPTIONS[k].offset);
        }
    }
}

static void a_rank_is_read_from_the_last_of_its_forms(void **state)
{
    static const struct {
        const char *name;
        int64_t rank;
    } cases[] = {
        {"rank0",                      0 },
        {"rank_12",                    12},
        {"Rank-7",                     7 },
        {"dp0_pp0_tp1_dcp0_ep1_rank1", 1 },
        {"rank1_5001",                 1 },
        {"trainer_rank_3.host",        3 },
        {"rank0_of_rank8",             8 },
        {"ranking",                    -1},
        {"rank",                       -1},
        {"rank__1",                    -1},
        {"worker0",                    -1},
        {"",                           -1},
        {"rank99999999999999999999",   -1},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(rank_in_name(cases[i].name), cases[i].rank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_words_are_answered_with_the_known_ones),
        cmocka_unit_test(options_and_paths_come_in_any_order),
        cmocka_unit_test(what_is_named_twice_counts_once),
        cmocka_unit_test(only_the_first_word_is_a_command),
        cmocka_unit_test(ranges_hold_their_ends),
        cmocka_unit_test(every_option_is_stated_once_and_has_help),
        cmocka_unit_test(a_rank_is_read_from_the_last_of_its_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
