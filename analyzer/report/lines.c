// SPDX-License-Identifier: BSD-3-Clause
// Lines of the text report.
#include "report/lines.h"

#include "report/screen_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void put(tp_sink *out, const char *text)
{
    tp_sink_write(out, text, strlen(text));
}

void put_format(tp_sink *out, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    const int length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    tp_sink_write(out, text, length < (int)sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

void put_spaces(tp_sink *out, int count)
{
    static const char SPACES[] = "                                ";
    const int chunk = (int)sizeof(SPACES) - 1;

    for (; count > 0; count -= chunk)
        tp_sink_write(out, SPACES, (size_t)(count < chunk ? count : chunk));
}

void put_accent_begin(tp_sink *out, const report_style *style, accent a)
{
    static const char *const CODES[] = {"", "\x1b[1m", "\x1b[2m", "\x1b[1;32m", "\x1b[1;33m"};
    if (style->color)
        put(out, CODES[a]);
}

void put_accent_end(tp_sink *out, const report_style *style, accent a)
{
    if (style->color && a != ACCENT_NONE)
        put(out, "\x1b[0m");
}

void put_padded(tp_sink *out, const char *text, int width, alignment side)
{
    const int fill = width - screen_width(text);

    if (side == ALIGN_RIGHT)
        put_spaces(out, fill);
    put(out, text);
    if (side == ALIGN_LEFT)
        put_spaces(out, fill);
}

// A word that no line can hold is broken where the line ends. Returns what stands on the last one.
static const char *put_word(tp_sink *out, const char *word, int indent, int width)
{
    const int room = width > indent + 2 ? width - indent : 2;

    for (size_t fits; word[fits = screen_head(word, room)]; word += fits) {
        tp_sink_write(out, word, fits);
        put(out, "\n");
        put_spaces(out, indent);
    }
    put(out, word);
    return word;
}

// Bytes of a blank and a unit, as it stands behind a number: " ms", " %".
static size_t unit_bytes_at(const char *text)
{
    static const char *const UNITS[] = {"%",  "ns", "us", "ms",    "s", "B",
                                        "KB", "MB", "GB", "bytes", NULL};
    const size_t length = *text == ' ' ? strcspn(text + 1, " ,;.:)") : 0;

    for (int i = 0; UNITS[i]; i++)
        if (length == strlen(UNITS[i]) && memcmp(text + 1, UNITS[i], length) == 0)
            return 1 + strcspn(text + 1, " ");
    return 0;
}

// Bytes up to where the line may be broken next: a number stays with its unit.
static size_t unbroken_bytes(const char *text)
{
    const size_t length = strcspn(text, " ");
    const char *digit = text + (*text == '(');

    return length + (*digit >= '0' && *digit <= '9' ? unit_bytes_at(text + length) : 0);
}

void put_wrapped(tp_sink *out, const char *text, int indent, int width)
{
    arena *a = arena_create();
    int at = indent;

    while (*text) {
        const size_t length = unbroken_bytes(text);
        const char *word = arena_copy(a, text, length);

        if (at > indent && at + 1 + screen_width(word) > width) {
            put(out, "\n");
            put_spaces(out, indent);
            at = indent;
        } else if (at > indent) {
            put(out, " ");
            at++;
        }
        at += screen_width(put_word(out, word, indent, width));
        text += length;
        text += strspn(text, " ");
    }
    put(out, "\n");
    arena_destroy(a);
}

void put_title(tp_sink *out, const report_style *style, const char *title)
{
    put(out, "\n");
    put_accent_begin(out, style, ACCENT_HEADING);
    put_wrapped(out, title, 2, style->width);
    put_accent_end(out, style, ACCENT_HEADING);
}

static int bar_eighths(double share, int cells)
{
    const double clipped = share < 0 ? 0 : share > 1 ? 1 : share;
    return (int)lround(clipped * cells * 8);
}

bool bar_shows(double share, int cells)
{
    return bar_eighths(share, cells) > 0;
}

int put_bar(tp_sink *out, double share, int cells)
{
    static const char *const EIGHTHS[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eighths = bar_eighths(share, cells);

    for (int i = 0; i < eighths / 8; i++)
        put(out, "█");
    put(out, EIGHTHS[eighths % 8]);
    return cells - eighths / 8 - (eighths % 8 != 0);
}
