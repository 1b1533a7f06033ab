// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/id_map.h"

static void every_key_keeps_its_id(void **state)
{
    (void)state;
    arena *a = arena_create();
    id_map m = {0};

    assert_int_equal(id_map_get(&m, 7), ID_NONE);
    for (uint32_t i = 0; i < 50000; i++)
        id_map_put(&m, a, (uint64_t)i * 4096, i);
    assert_int_equal(m.count, 50000);
    for (uint32_t i = 0; i < 50000; i++) {
        assert_int_equal(id_map_get(&m, (uint64_t)i * 4096), i);
        assert_int_equal(id_map_get(&m, (uint64_t)i * 4096 + 1), ID_NONE);
    }
    id_map_put(&m, a, 0, 9);
    assert_int_equal(id_map_get(&m, 0), 9);
    assert_int_equal(*id_map_entry(&m, a, 0, 12), 9);
    assert_int_equal(*id_map_entry(&m, a, 1, 12), 12);
    arena_destroy(a);
}

static void hashes_tell_lengths_and_places_apart(void **state)
{
    (void)state;
    const char zeros[32] = {0};
    for (size_t i = 0; i < 32; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(hash_bytes(zeros, i) != hash_bytes(zeros, k));
    assert_true(hash_bytes("abcdefgh1", 9) != hash_bytes("abcdefgh2", 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_keeps_its_id),
        cmocka_unit_test(hashes_tell_lengths_and_places_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
