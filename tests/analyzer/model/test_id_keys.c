// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "model/id_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int set_up(void **state)
{
    id_keys *k = calloc(1, sizeof(*k));
    k->odd.arena = arena_create();
    *state = k;
    return 0;
}

static int tear_down(void **state)
{
    id_keys *k = *state;
    arena_destroy(k->odd.arena);
    free(k);
    return 0;
}

static void a_number_below_2_to_31_is_its_own_key(void **state)
{
    char id[24];
    uint64_t power = 1;

    for (int digits = 1; digits <= 11; digits++, power *= 10)
        for (uint64_t n = power - 1; n < power + 12; n++) {
            snprintf(id, sizeof(id), "%" PRIu64, n);
            if (n < UINT64_C(1) << 31)
                assert_int_equal(id_keys_of(*state, text_of(id)), n);
            else
                assert_true(id_keys_of(*state, text_of(id)) >= UINT32_C(1) << 31);
        }
    assert_int_equal(id_keys_of(*state, TEXT("2147483647")), 2147483647);
}

// Any byte at any place of an id of any length that a number may have.
static void what_is_no_number_has_a_key_of_its_own(void **state)
{
    static const char digits[] = "1234567890";

    for (size_t length = 1; length < sizeof(digits); length++)
        for (size_t place = 0; place < length; place++)
            for (int byte = 0; byte < 256; byte++) {
                char id[24] = {0};
                memcpy(id, digits, length);
                id[place] = (char)byte;
                const uint32_t key = id_keys_of(*state, (text){id, length});
                const bool plain =
                    byte >= '0' && byte <= '9' && (byte != '0' || place > 0 || length == 1);
                if (!plain)
                    assert_true(key >= UINT32_C(1) << 31);
                else if (length < 10)
                    assert_int_equal(key, strtoul(id, NULL, 10));
                assert_int_equal(id_keys_of(*state, (text){id, length}), key);
            }
    assert_int_not_equal(id_keys_of(*state, TEXT("")), id_keys_of(*state, TEXT("0")));
    assert_int_not_equal(id_keys_of(*state, TEXT("00")), id_keys_of(*state, TEXT("0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_number_below_2_to_31_is_its_own_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_number_has_a_key_of_its_own, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
