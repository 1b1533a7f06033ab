// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "read/decimal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct decimal_case {
    const char *text;
    int shift;
    decimal_status status;
    int64_t value;
} decimal_case;

static const decimal_case CASES[] = {
    {"0",                                                            3, DECIMAL_EXACT,   0                  },
    {"1695.123",                                                     3, DECIMAL_EXACT,   1695123            },
    {"1750000000001000.001",                                         3, DECIMAL_EXACT,   1750000000001000001},
    {"1623212388426902",                                             3, DECIMAL_EXACT,   1623212388426902000},
    {"7889238000000.001",                                            3, DECIMAL_EXACT,   7889238000000001   },
    {"-0.512",                                                       3, DECIMAL_EXACT,   -512               },
    {"-0",                                                           3, DECIMAL_EXACT,   0                  },
    {"0.5",                                                          3, DECIMAL_EXACT,   500                },
    {".5",                                                           3, DECIMAL_EXACT,   500                },
    {"5.",                                                           3, DECIMAL_EXACT,   5000               },
    {"1e3",                                                          3, DECIMAL_EXACT,   1000000            },
    {"1.5E+2",                                                       3, DECIMAL_EXACT,   150000             },
    {"25e-1",                                                        3, DECIMAL_EXACT,   2500               },
    {"00012.5",                                                      3, DECIMAL_EXACT,   12500              },
    {"+3",                                                           0, DECIMAL_EXACT,   3                  },
    {"903.9448275862069",                                            3, DECIMAL_ROUNDED, 903945             },
 // Half to even, and just off half.
    {"0.0005",                                                       3, DECIMAL_ROUNDED, 0                  },
    {"0.0015",                                                       3, DECIMAL_ROUNDED, 2                  },
    {"0.0025",                                                       3, DECIMAL_ROUNDED, 2                  },
    {"0.00250000000000000000000000000000000000000001",               3, DECIMAL_ROUNDED, 3                  },
    {"-0.0015",                                                      3, DECIMAL_ROUNDED, -2                 },
    {"0.0004999999999999999999999",                                  3, DECIMAL_ROUNDED, 0                  },
    {"0.9999",                                                       3, DECIMAL_ROUNDED, 1000               },
    {"1.0000",                                                       3, DECIMAL_EXACT,   1000               },
    {"0.00000000000000000000000000000000000000000000000000001",      3, DECIMAL_ROUNDED, 0                  },
    {"1e-400",                                                       3, DECIMAL_ROUNDED, 0                  },
    {"0e999999999999999999999",                                      3, DECIMAL_EXACT,   0                  },
 // The ends of int64.
    {"9223372036854775807",                                          0, DECIMAL_EXACT,   INT64_MAX          },
    {"9223372036854775808",                                          0, DECIMAL_CLAMPED, INT64_MAX          },
    {"-9223372036854775808",                                         0, DECIMAL_EXACT,   INT64_MIN          },
    {"-9223372036854775809",                                         0, DECIMAL_CLAMPED, INT64_MIN          },
    {"9223372036854775.807",                                         3, DECIMAL_EXACT,   INT64_MAX          },
    {"9223372036854775.808",                                         3, DECIMAL_CLAMPED, INT64_MAX          },
    {"9223372036854775.8074",                                        3, DECIMAL_ROUNDED, INT64_MAX          },
    {"18446744073709551615",                                         3, DECIMAL_CLAMPED, INT64_MAX          },
    {"1e30",                                                         3, DECIMAL_CLAMPED, INT64_MAX          },
    {"-1e300000",                                                    3, DECIMAL_CLAMPED, INT64_MIN          },
    {"123456789012345678901234567890123456789012345678901234567890", 3, DECIMAL_CLAMPED, INT64_MAX          },
    {"1234567890123456789012345678901234567890e-35",                 0, DECIMAL_ROUNDED, 12346              },
 // Not numbers.
    {"",                                                             3, DECIMAL_BAD,     0                  },
    {"-",                                                            3, DECIMAL_BAD,     0                  },
    {".",                                                            3, DECIMAL_BAD,     0                  },
    {"1e",                                                           3, DECIMAL_BAD,     0                  },
    {"1e+",                                                          3, DECIMAL_BAD,     0                  },
    {"1.2.3",                                                        3, DECIMAL_BAD,     0                  },
    {"--1",                                                          3, DECIMAL_BAD,     0                  },
    {"12 ",                                                          3, DECIMAL_BAD,     0                  },
    {"0x10",                                                         3, DECIMAL_BAD,     0                  },
    {"N/A",                                                          3, DECIMAL_BAD,     0                  },
    {"inf",                                                          3, DECIMAL_BAD,     0                  },
};

static void text_becomes_the_nearest_integer(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        int64_t value = 77;
        const decimal_status status = decimal_parse(text_of(CASES[i].text), CASES[i].shift, &value);
        if (status != CASES[i].status || value != CASES[i].value)
            fail_msg("%s: status %d, value %lld", CASES[i].text, (int)status, (long long)value);
    }
}

static void printed_times_come_back(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        char line[64];
        int64_t value;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const int64_t want = (int64_t)(seed >> (seed % 60) >> 1);
        snprintf(line, sizeof(line), "%lld.%03d", (long long)(want / 1000), (int)(want % 1000));
        assert_int_equal(decimal_parse(text_of(line), 3, &value), DECIMAL_EXACT);
        assert_int_equal(value, want);
    }
}

static void reals_are_those_of_the_c_library(void **state)
{
    static const char *const TEXTS[] = {
        "0",
        "-0.25",
        "29.3",
        "0.074074075",
        "135.51515197753906",
        "903.9448275862069",
        "1e22",
        "1e-7",
        "5e-324",
        "1.7976931348623157e308",
        "1e-330",
        "1e-400",
        "123456",
        "1e5000",
        "-1e-5000",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(TEXTS); i++) {
        double value;
        assert_true(decimal_real(text_of(TEXTS[i]), &value));
        if (value != strtod(TEXTS[i], NULL))
            fail_msg("%s: %.17g", TEXTS[i], value);
    }
    double value;
    assert_false(decimal_real(text_of("inf"), &value));
    assert_false(decimal_real(text_of("12abc"), &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_the_nearest_integer),
        cmocka_unit_test(printed_times_come_back),
        cmocka_unit_test(reals_are_those_of_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
