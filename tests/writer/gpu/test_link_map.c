// SPDX-License-Identifier: BSD-3-Clause
// The map behind links: many keys, odd keys, keys that come back.
#include "gpu/link_map.h"

#include "support/cmocka_all.h"

static void values_are_found_again_however_many(void **state)
{
    enum { COUNT = 100000 };
    tp_link_map map = {0};
    (void)state;

    assert_null(tp_link_map_find(&map, 0));
    for (uint64_t key = 0; key < COUNT; key++)
        *tp_link_map_at(&map, key * 8) = key + 1;
    for (uint64_t key = 0; key < COUNT; key++) {
        assert_int_equal(*tp_link_map_find(&map, key * 8), key + 1);
        assert_null(tp_link_map_find(&map, key * 8 + 1));
    }
    assert_int_equal(map.count, COUNT);
    tp_link_map_free(&map);
}

static void a_new_key_has_the_value_zero_and_an_old_one_its_own(void **state)
{
    tp_link_map map = {0};
    (void)state;

    assert_int_equal(*tp_link_map_at(&map, UINT64_MAX - 1), 0);
    *tp_link_map_at(&map, UINT64_MAX - 1) = 5;
    assert_int_equal(*tp_link_map_at(&map, UINT64_MAX - 1), 5);
    tp_link_map_clear(&map);
    assert_null(tp_link_map_find(&map, UINT64_MAX - 1));
    assert_int_equal(*tp_link_map_at(&map, UINT64_MAX - 1), 0);
    tp_link_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found_again_however_many),
        cmocka_unit_test(a_new_key_has_the_value_zero_and_an_old_one_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
