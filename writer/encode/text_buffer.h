// SPDX-License-Identifier: BSD-3-Clause
// Text that grows. Lack of memory sticks: writers do not check, the one check is at the end.
#ifndef ENCODE_TEXT_BUFFER_H
#define ENCODE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

// All zero is empty. `data` is NULL or ends in a NUL; to be freed by the owner.
typedef struct tp_text {
    char *data;
    size_t size, capacity;
    bool failed;
} tp_text;

void tp_text_append(tp_text *text, const char *bytes, size_t size);
void tp_text_add(tp_text *text, const char *string);

// Not for fractions, whose point the program's locale chooses.
void tp_text_print(tp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// `value` with so many decimals (1 or more), correctly rounded, and a point in every locale.
void tp_text_fixed(tp_text *text, double value, int decimals);

void tp_text_repeat(tp_text *text, char c, size_t count);

// Keeps the memory for what comes next.
void tp_text_clear(tp_text *text);

#endif
