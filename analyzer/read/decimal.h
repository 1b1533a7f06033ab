// SPDX-License-Identifier: BSD-3-Clause
// Decimal text -> scaled integers, exactly: "1695.123" us -> 1695123 ns, never through a double.
#ifndef READ_DECIMAL_H
#define READ_DECIMAL_H

#include "base/text.h"

#include <stdint.h>

typedef enum decimal_status {
    DECIMAL_EXACT,
    DECIMAL_ROUNDED, // more digits than fit behind the point; half to even
    DECIMAL_CLAMPED, // beyond int64; *value is the nearest end
    DECIMAL_BAD,     // not a number; *value is 0
} decimal_status;

// Reads all of `t` as [+-]digits[.digits][e[+-]digits] and gives it times 10^`shift`
// (-20 <= shift <= 20): shift 3 makes ns of us, shift 0 a whole number.
decimal_status decimal_parse(text t, int shift, int64_t *value);

// The same text as a double, within one unit in the last place. False: not a number; *value is 0.
bool decimal_real(text t, double *value);

#endif
