// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "read/json_copy.h"
#include "read/json_token.h"

#include <stdio.h>
#include <stdlib.h>

// What was read, one character a token, texts in <>; and the codes of notes.
typedef struct trail {
    char text[4096], notes[1024];
} trail;

static void collect(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    trail *t = self;
    const size_t used = strlen(t->notes);
    (void)severity;
    (void)what;
    snprintf(t->notes + used, sizeof(t->notes) - used, "%s%s@%u", used ? " " : "", code,
             (unsigned)offset);
}

static void add_token(trail *t, const json_token *token, scratch *s)
{
    static const char NAMES[] = ".$!{}[]ksn+-0w";
    const size_t used = strlen(t->text);
    const bool valued = token->kind == JSON_KEY || token->kind == JSON_STRING ||
                        token->kind == JSON_NUMBER || token->kind == JSON_WORD;
    const text value =
        token->kind == JSON_KEY || token->kind == JSON_STRING ? json_decode(token, s) : token->raw;

    snprintf(t->text + used, sizeof(t->text) - used, valued ? "%c<%.*s>" : "%c", NAMES[token->kind],
             (int)value.length, value.at);
}

static void read_all(text t, trail *out)
{
    const record_visitor visitor = {.self = out, .note = collect};
    arena *a = arena_create();
    scratch s = {.arena = a};
    json_reader r;

    *out = (trail){0};
    json_begin(&r, t, &visitor);
    for (;;) {
        const json_token token = json_next(&r);
        if (token.kind == JSON_ERROR)
            collect(out, r.problem, NOTE_ERROR, json_offset(&r, r.at), "");
        add_token(out, &token, &s);
        if (token.kind == JSON_END || token.kind == JSON_ERROR || token.kind == JSON_MORE)
            break;
    }
    arena_destroy(a);
}

typedef struct token_case {
    const char *json, *tokens, *notes;
} token_case;

static const token_case CASES[] = {
    {"{}",                                       "{}$",                                            ""                                     },
    {" [ ] ",                                    "[]$",                                            ""                                     },
    {"{\"a\":1,\"b\":[true,false,null,\"x\"]}",  "{k<a>n<1>k<b>[+-0s<x>]}$",                       ""                                     },
    {"{ \"a\" :\n-1.5e3 , \"b\" : {} }",         "{k<a>n<-1.5e3>k<b>{}}$",                         ""                                     },
    {"\"\"",                                     "s<>$",                                           ""                                     },
    {"12",                                       "n<12>$",                                         ""                                     },
 // Escapes.
    {"\"a\\\"b\\\\c\\/d\\n\"",                   "s<a\"b\\c/d\n>$",                                ""                                     },
    {"\"\\u0041\\u00e9\\u524d\\ud83d\\ude80\"",  "s<A\xc3\xa9\xe5\x89\x8d\xf0\x9f\x9a\x80>$",      ""                                     },
    {"{\"\\u0061\":1}",                          "{k<a>n<1>}$",                                    ""                                     },
    {"\"\\ud800x\"",                             "s<\xef\xbf\xbdx>$",                              "lone_surrogate@1"                     },
    {"\"\\ude80\\ud83d\\u0041\"",
     "s<\xef\xbf\xbd\xef\xbf\xbd"
     "A>$",                                                                                        "lone_surrogate@1"                     },
 // One backslash that is none stands for a writer that escapes nothing.
    {"\"C:\\Users\\new\"",                       "s<C:\\Users\\new>$",                             "invalid_escape@3"                     },
    {"\"a\\u12g4\"",                             "s<a\\u12g4>$",                                   "invalid_escape@2"                     },
    {"\"\\q\\\"x\\\"\"",                         "s<\\q\"x\">$",                                   "invalid_escape@1"                     },
 // Control characters, UTF-8.
    {"\"a\nb\tc\x01\"",                          "s<a\nb\tc\x01>$",                                "raw_control_character@2"              },
    {"\"\xe5\x89\x8d\"",                         "s<\xe5\x89\x8d>$",                               ""                                     },
    {"\"a\xff\xc3(\"",                           "s<a\xef\xbf\xbd\xef\xbf\xbd(>$",                 "invalid_utf8@2"                       },
    {"\"\xed\xa0\x80\"",                         "s<\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd>$",       "invalid_utf8@1"                       },
 // Raw quotes.
    {"[\"a\"b\"]",                               "[s<a\"b>]$",                                     "unescaped_quote@3"                    },
    {"{\"n\":\"<locals \"f\">\",\"p\":1}",       "{k<n>s<<locals \"f\">>k<p>n<1>}$",
     "unescaped_quote@14"                                                                                                                 },
    {"{\"n\":\"x(\"a\", \"b\")\",\"p\":1}",      "{k<n>s<x(\"a\", \"b\")>k<p>n<1>}$",
     "unescaped_quote@8"                                                                                                                  },
    {"{\"n\":\"see /\"this/\" one\" , \"p\":1}", "{k<n>s<see /\"this/\" one>k<p>n<1>}$",
     "unescaped_quote@11"                                                                                                                 },
    {"{\"a\"b\":1}",                             "{k<a\"b>n<1>}$",                                 "unescaped_quote@3"                    },
    {"{\"n\":\"a\": b\",\"p\":1}",               "{k<n>s<a\": b>k<p>n<1>}$",                       "unescaped_quote@7"                    },
 // Words and numbers that JSON does not have.
    {"[NaN,-inf,Infinity,nan,N/A,-nan]",         "[w<NaN>w<-inf>w<Infinity>w<nan>w<N/A>w<-nan>]$",
     "bare_word@1 bare_word@5 bare_word@10 bare_word@19 bare_word@23 bare_word@27"                                                        },
    {"[18446744073709551615,+1,.5,007]",         "[n<18446744073709551615>n<+1>n<.5>n<007>]$",     ""                                     },
 // Commas and values too many or too few.
    {"[1,2,]",                                   "[n<1>n<2>]$",                                    "trailing_comma@5"                     },
    {"{\"a\":1,}",                               "{k<a>n<1>}$",                                    "trailing_comma@7"                     },
    {"[1,,2]",                                   "[n<1>0n<2>]$",                                   "missing_value@3"                      },
    {"{\"a\":1,,\"b\":2}",                       "{k<a>n<1>k<b>n<2>}$",                            "missing_value@7"                      },
    {"{\"rank\": , \"b\":}",                     "{k<rank>0k<b>0}$",                               "missing_value@9 missing_value@15"     },
    {"[{} {}]",                                  "[{}{}]$",                                        "missing_comma@4"                      },
    {"{\"a\":1 \"b\":2}",                        "{k<a>n<1>k<b>n<2>}$",                            "missing_comma@7"                      },
 // What cannot be understood.
    {"{a:1}",                                    "{!",                                             "expected a key in quotes@1"           },
    {"[1}",                                      "[n<1>!",                                         "expected ']', found '}'@2"            },
    {"{\"a\":1]",                                "{k<a>n<1>!",                                     "expected '}', found ']'@6"            },
    {"[1 2]",                                    "[n<1>!",                                         "expected ',' or ']' behind a value@3" },
    {"{\"a\":true 5}",                           "{k<a>+!",                                        "expected ',' or '}' behind a value@10"},
    {"[troo]",                                   "[!",                                             "expected a value@1"                   },
    {"}",                                        "!",                                              "expected a value@0"                   },
 // What is cut off.
    {"",                                         ".",                                              ""                                     },
    {"[1",                                       "[.",                                             ""                                     },
    {"{\"a\":\"b",                               "{k<a>.",                                         ""                                     },
    {"[\"a",                                     "[.",                                             ""                                     },
    {"{\"a\"",                                   "{.",                                             ""                                     },
};

