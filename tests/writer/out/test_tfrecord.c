// SPDX-License-Identifier: BSD-3-Clause
// TFRecord framing against published checksums and a record taken apart by hand.
#include "support/cmocka_all.h"

#include "out/tfrecord.h"

#include <string.h>

static void checksums_are_those_of_castagnoli(void **state)
{
    // The vectors of RFC 3720, B.4, and the customary check value.
    unsigned char ascending[32], zeros[32] = {0}, ones[32];
    (void)state;

    for (unsigned i = 0; i < 32; i++)
        ascending[i] = (unsigned char)i;
    memset(ones, 0xff, sizeof(ones));
    assert_int_equal(tp_crc32c("", 0), 0);
    assert_int_equal(tp_crc32c("123456789", 9), 0xe3069283u);
    assert_int_equal(tp_crc32c(zeros, 32), 0x8a9136aau);
    assert_int_equal(tp_crc32c(ones, 32), 0x62a8ab43u);
    assert_int_equal(tp_crc32c(ascending, 32), 0x46dd794eu);
}

static void checksums_are_masked(void **state)
{
    const unsigned char length_24[8] = {24};
    (void)state;

    assert_int_equal(tp_crc32c_masked("123456789", 9), 0xc78ab0e5u);
    assert_int_equal(tp_crc32c_masked(length_24, 8), 0x224b7fa3u);
}

static void a_record_is_length_payload_and_their_checksums(void **state)
{
    static const unsigned char expected[] = {
        24,  0,   0,   0,   0,   0,   0,   0,   0xa3, 0x7f, 0x4b, 0x22, // length, checksum of the
                                                                        // length
        'a', 'l', 'l', ' ', 't', 'h', 'e', ' ', 's',  't',  'e',  'p',  's',
        ' ', 'o', 'f', ' ', 'a', ' ', 'r', 'u', 'n',  ' ',  '.',
    };
    const char *payload = (const char *)expected + 12;
    tp_sink *sink;
    size_t size;
    (void)state;

    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_tfrecord_write(sink, payload, 24);
    const unsigned char *bytes = (const unsigned char *)tp_sink_memory_data(sink, &size);
    assert_int_equal(size, 8 + 4 + 24 + 4);
    assert_memory_equal(bytes, expected, sizeof(expected));
    const uint32_t tail = (uint32_t)bytes[36] | (uint32_t)bytes[37] << 8 |
                          (uint32_t)bytes[38] << 16 | (uint32_t)bytes[39] << 24;
    assert_int_equal(tail, tp_crc32c_masked(payload, 24));
    tp_sink_abandon(sink);
}

static void a_record_that_does_not_fit_fails_the_sink(void **state)
{
    tp_sink *sink;
    (void)state;

    assert_int_equal(tp_sink_memory_open(20, &sink), TPROF_OK);
    tp_tfrecord_write(sink, "more than twenty bytes", 22);
    assert_int_equal(sink->status, TPROF_ERR_MEMORY);
    tp_sink_abandon(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_are_those_of_castagnoli),
        cmocka_unit_test(checksums_are_masked),
        cmocka_unit_test(a_record_is_length_payload_and_their_checksums),
        cmocka_unit_test(a_record_that_does_not_fit_fails_the_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
