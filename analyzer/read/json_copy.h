// SPDX-License-Identifier: BSD-3-Clause
// A value as strict JSON: no white space outside strings, valid UTF-8, nothing bent.
#ifndef READ_JSON_COPY_H
#define READ_JSON_COPY_H

#include "read/json_token.h"

// Copies a whole value that a reader, `doubtful` or not, has given. What JSON cannot say (NaN, N/A)
// becomes null; a number of a form that JSON does not have, a string. False where it cannot be
// understood.
bool json_copy(const json_token *whole, bool doubtful, scratch *s, text *made);

#endif
