// SPDX-License-Identifier: BSD-3-Clause
// JSON out: commas, escapes, numbers, pretty printing, and the check of JSON that comes in.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "out/json_writer.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static char *double_text(double value)
{
    static char text[64];
    *tp_text_double(text, value) = '\0';
    return text;
}

static void doubles_are_short_and_read_back(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0,                    "0"                      },
        {1.0,                    "1"                      },
        {-2.5,                   "-2.5"                   },
        {0.1,                    "0.1"                    },
        {903.9448275862069,      "903.9448275862069"      },
        {135.51515197753906,     "135.51515197753906"     },
        {1e300,                  "1e+300"                 },
        {5e-324,                 "4.94065645841247e-324"  },
        {1.0 / 3,                "0.3333333333333333"     },
        {5.684341886080802e-14,  "5.684341886080802e-14"  },
        {9007199254740993.0,     "9007199254740992"       },
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {NAN,                    "null"                   },
        {INFINITY,               "null"                   },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(double_text(cases[i].value), cases[i].text);
}

static void any_double_reads_back(void **state)
{
    uint64_t bits = 88172645463325252u;
    (void)state;

    for (int i = 0; i < 200000; i++) {
        double value;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value) && strtod(double_text(value), NULL) != value)
            fail_msg("%a reads back from %s otherwise", value, double_text(value));
    }
}

// As much of one as numbers need. False where the system cannot make locales.
static bool make_locale_with_decimal_comma(void)
{
    static const char SOURCE[] = "LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"\"\n"
                                 "grouping -1\nEND LC_NUMERIC\n";
    char command[4096];

    write_whole_file(temp_path("source"), SOURCE, sizeof(SOURCE) - 1);
    snprintf(command, sizeof(command), "localedef --no-archive -c -i %s %s >/dev/null 2>&1",
             temp_path("source"), temp_path("comma"));
    if (system(command) < 0)
        return false;
    setenv("LOCPATH", temp_path("."), 1);
    // An incomplete one would not be safe to set.
    return access(temp_path("comma/LC_NUMERIC"), R_OK) == 0 &&
           access(temp_path("comma/LC_CTYPE"), R_OK) == 0 && setlocale(LC_NUMERIC, "comma");
}

static void a_decimal_comma_of_the_program_stays_out(void **state)
{
    char text[16];
    (void)state;

    if (!make_locale_with_decimal_comma()) {
        print_message("no locales can be made here (package locales)\n");
        skip();
    }
    snprintf(text, sizeof(text), "%g", 1.5);
    assert_string_equal(text, "1,5");
    assert_string_equal(double_text(1.5), "1.5");
    assert_string_equal(double_text(1.0 / 3), "0.3333333333333333");
    assert_string_equal(double_text(5.684341886080802e-14), "5.684341886080802e-14");
    snprintf(text, sizeof(text), "%g", 1.5);
    assert_string_equal(text, "1,5");
    setlocale(LC_NUMERIC, "C");
}

static void times_have_three_decimals(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0,                "0.000"                },
        {5,                "0.005"                },
        {1695123,          "1695.123"             },
        {-1695123,         "-1695.123"            },
        {7889238000000000, "7889238000000.000"    },
        {INT64_MAX,        "9223372036854775.807" },
        {INT64_MIN,        "-9223372036854775.808"},
    };
    char text[40];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        *tp_text_micros(text, cases[i].ns) = '\0';
        assert_string_equal(text, cases[i].text);
    }
}

static void integers_are_printed_whole(void **state)
{
    static const int64_t values[] = {0, 7, 10, 99, 100, 12345, -1, -100, INT64_MAX, INT64_MIN};
    char text[40], expected[40];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        *tp_text_int(text, values[i]) = '\0';
        snprintf(expected, sizeof(expected), "%lld", (long long)values[i]);
        assert_string_equal(text, expected);
    }
    *tp_text_uint(text, UINT64_MAX) = '\0';
    assert_string_equal(text, "18446744073709551615");
}

static void text_is_escaped_and_made_valid_utf8(void **state)
{
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        {"",                                            "\"\""                                    },
        {"plain",                                       "\"plain\""                               },
        {"say \"hi\" \\ there",                         "\"say \\\"hi\\\" \\\\ there\""           },
        {"tab\tline\nbell\a\x1f",                       "\"tab\\tline\\nbell\\u0007\\u001f\""     },
        {"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80 \x7f",
         "\"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\""                                        },
        {"\xff",                                        "\"\xef\xbf\xbd\""                        },
        {"a\xc3",                                       "\"a\xef\xbf\xbd\""                       },
        {"\xc0\xaf",                                    "\"\xef\xbf\xbd\xef\xbf\xbd\""            }, // overlong
        {"\xed\xa0\x80",                                "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // surrogate
        {"\xf0\x9f\x98z",                               "\"\xef\xbf\xbdz\""                       }, // one for the whole cut one
        {"\xf5\x80",                                    "\"\xef\xbf\xbd\xef\xbf\xbd\""            },
    };
    char json[256];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        *tp_text_quoted(json, cases[i].text, strlen(cases[i].text)) = '\0';
        assert_string_equal(json, cases[i].json);
        assert_true(tp_json_valid(json, strlen(json)));
    }
}

