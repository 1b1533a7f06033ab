// SPDX-License-Identifier: BSD-3-Clause
// A slice of bytes: pointer and length, not NUL-terminated, owned by whoever made the bytes.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct text {
    const char *at;
    size_t length;
} text;

#define TEXT(literal) ((text){(literal), sizeof(literal) - 1})

// The same where only a constant will do, as in static tables.
#define TEXT_INIT(literal)                                                                         \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static inline text text_of(const char *string)
{
    return (text){string, strlen(string)};
}

static inline bool text_equal(text a, text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static inline bool text_starts(text t, text prefix)
{
    return t.length >= prefix.length && memcmp(t.at, prefix.at, prefix.length) == 0;
}

static inline bool text_ends(text t, text suffix)
{
    return t.length >= suffix.length &&
           memcmp(t.at + t.length - suffix.length, suffix.at, suffix.length) == 0;
}

static inline bool text_holds(text t, text part)
{
    return part.length == 0 || (t.length && memmem(t.at, t.length, part.at, part.length) != NULL);
}

#endif
