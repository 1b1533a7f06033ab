// SPDX-License-Identifier: BSD-3-Clause
// Strings that are not plain ASCII, or not JSON: where they end, and what they say.
#ifndef READ_JSON_STRING_H
#define READ_JSON_STRING_H

#include "read/json_token.h"

// The closing quote of the string whose bytes begin at `begin` and are plain up to `at`. `key`: a
// colon should follow. Gives json_bent bits, and notes what is not JSON. NULL where the window ends
// before it is certain, or, with JSON_RUNAWAY, where there is none.
const char *json_string_end(const json_reader *r, const char *begin, const char *at, bool key,
                            uint32_t *bent);

#endif