static void tokens_and_notes_are_as_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        trail got;
        read_all(text_of(CASES[i].json), &got);
        if (strcmp(got.text, CASES[i].tokens) != 0 || strcmp(got.notes, CASES[i].notes) != 0)
            fail_msg("%s: tokens %s notes %s", CASES[i].json, got.text, got.notes);
    }
}

// Exactly as many bytes as the text has, so that a sanitizer sees each read behind it.
static text exact_copy(const char *json, size_t length)
{
    char *bytes = malloc(length ? length : 1);
    assert_non_null(bytes);
    memcpy(bytes, json, length);
    return (text){bytes, length};
}

static void every_shorter_prefix_gives_a_shorter_trail(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        for (size_t length = 0; length < strlen(CASES[i].json); length++) {
            const text prefix = exact_copy(CASES[i].json, length);
            trail got;
            read_all(prefix, &got);
            free((void *)(uintptr_t)prefix.at);
            // Where nothing is bent, what is complete reads the same.
            const bool clean = !*CASES[i].notes && strchr("{[", *CASES[i].json);
            const size_t common = strlen(got.text) - 1;
            if (clean && length && memcmp(got.text, CASES[i].tokens, common) != 0)
                fail_msg("%.*s: tokens %s", (int)length, CASES[i].json, got.text);
        }
    }
}

