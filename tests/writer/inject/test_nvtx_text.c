// SPDX-License-Identifier: BSD-3-Clause
// Texts of NVTX in all their forms.
#include "inject/nvtx_text.h"

#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static void wide_text_becomes_utf8(void **state)
{
    static const wchar_t surrogate[] = {'a', 0xd800, 0x110000, 'b', 0};
    static const struct {
        const wchar_t *wide;
        const char *text;
    } cases[] = {
        {L"",                ""                             },
        {L"plain",           "plain"                        },
        {L"gr\u00f6\u00dfe", "gr\xc3\xb6\xc3\x9f"
                             "e"},
        {L"\u65e5\u672c",    "\xe6\x97\xa5\xe6\x9c\xac"     },
        {L"\U0001F600",      "\xf0\x9f\x98\x80"             },
        {surrogate,          "a\xef\xbf\xbd\xef\xbf\xbd"
                    "b"                  },
        {NULL,               ""                             },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(tp_nvtx_wide_text(cases[i].wide), cases[i].text);
}

static void a_long_wide_text_is_cut_between_characters(void **state)
{
    enum { LENGTH = 5000 };
    wchar_t *wide = calloc(LENGTH + 1, sizeof(*wide));
    (void)state;

    for (int i = 0; i < LENGTH; i++)
        wide[i] = 0x20ac; // three bytes
    const char *text = tp_nvtx_wide_text(wide);
    assert_true(strlen(text) > 1000 && strlen(text) <= 1024);
    assert_int_equal(strlen(text) % 3, 0);
    free(wide);
}

static void messages_of_every_type_are_read_as_far_as_they_are_there(void **state)
{
    nvtx_attributes a = {.size = sizeof(a)};
    (void)state;

    assert_string_equal(tp_nvtx_message(&a), "");
    a.message_type = NVTX_TYPE_ASCII;
    a.message.ascii = "text";
    assert_string_equal(tp_nvtx_message(&a), "text");
    a.message.ascii = NULL;
    assert_string_equal(tp_nvtx_message(&a), "");
    a.message_type = NVTX_TYPE_WIDE;
    a.message.wide = L"wide";
    assert_string_equal(tp_nvtx_message(&a), "wide");
    a.message_type = NVTX_TYPE_REGISTERED;
    a.message.registered = (void *)(uintptr_t)tp_nvtx_text("kept");
    assert_string_equal(tp_nvtx_message(&a), "kept");
    a.message_type = 99;
    assert_string_equal(tp_nvtx_message(&a), "");
    // An older program's attributes end before the message.
    a.message_type = NVTX_TYPE_ASCII;
    a.message.ascii = "not there";
    a.size = offsetof(nvtx_attributes, message);
    assert_string_equal(tp_nvtx_message(&a), "");
}

static void categories_have_names_per_domain_or_their_numbers(void **state)
{
    nvtx_domain domain = (void *)(uintptr_t)tp_nvtx_text("model");
    (void)state;

    assert_null(tp_nvtx_category(NULL, 0));
    assert_string_equal(tp_nvtx_category(NULL, 3), "3");
    tp_nvtx_name_category(NULL, 3, "first");
    tp_nvtx_name_category(domain, 3, "second");
    tp_nvtx_name_category(NULL, 3, "renamed");
    assert_string_equal(tp_nvtx_category(NULL, 3), "renamed");
    assert_string_equal(tp_nvtx_category(domain, 3), "second");
    for (uint32_t i = 1000; i < 2000; i++) // more than there is room for names
        tp_nvtx_name_category(NULL, i, "many");
    assert_string_equal(tp_nvtx_category(NULL, 1000), "many");
    assert_string_equal(tp_nvtx_category(NULL, 1999), "1999");
}

static void a_thread_finds_the_latest_name_that_others_gave_it(void **state)
{
    const uint32_t before = tp_nvtx_name_changes();
    (void)state;

    assert_null(tp_nvtx_name_of_thread(77));
    tp_nvtx_name_other_thread(77, "first");
    tp_nvtx_name_other_thread(78, "another");
    tp_nvtx_name_other_thread(77, "second");
    assert_int_equal(tp_nvtx_name_changes(), before + 3);
    assert_string_equal(tp_nvtx_name_of_thread(77), "second");
    assert_string_equal(tp_nvtx_name_of_thread(78), "another");
    for (uint32_t i = 1000; i < 2000; i++)
        tp_nvtx_name_other_thread(i, "many");
    assert_null(tp_nvtx_name_of_thread(77));
    assert_string_equal(tp_nvtx_name_of_thread(1999), "many");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_text_becomes_utf8),
        cmocka_unit_test(a_long_wide_text_is_cut_between_characters),
        cmocka_unit_test(messages_of_every_type_are_read_as_far_as_they_are_there),
        cmocka_unit_test(a_thread_finds_the_latest_name_that_others_gave_it),
        cmocka_unit_test(categories_have_names_per_domain_or_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
