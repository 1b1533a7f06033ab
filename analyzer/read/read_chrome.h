// SPDX-License-Identifier: BSD-3-Clause
// A Chrome-format trace (Kineto's dialects): bytes -> records.
#ifndef READ_READ_CHROME_H
#define READ_READ_CHROME_H

#include "read/input.h"
#include "read/record.h"

// Reads `in` to its end and feeds `visitor`. Lenient as spec'd: what was bent is noted, a cut-off
// file gives what is readable and the note "truncated". Fails with ERR_EMPTY, ERR_JSON,
// ERR_NOT_TRACE or ERR_LIMIT where nothing could be used; `err->path` is the input's.
err_code read_chrome(input *in, const read_limits *limits, const record_visitor *visitor,
                     error *err);

#endif