// Gives the tokenizer `step` more bytes whenever it asks, in a buffer of exact size.
static void read_in_pieces(const char *json, size_t step, trail *out)
{
    const record_visitor visitor = {.self = out, .note = collect};
    const size_t whole = strlen(json);
    size_t have = 0, done = 0;
    arena *a = arena_create();
    scratch s = {.arena = a};
    json_reader r;

    *out = (trail){0};
    json_begin(&r, TEXT(""), &visitor);
    for (;;) {
        // What stands before the token that was cut is forgotten.
        const text window = exact_copy(json + done, have - done);
        r.at = window.at;
        r.end = window.at + window.length;
        r.end_offset = have;
        r.last = have == whole;
        json_token token;
        do {
            token = json_next(&r);
            if (token.kind == JSON_ERROR)
                collect(out, r.problem, NOTE_ERROR, json_offset(&r, r.at), "");
            if (token.kind != JSON_MORE || r.last)
                add_token(out, &token, &s);
        } while (token.kind != JSON_MORE && token.kind != JSON_END && token.kind != JSON_ERROR);
        done = (size_t)json_offset(&r, r.at);
        free((void *)(uintptr_t)window.at);
        if (r.last || token.kind != JSON_MORE)
            break;
        have = have + step < whole ? have + step : whole;
    }
    arena_destroy(a);
}

static void every_chunk_size_gives_the_same_tokens(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        for (size_t step = 1; step <= strlen(CASES[i].json); step++) {
            trail got;
            read_in_pieces(CASES[i].json, step, &got);
            if (strcmp(got.text, CASES[i].tokens) != 0 || strcmp(got.notes, CASES[i].notes) != 0)
                fail_msg("%s by %zu: tokens %s notes %s", CASES[i].json, step, got.text, got.notes);
        }
    }
}

static void nesting_has_a_limit(void **state)
{
    char json[JSON_DEPTH_MAX + 2];
    json_reader r;
    uint32_t depth = 0;
    (void)state;

    memset(json, '[', sizeof(json));
    json_begin(&r, (text){json, sizeof(json)}, NULL);
    while (json_next(&r).kind == JSON_ARRAY)
        depth++;
    assert_int_equal(depth, JSON_DEPTH_MAX);
    assert_string_equal(r.problem, "nested too deeply (see --max-depth)");
}

static void a_doubted_quote_closes_where_a_member_follows(void **state)
{
    static const struct {
        const char *json, *value;
    } cases[] = {
        {"{\"n\":\"a\", b\",\"p\":1}",       "a\", b"   },
        {"{\"cwd\":\"C:\\dir\\\", \"p\":1}", "C:\\dir\\"},
        {"{\"n\":\"a\",\"p\":1}",            "a"        },
        {"{\"n\":\"a\", }",                  "a"        },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        arena *a = arena_create();
        scratch s = {.arena = a};
        json_reader r;
        json_begin(&r, text_of(cases[i].json), NULL);
        r.doubtful = true;
        json_next(&r);
        json_next(&r);
        const json_token token = json_next(&r);
        const text value = json_decode(&token, &s);
        assert_int_equal(token.kind, JSON_STRING);
        if (!text_equal(value, text_of(cases[i].value)))
            fail_msg("%s: %.*s", cases[i].json, (int)value.length, value.at);
        arena_destroy(a);
    }
}

static void copies_are_strict_and_compact(void **state)
{
    static const struct {
        const char *json, *copy;
    } cases[] = {
        {" [ 1 , 2.50 , [ ] , { } ]",               "[1,2.50,[],{}]"                            },
        {"{ \"a b\" : \"c d\" , \"e\" : null }",    "{\"a b\":\"c d\",\"e\":null}"              },
        {"[NaN, N/A, -inf, true]",                  "[null,null,null,true]"                     },
        {"[+1, .5, 007, 1e5, -0.5E-3, 1.]",         "[\"+1\",\".5\",\"007\",1e5,-0.5E-3,\"1.\"]"},
        {"[1,2,]",                                  "[1,2]"                                     },
        {"[\"a\"b\", \"c\nd\", \"C:\\Users\"]",     "[\"a\\\"b\",\"c\\u000ad\",\"C:\\\\Users\"]"},
        {"[\"\\ud800\", \"\xff\", \"\\u00e9\\/\"]",
         "[\"\xef\xbf\xbd\",\"\xef\xbf\xbd\",\"\xc3\xa9/\"]"                                    },
        {"\"plain\"",                               "\"plain\""                                 },
        {"12",                                      "12"                                        },
        {"N/A",                                     "null"                                      },
        {"{\"rank\": , \"x\": 1}",                  "{\"rank\":null,\"x\":1}"                   },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        arena *a = arena_create();
        scratch s = {.arena = a};
        json_reader r;
        json_begin(&r, text_of(cases[i].json), NULL);
        const json_token whole = json_next_whole(&r);
        text copy;
        assert_true(json_copy(&whole, false, &s, &copy));
        if (!text_equal(copy, text_of(cases[i].copy)))
            fail_msg("%s: %.*s", cases[i].json, (int)copy.length, copy.at);
        arena_destroy(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_and_notes_are_as_expected),
        cmocka_unit_test(every_shorter_prefix_gives_a_shorter_trail),
        cmocka_unit_test(every_chunk_size_gives_the_same_tokens),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(a_doubted_quote_closes_where_a_member_follows),
        cmocka_unit_test(copies_are_strict_and_compact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
