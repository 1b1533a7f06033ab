// SPDX-License-Identifier: BSD-3-Clause
// Text that grows.
#include "encode/text_buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for `size` bytes and a NUL behind what is there; NULL for lack of memory.
static char *room(tp_text *text, size_t size)
{
    if (text->failed || size >= SIZE_MAX / 2 - text->size) {
        text->failed = true;
        return NULL;
    }
    const size_t needed = text->size + size + 1;
    if (needed > text->capacity) {
        const size_t capacity = needed < 128 ? 128 : 2 * needed;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return NULL;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return text->data + text->size;
}

void tp_text_append(tp_text *text, const char *bytes, size_t size)
{
    char *at = room(text, size);
    if (!at)
        return;
    memcpy(at, bytes, size);
    at[size] = '\0';
    text->size += size;
}

void tp_text_add(tp_text *text, const char *string)
{
    tp_text_append(text, string, strlen(string));
}

void tp_text_print(tp_text *text, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    char *at = size < 0 ? NULL : room(text, (size_t)size);
    if (at) {
        vsnprintf(at, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
    va_end(args);
}

void tp_text_fixed(tp_text *text, double value, int decimals)
{
    enum { DIGITS = 360 }; // of the largest double, and some decimals
    char digits[DIGITS];

    const int size = snprintf(digits, sizeof(digits), "%.*f", decimals, value);
    if (size <= decimals || size >= DIGITS || !isfinite(value)) {
        tp_text_add(text, "NaN");
        return;
    }
    tp_text_append(text, digits, strspn(digits, "-0123456789"));
    tp_text_add(text, ".");
    tp_text_append(text, digits + size - decimals, (size_t)decimals);
}

void tp_text_repeat(tp_text *text, char c, size_t count)
{
    char *at = room(text, count);
    if (!at)
        return;
    memset(at, c, count);
    at[count] = '\0';
    text->size += count;
}

void tp_text_clear(tp_text *text)
{
    text->size = 0;
    if (text->data)
        *text->data = '\0';
}
