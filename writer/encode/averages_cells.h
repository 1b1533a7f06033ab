// SPDX-License-Identifier: BSD-3-Clause
// How single values look in the key_averages table. Lengths count characters, not bytes.
#ifndef ENCODE_AVERAGES_CELLS_H
#define ENCODE_AVERAGES_CELLS_H

#include "encode/text_buffer.h"

#include <stddef.h>
#include <stdint.h>

enum { TP_CELL_DOTS = 3 }; // that stand for what was cut off

size_t tp_cell_length(const char *text, size_t size);

// Bytes of the first `length` characters.
size_t tp_cell_bytes_of(const char *text, size_t size, size_t length);

// "1.234ms", in `unit` ("s", "ms", "us") or, where that is NULL, in the one that suits.
void tp_cell_time(tp_text *text, const char *unit, double ns);

// "12.34%", or "NaN" of nothing.
void tp_cell_share(tp_text *text, int64_t part, int64_t whole);

// "1.50 KB".
void tp_cell_bytes(tp_text *text, int64_t bytes);

// The first characters of a name of `limit` - TP_CELL_DOTS or more; SIZE_MAX is no limit.
void tp_cell_first(tp_text *text, const char *name, size_t limit);

// The last characters of a frame longer than `limit`: files are told apart by their ends.
void tp_cell_last(tp_text *text, const char *frame, size_t size, size_t limit);

#endif
