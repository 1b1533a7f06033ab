// SPDX-License-Identifier: BSD-3-Clause
// A value as strict JSON: no white space outside strings, valid UTF-8, nothing bent.
#ifndef READ_JSON_COPY_H
#define READ_JSON_COPY_H

#include "read/json_token.h"

// Copies a whole value, as json_next_whole() gave it to a reader that was `doubtful` or not. What
// JSON cannot say (NaN, N/A) becomes null; a number of a form that JSON does not have, a string.
text json_copy(const json_token *whole, bool doubtful, scratch *s);

#endif
