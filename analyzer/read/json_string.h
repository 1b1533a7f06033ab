// SPDX-License-Identifier: BSD-3-Clause
// Strings that are not plain ASCII, or not JSON: where they end, and what they say.
#ifndef READ_JSON_STRING_H
#define READ_JSON_STRING_H

#include "read/json_token.h"

// What may follow the closing quote of a string.
typedef enum json_role {
    JSON_AS_VALUE,  // a comma or a bracket
    JSON_AS_KEY,    // a colon; where there is none, the string ends all the same
    JSON_AS_EITHER, // inside a value that is skipped
} json_role;

// The closing quote of the string whose bytes begin at `begin` and are plain up to `at`. Gives
// json_bent bits, and notes what is not JSON. NULL where the window ends before it is certain, or,
// with JSON_RUNAWAY, where there is none.
const char *json_string_end(const json_reader *r, const char *begin, const char *at, json_role role,
                            uint32_t *bent);

#endif
