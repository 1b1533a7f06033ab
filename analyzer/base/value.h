// SPDX-License-Identifier: BSD-3-Clause
// How results say that a value is unknown, and values that are not plain numbers.
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <stdint.h>

#define INT_NONE  INT64_MIN
#define REAL_NONE __builtin_nan("")

typedef enum tristate { TRISTATE_FALSE, TRISTATE_TRUE, TRISTATE_UNKNOWN } tristate;

// A list of texts; in JSON an array, in flat formats the JSON text of it.
typedef struct text_list {
    const char *const *at;
    uint32_t count;
} text_list;

#endif
