// SPDX-License-Identifier: BSD-3-Clause
// Strings that are not plain ASCII, or not JSON: where they end, and what they say.
#ifndef READ_JSON_STRING_H
#define READ_JSON_STRING_H

#include "read/json_token.h"

// The closing quote of a string that is plain up to `at`; NULL where the window ends before it is
// certain. `key`: a colon must follow. Gives json_bent bits, and notes what is not JSON.
const char *json_string_end(const json_reader *r, const char *at, bool key, uint32_t *bent);

#endif
