// SPDX-License-Identifier: BSD-3-Clause
// A Chrome-format trace (Kineto's dialects): bytes -> records.
#ifndef READ_READ_CHROME_H
#define READ_READ_CHROME_H

#include "read/input.h"
#include "read/record.h"

// Reads `in` to its end and feeds `visitor`. What was bent to be read, or lost, is noted; a cut-off
// file gives what is complete and the note "truncated", with the byte where the text ends. Fails
// with ERR_EMPTY, ERR_GZIP, ERR_JSON or ERR_NOT_TRACE where there was no event beside metadata
// records (which the visitor has got by then), with ERR_IO where reading failed; `err->path` is the
// input's. `limits` may be NULL.
err_code read_chrome(input *in, const read_limits *limits, const record_visitor *visitor,
                     error *err);

#endif
