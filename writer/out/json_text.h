// SPDX-License-Identifier: BSD-3-Clause
// The text of numbers and strings alone, for encoders that print in bulk. Each call writes at `at`
// and returns the end.
#ifndef OUT_JSON_TEXT_H
#define OUT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TP_NUMBER_ROOM = 32, // what one number may need
    TP_ESCAPE_ROOM = 6,  // what one byte of text may need
};

char *tp_text_int(char *at, int64_t value);
char *tp_text_uint(char *at, uint64_t value);
char *tp_text_micros(char *at, int64_t ns);   // ns as microseconds with three decimals: 1695.123
char *tp_text_double(char *at, double value); // shortest text that reads back; NaN, inf: null

// With its quotes. Needs TP_ESCAPE_ROOM * (length + 1) bytes.
char *tp_text_quoted(char *at, const char *text, size_t length);

// Escapes from *from up to `end`, as far as the room reaches; advances *from.
char *tp_text_escaped(char *at, const char *room, const char **from, const char *end);

// Length of the UTF-8 sequence at `text`, of which `left` > 0 bytes are there; where it is not
// valid, of the part that one U+FFFD stands for.
size_t tp_utf8_sequence(const char *text, size_t left, bool *valid);

#endif
