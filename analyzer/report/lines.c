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

void put_wrapped(tp_sink *out, const char *text, int indent, int width)
{
    int at = indent;

    while (*text) {
        const size_t length = strcspn(text, " ");
        char word[256];
        snprintf(word, sizeof(word), "%.*s", (int)length, text);
        const int cells = length < sizeof(word) ? screen_width(word) : (int)length;

        if (at > indent && at + 1 + cells > width) {
            put(out, "\n");
            put_spaces(out, indent);
            at = indent;
        } else if (at > indent) {
            put(out, " ");
            at++;
        }
        tp_sink_write(out, text, length);
        at += cells;
        text += length;
        text += strspn(text, " ");
    }
    put(out, "\n");
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
