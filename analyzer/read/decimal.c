// SPDX-License-Identifier: BSD-3-Clause
// Decimal text -> scaled integers, exactly.
#include "read/decimal.h"

// 128 bits hold 36 digits with room for one more; int64 needs 19, so what is dropped behind them
// can only be a fraction, or the value is far beyond int64.
enum { DIGITS_MAX = 36, EXPONENT_MAX = 100000 };

typedef struct number {
    __uint128_t digits; // the significant ones, at most DIGITS_MAX
    int64_t exponent;   // value = digits * 10^exponent
    bool negative;
    bool rest; // something other than 0 was dropped behind the digits
} number;

typedef struct scan {
    const char *at, *end;
    int kept; // significant digits so far
    bool any;
} scan;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void scan_digits(scan *s, number *n, int step)
{
    for (; s->at < s->end && is_digit(*s->at); s->at++) {
        s->any = true;
        if (s->kept < DIGITS_MAX) {
            n->digits = n->digits * 10 + (unsigned)(*s->at - '0');
            s->kept += n->digits != 0;
            n->exponent -= step;
        } else {
            n->rest |= *s->at != '0';
            n->exponent += 1 - step;
        }
    }
}

static bool scan_sign(scan *s)
{
    if (s->at == s->end || (*s->at != '-' && *s->at != '+'))
        return false;
    return *s->at++ == '-';
}

static bool scan_exponent(scan *s, number *n)
{
    if (s->at == s->end || (*s->at != 'e' && *s->at != 'E'))
        return true;
    s->at++;
    const bool negative = scan_sign(s);
    int64_t exponent = 0;
    if (s->at == s->end)
        return false;
    for (; s->at < s->end && is_digit(*s->at); s->at++)
        if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + (*s->at - '0');
    n->exponent += negative ? -exponent : exponent;
    return true;
}

static bool scan_number(text t, number *n)
{
    scan s = {.at = t.at, .end = t.at + t.length};

    *n = (number){0};
    n->negative = scan_sign(&s);
    scan_digits(&s, n, 0);
    if (s.at < s.end && *s.at == '.') {
        s.at++;
        scan_digits(&s, n, 1);
    }
    return s.any && scan_exponent(&s, n) && s.at == s.end;
}

static __uint128_t power_of_ten(int64_t exponent)
{
    __uint128_t power = 1;
    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

static decimal_status divide(const number *n, int64_t exponent, __uint128_t *quotient)
{
    if (exponent > 38) {
        *quotient = 0;
        return DECIMAL_ROUNDED;
    }
    const __uint128_t divisor = power_of_ten(exponent), half = divisor / 2;
    const __uint128_t left = n->digits % divisor;

    *quotient = n->digits / divisor;
    if (left > half || (left == half && exponent && (n->rest || (*quotient & 1))))
        ++*quotient;
    return left || n->rest ? DECIMAL_ROUNDED : DECIMAL_EXACT;
}

static decimal_status clamp(const number *n, __uint128_t magnitude, int64_t *value)
{
    const __uint128_t limit = (__uint128_t)INT64_MAX + n->negative;

    if (magnitude > limit) {
        *value = n->negative ? INT64_MIN : INT64_MAX;
        return DECIMAL_CLAMPED;
    }
    *value = (int64_t)(n->negative ? -(uint64_t)magnitude : (uint64_t)magnitude);
    return DECIMAL_EXACT;
}

decimal_status decimal_parse(text t, int shift, int64_t *value)
{
    number n;
    *value = 0;
    if (!scan_number(t, &n))
        return DECIMAL_BAD;

    const int64_t power = n.exponent + shift;
    __uint128_t magnitude = n.digits;
    decimal_status rounded = DECIMAL_EXACT;
    if (n.digits == 0)
        return DECIMAL_EXACT;
    if (power < 0)
        rounded = divide(&n, -power, &magnitude);
    else if (power > 19 || magnitude > (__uint128_t)INT64_MAX + 1)
        magnitude = UINT64_MAX;
    else
        magnitude *= power_of_ten(power);

    const decimal_status clamped = clamp(&n, magnitude, value);
    return clamped ? clamped : rounded;
}

static long double scale(long double value, int64_t exponent)
{
    long double factor = 1, base = 10;
    for (int64_t left = exponent < 0 ? -exponent : exponent; left; left /= 2, base *= base)
        if (left % 2)
            factor *= base;
    return exponent < 0 ? value / factor : value * factor;
}

bool decimal_real(text t, double *value)
{
    number n;
    *value = 0;
    if (!scan_number(t, &n))
        return false;

    // Two steps, so that 10^400 in the divisor does not make 0 of what 10^-330 would be.
    const int64_t near = n.exponent < -300 ? -300 : n.exponent > 400 ? 400 : n.exponent;
    const int64_t far = n.exponent < -800 ? -500 : n.exponent - near;
    const long double magnitude = scale(scale((long double)n.digits, near), far < 0 ? far : 0);
    *value = (double)(n.negative ? -magnitude : magnitude);
    return true;
}
