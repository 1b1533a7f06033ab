// SPDX-License-Identifier: BSD-3-Clause
// Opens a path or standard input, recognises gzip by content, and hands out inflated bytes with
// their offset.
#ifndef READ_INPUT_H
#define READ_INPUT_H

#include "base/error.h"
#include "read/record.h"

typedef struct input input;

// Opens `path` ("-" is standard input). With `background` an inflating thread works ahead of the
// caller. On failure *in is NULL. Release with input_close().
err_code input_open(const char *path, const read_limits *limits, bool background, input **in,
                    error *err);
void input_close(input *in); // NULL is allowed

const char *input_path(const input *in);

// Bytes of the file as stored, and inflated so far.
uint64_t input_stored_bytes(const input *in);
uint64_t input_inflated_bytes(const input *in);

#endif
