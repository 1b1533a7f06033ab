// SPDX-License-Identifier: BSD-3-Clause
// gzip's checksum, whatever engine the build has, against zlib's.
#include "support/cmocka_all.h"

#include "base/text.h"
#include "read/inflate.h"

#include <zlib.h>

static unsigned char bytes[70000];

static int make_bytes(void **state)
{
    uint32_t seed = 1;
    (void)state;

    for (size_t i = 0; i < sizeof(bytes); i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(seed >> 24);
    }
    return 0;
}

static void each_length_at_each_place_has_its_checksum(void **state)
{
    (void)state;
    for (size_t from = 0; from < 17; from++)
        for (size_t length = 0; length < 400; length++)
            assert_int_equal(inflate_crc(0, bytes + from, length),
                             crc32_z(0, bytes + from, length));
}

static void parts_add_up(void **state)
{
    static const size_t cuts[] = {0, 1, 63, 64, 65, 4096, 65537, sizeof(bytes)};
    const uLong whole = crc32_z(0, bytes, sizeof(bytes));
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cuts); i++) {
        const uint32_t first = inflate_crc(0, bytes, cuts[i]);
        assert_int_equal(inflate_crc(first, bytes + cuts[i], sizeof(bytes) - cuts[i]), whole);
    }
    assert_int_equal(inflate_crc(0, "123456789", 9), 0xcbf43926); // the check value of CRC-32
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_length_at_each_place_has_its_checksum),
        cmocka_unit_test(parts_add_up),
    };
    return cmocka_run_group_tests(tests, make_bytes, NULL);
}
