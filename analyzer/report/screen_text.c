// SPDX-License-Identifier: BSD-3-Clause
// Text as a terminal shows it.
#include "report/screen_text.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct range {
    uint32_t first, last;
} range;

// Unicode's East Asian Width W and F, and characters shown as emoji by default.
static const range WIDE[] = {
    {0x1100,  0x115f },
    {0x231a,  0x231b },
    {0x2329,  0x232a },
    {0x23e9,  0x23ec },
    {0x23f0,  0x23f0 },
    {0x23f3,  0x23f3 },
    {0x25fd,  0x25fe },
    {0x2614,  0x2615 },
    {0x2648,  0x2653 },
    {0x267f,  0x267f },
    {0x2693,  0x2693 },
    {0x26a1,  0x26a1 },
    {0x26aa,  0x26ab },
    {0x26bd,  0x26be },
    {0x26c4,  0x26c5 },
    {0x26ce,  0x26ce },
    {0x26d4,  0x26d4 },
    {0x26ea,  0x26ea },
    {0x26f2,  0x26f3 },
    {0x26f5,  0x26f5 },
    {0x26fa,  0x26fa },
    {0x26fd,  0x26fd },
    {0x2705,  0x2705 },
    {0x270a,  0x270b },
    {0x2728,  0x2728 },
    {0x274c,  0x274c },
    {0x274e,  0x274e },
    {0x2753,  0x2755 },
    {0x2757,  0x2757 },
    {0x2795,  0x2797 },
    {0x27b0,  0x27b0 },
    {0x27bf,  0x27bf },
    {0x2b1b,  0x2b1c },
    {0x2b50,  0x2b50 },
    {0x2b55,  0x2b55 },
    {0x2e80,  0x303e },
    {0x3041,  0x33ff },
    {0x3400,  0x4dbf },
    {0x4e00,  0xa4cf },
    {0xa960,  0xa97f },
    {0xac00,  0xd7a3 },
    {0xf900,  0xfaff },
    {0xfe10,  0xfe19 },
    {0xfe30,  0xfe6f },
    {0xff00,  0xff60 },
    {0xffe0,  0xffe6 },
    {0x16fe0, 0x18cd5},
    {0x1b000, 0x1b2fb},
    {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf},
    {0x1f18e, 0x1f18e},
    {0x1f191, 0x1f19a},
    {0x1f200, 0x1f320},
    {0x1f32d, 0x1f335},
    {0x1f337, 0x1f37c},
    {0x1f37e, 0x1f393},
    {0x1f3a0, 0x1f3ca},
    {0x1f3cf, 0x1f3d3},
    {0x1f3e0, 0x1f3f0},
    {0x1f3f4, 0x1f3f4},
    {0x1f3f8, 0x1f43e},
    {0x1f440, 0x1f440},
    {0x1f442, 0x1f4fc},
    {0x1f4ff, 0x1f53d},
    {0x1f54b, 0x1f54e},
    {0x1f550, 0x1f567},
    {0x1f57a, 0x1f57a},
    {0x1f595, 0x1f596},
    {0x1f5a4, 0x1f5a4},
    {0x1f5fb, 0x1f64f},
    {0x1f680, 0x1f6c5},
    {0x1f6cc, 0x1f6cc},
    {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6df},
    {0x1f6eb, 0x1f6ec},
    {0x1f6f4, 0x1f6fc},
    {0x1f7e0, 0x1f7eb},
    {0x1f7f0, 0x1f7f0},
    {0x1f90c, 0x1f9ff},
    {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
};

// Combining marks and joiners.
static const range EMPTY[] = {
    {0x0300,  0x036f },
    {0x0483,  0x0489 },
    {0x0591,  0x05bd },
    {0x0610,  0x061a },
    {0x064b,  0x065f },
    {0x0900,  0x0902 },
    {0x093c,  0x093c },
    {0x0941,  0x0948 },
    {0x0e31,  0x0e31 },
    {0x0e34,  0x0e3a },
    {0x0e47,  0x0e4e },
    {0x1ab0,  0x1aff },
    {0x1dc0,  0x1dff },
    {0x200b,  0x200d },
    {0x2060,  0x2064 },
    {0x20d0,  0x20ff },
    {0xfe00,  0xfe0f },
    {0xfe20,  0xfe2f },
    {0xe0100, 0xe01ef},
};

static bool in_ranges(uint32_t point, const range *ranges, size_t count)
{
    for (size_t low = 0, high = count; low < high;) {
        const size_t middle = (low + high) / 2;
        if (point > ranges[middle].last)
            low = middle + 1;
        else if (point < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

// Reads one code point at `s` into *point; returns its length, or 0 where the bytes are not UTF-8.
static int decode(const unsigned char *s, uint32_t *point)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const int length = s[0] < 0x80   ? 1
                       : s[0] < 0xc2 ? 0
                       : s[0] < 0xe0 ? 2
                       : s[0] < 0xf0 ? 3
                       : s[0] < 0xf5 ? 4
                                     : 0;

    if (length <= 1) {
        *point = s[0];
        return length;
    }
    *point = s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (s[i] & 0x3fu);
    }
    const bool surrogate = *point >= 0xd800 && *point < 0xe000;
    return *point < LEAST[length] || *point > 0x10ffff || surrogate ? 0 : length;
}

// Control characters, and marks that turn the direction of what follows.
static bool steers(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x200e || point == 0x200f ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
           point == 0xfeff;
}

static const char *first_unsafe(const char *string)
{
    for (const char *s = string; *s;) {
        uint32_t point = 0;
        const int length = decode((const unsigned char *)s, &point);
        if (length == 0 || steers(point))
            return s;
        s += length;
    }
    return NULL;
}

static size_t write_escape(char *to, size_t room, uint32_t point)
{
    static const struct {
        uint32_t point;
        const char *escape;
    } SHORT[] = {
        {'\n', "\\n"},
        {'\t', "\\t"},
        {'\r', "\\r"}
    };

    for (size_t i = 0; i < ARRAY_LEN(SHORT); i++)
        if (SHORT[i].point == point)
            return (size_t)snprintf(to, room, "%s", SHORT[i].escape);
    return (size_t)snprintf(to, room, point < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)point);
}

const char *screen_safe(const char *string, arena *a)
{
    enum { ESCAPE_BYTES = 8 };
    const char *s = first_unsafe(string);
    if (!s)
        return string;

    const size_t before = (size_t)(s - string);
    char *safe = arena_new(a, char, before + strlen(s) * ESCAPE_BYTES + 1);
    char *to = safe + before;
    memcpy(safe, string, before);
    while (*s) {
        uint32_t point = 0;
        const int length = decode((const unsigned char *)s, &point);
        if (length && !steers(point)) {
            memcpy(to, s, (size_t)length);
            to += length;
        } else if (length) {
            to += write_escape(to, ESCAPE_BYTES, point);
        } else {
            memcpy(to, "\xef\xbf\xbd", 3);
            to += 3;
        }
        s += length ? length : 1;
    }
    *to = '\0';
    return safe;
}

// Cells of the character at `s`, and its length in bytes.
static int cells_of(const char *s, int *length)
{
    uint32_t point = 0;
    *length = 1;
    if ((unsigned char)*s < 0x80)
        return 1;
    *length = decode((const unsigned char *)s, &point);
    if (*length == 0)
        *length = 1;
    if (in_ranges(point, EMPTY, ARRAY_LEN(EMPTY)))
        return 0;
    return in_ranges(point, WIDE, ARRAY_LEN(WIDE)) ? 2 : 1;
}

int screen_width(const char *string)
{
    int width = 0;
    for (int length = 0; *string; string += length)
        width += cells_of(string, &length);
    return width;
}

size_t screen_head(const char *string, int width)
{
    const char *s = string;
    for (int length = 0; *s; s += length) {
        width -= cells_of(s, &length);
        if (width < 0)
            break;
    }
    return (size_t)(s - string);
}

const char *screen_cut(const char *string, int width, arena *a)
{
    const int whole = screen_width(string);
    if (whole <= width)
        return string;

    // Two thirds from the front: templates and namespaces tell most there.
    const int tail = (width - 1) / 3;
    const size_t head = screen_head(string, width - 1 - tail);
    const char *rest = string + screen_head(string, whole - tail);
    for (int length = 0; *rest; rest += length)
        if (cells_of(rest, &length) > 0 && screen_width(rest) <= tail)
            break;
    return arena_printf(a, "%.*s…%s", (int)head, string, rest);
}
