// SPDX-License-Identifier: BSD-3-Clause
// How single values look in the key_averages table.
#include "encode/averages_cells.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

size_t tp_cell_length(const char *text, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < size; i++)
        length += begins_character(text[i]);
    return length;
}

size_t tp_cell_bytes_of(const char *text, size_t size, size_t length)
{
    size_t at = 0;
    for (; at < size; at++)
        if (begins_character(text[at]) && length-- == 0)
            break;
    return at;
}

void tp_cell_time(tp_text *text, const char *unit, double ns)
{
    static const struct {
        const char *unit;
        double us;
    } units[] = {
        {"s",  1e6},
        {"ms", 1e3},
        {"us", 1.0}
    };
    const double us = ns / 1e3;
    size_t chosen = us >= units[0].us ? 0 : us >= units[1].us ? 1 : 2;

    for (size_t i = 0; unit && i < 3; i++)
        if (strcmp(unit, units[i].unit) == 0)
            chosen = i;
    tp_text_fixed(text, us / units[chosen].us, 3);
    tp_text_add(text, units[chosen].unit);
}

void tp_cell_share(tp_text *text, int64_t part, int64_t whole)
{
    if (whole == 0) {
        tp_text_add(text, "NaN");
        return;
    }
    tp_text_fixed(text, (double)part * 100.0 / (double)whole, 2);
    tp_text_add(text, "%");
}

void tp_cell_bytes(tp_text *text, int64_t bytes)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {
        {" GB", 1 << 30},
        {" MB", 1 << 20},
        {" KB", 1 << 10}
    };

    for (size_t i = 0; i < 3; i++) {
        if (fabs((double)bytes) >= units[i].bytes) {
            tp_text_fixed(text, (double)bytes / units[i].bytes, 2);
            tp_text_add(text, units[i].unit);
            return;
        }
    }
    tp_text_print(text, "%" PRId64 " B", bytes);
}

void tp_cell_first(tp_text *text, const char *name, size_t limit)
{
    const size_t size = strlen(name);

    if (limit == SIZE_MAX || tp_cell_length(name, size) < limit - TP_CELL_DOTS) {
        tp_text_append(text, name, size);
        return;
    }
    tp_text_append(text, name, tp_cell_bytes_of(name, size, limit - TP_CELL_DOTS));
    tp_text_add(text, "...");
}

void tp_cell_last(tp_text *text, const char *frame, size_t size, size_t limit)
{
    const size_t length = tp_cell_length(frame, size);

    if (length <= limit) {
        tp_text_append(text, frame, size);
        return;
    }
    const size_t cut = tp_cell_bytes_of(frame, size, length - limit + TP_CELL_DOTS);
    tp_text_add(text, "...");
    tp_text_append(text, frame + cut, size - cut);
}
