// SPDX-License-Identifier: BSD-3-Clause
// Numbers as JSON text: integers two digits at a time, doubles in the shortest form that reads
// back.
#include "out/json_text.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char DIGIT_PAIRS[] =
    "00010203040506070809101112131415161718192021222324252627282930313233"
    "34353637383940414243444546474849505152535455565758596061626364656667"
    "6869707172737475767778798081828384858687888990919293949596979899";

char *tp_text_uint(char *at, uint64_t value)
{
    char digits[20];
    char *first = digits + sizeof(digits);

    while (value >= 100) {
        first -= 2;
        memcpy(first, DIGIT_PAIRS + 2 * (value % 100), 2);
        value /= 100;
    }
    first -= 2;
    memcpy(first, DIGIT_PAIRS + 2 * value, 2);
    if (value < 10)
        first++;

    const size_t length = (size_t)(digits + sizeof(digits) - first);
    memcpy(at, first, length);
    return at + length;
}

char *tp_text_int(char *at, int64_t value)
{
    if (value >= 0)
        return tp_text_uint(at, (uint64_t)value);
    *at = '-';
    return tp_text_uint(at + 1, 0 - (uint64_t)value);
}

char *tp_text_micros(char *at, int64_t ns)
{
    uint64_t size = (uint64_t)ns;
    if (ns < 0) {
        *at++ = '-';
        size = 0 - size;
    }

    const unsigned rest = (unsigned)(size % 1000);
    at = tp_text_uint(at, size / 1000);
    at[0] = '.';
    at[1] = (char)('0' + rest / 100);
    memcpy(at + 2, DIGIT_PAIRS + 2 * (rest % 100), 2);
    return at + 4;
}

// The text with 16 digits above the one that printf rounds to: beside a power of two the nearest 16
// digits may lie too far below to read back, while these do.
static bool sixteen_digits_above(double value, char text[32])
{
    char *mantissa = text + (text[0] == '-');
    char *digit = strchr(mantissa, 'e') - 1;

    while (digit > mantissa && (*digit == '9' || *digit == '.')) {
        if (*digit == '9')
            *digit = '0';
        digit--;
    }
    if (*digit == '9')
        return false;
    ++*digit;
    return strtod(text, NULL) == value;
}

// Makes "1.50000e-07" "1.5e-07".
static void drop_zeros(char *text)
{
    char *exponent = strchr(text, 'e');
    char *end = exponent;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    memmove(end, exponent, strlen(exponent) + 1);
}

static locale_t plain_locale;

static void make_plain_locale(void)
{
    plain_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
}

// What the program set with setlocale() may have another decimal point. Where there is no memory
// for a locale, uselocale() leaves all as it is.
static locale_t enter_plain_locale(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_plain_locale);
    return uselocale(plain_locale);
}

// 15 digits never hide a shorter text; 17 always read back.
static void print_shortest(double value, char text[32])
{
    snprintf(text, 32, "%.15g", value);
    if (strtod(text, NULL) == value)
        return;
    snprintf(text, 32, "%.16g", value);
    if (strtod(text, NULL) == value)
        return;
    snprintf(text, 32, "%.15e", value);
    if (sixteen_digits_above(value, text))
        drop_zeros(text);
    else
        snprintf(text, 32, "%.17g", value);
}

char *tp_text_double(char *at, double value)
{
    char text[32];

    if (!isfinite(value)) {
        memcpy(at, "null", 4);
        return at + 4;
    }
    const locale_t before = enter_plain_locale();
    print_shortest(value, text);
    uselocale(before);

    const size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}