// The same document at any width of indentation.
static char *document(int indent)
{
    tp_sink *sink;
    tp_json json;

    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_json_open(&json, sink, indent);
    tp_json_object_begin(&json);
    tp_json_key_int(&json, "int", -7);
    tp_json_key(&json, "list");
    tp_json_array_begin(&json);
    tp_json_double(&json, 0.5);
    tp_json_bool(&json, true);
    tp_json_null(&json);
    tp_json_string(&json, NULL);
    tp_json_array_begin(&json);
    tp_json_array_end(&json);
    tp_json_array_end(&json);
    tp_json_key(&json, "empty");
    tp_json_object_begin(&json);
    tp_json_object_end(&json);
    tp_json_key_string(&json, "a \"key\"", "text");
    tp_json_key(&json, "raw");
    tp_json_raw(&json, "[1,2]", 5);
    tp_json_object_end(&json);
    tp_json_close(&json);

    char *text = strdup(tp_sink_memory_data(sink, NULL));
    assert_int_equal(tp_sink_close(sink, NULL), TPROF_OK);
    return text;
}

static void documents_have_their_commas(void **state)
{
    char *flat = document(0), *pretty = document(2);
    (void)state;

    assert_string_equal(flat, "{\"int\":-7,\"list\":[0.5,true,null,null,[]],\"empty\":{},"
                              "\"a \\\"key\\\"\":\"text\",\"raw\":[1,2]}");
    assert_string_equal(pretty, "{\n  \"int\": -7,\n  \"list\": [\n    0.5,\n    true,\n    null,\n"
                                "    null,\n    []\n  ],\n  \"empty\": {},\n"
                                "  \"a \\\"key\\\"\": \"text\",\n  \"raw\": [1,2]\n}\n");
    free(flat);
    free(pretty);
}

static void long_strings_pass_through_the_small_buffer(void **state)
{
    enum { LENGTH = 5 * TP_JSON_BUFFER };
    char *text = malloc(LENGTH + 1);
    tp_sink *sink;
    tp_json json;
    size_t size;
    (void)state;

    memset(text, '"', LENGTH);
    text[LENGTH] = '\0';
    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_json_open(&json, sink, 0);
    tp_json_string(&json, text);
    tp_json_close(&json);
    const char *out = tp_sink_memory_data(sink, &size);
    assert_int_equal(size, 2 * LENGTH + 2);
    assert_true(tp_json_valid(out, size));
    assert_int_equal(tp_sink_close(sink, NULL), TPROF_OK);
    free(text);
}

static void nesting_has_a_bound(void **state)
{
    tp_sink *sink;
    tp_json json;
    (void)state;

    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_json_open(&json, sink, 0);
    for (int i = 0; i < TP_JSON_DEPTH; i++)
        tp_json_array_begin(&json);
    tp_json_close(&json);
    assert_int_equal(tp_sink_close(sink, NULL), TPROF_ERR_ARGUMENT);
}

static void json_is_told_from_what_is_not(void **state)
{
    static const char *const good[] = {
        "1",    "-0.5e+3",      "0", " [ ] ", "{\"a\" : [1, {\"b\":null}], \"c\":\"\\u00e9\\n\"}",
        "true", "\"\xc3\xa9\"",
    };
    static const char *const bad[] = {
        "",     "01",       "1.",    "-",          "+1",     ".5",      "1e",          "NaN",
        "[1,]", "{\"a\":}", "{a:1}", "[1 2]",      "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "\"\xff\"",
        "1 2",  "[",        "\"",    "{\"a\":1,}", "'a'",
    };
    char deep[2 * TP_JSON_DEPTH + 4];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        if (!tp_json_valid(good[i], strlen(good[i])))
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (tp_json_valid(bad[i], strlen(bad[i])))
            fail_msg("accepted: %s", bad[i]);
    memset(deep, '[', TP_JSON_DEPTH + 1);
    memset(deep + TP_JSON_DEPTH + 1, ']', TP_JSON_DEPTH + 1);
    assert_false(tp_json_valid(deep, 2 * TP_JSON_DEPTH + 2));
    assert_true(tp_json_valid(deep + 1, 2 * TP_JSON_DEPTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_short_and_read_back),
        cmocka_unit_test(any_double_reads_back),
        cmocka_unit_test(a_decimal_comma_of_the_program_stays_out),
        cmocka_unit_test(times_have_three_decimals),
        cmocka_unit_test(integers_are_printed_whole),
        cmocka_unit_test(text_is_escaped_and_made_valid_utf8),
        cmocka_unit_test(documents_have_their_commas),
        cmocka_unit_test(long_strings_pass_through_the_small_buffer),
        cmocka_unit_test(nesting_has_a_bound),
        cmocka_unit_test(json_is_told_from_what_is_not),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
