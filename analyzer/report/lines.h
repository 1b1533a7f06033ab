// SPDX-License-Identifier: BSD-3-Clause
// Lines of the text report: colour, padding, wrapping, bars.
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/report.h"

#include "out/sink.h"

typedef enum accent { ACCENT_NONE, ACCENT_HEADING, ACCENT_FAINT, ACCENT_GOOD, ACCENT_BAD } accent;

typedef enum alignment { ALIGN_LEFT, ALIGN_RIGHT } alignment;

void put(tp_sink *out, const char *text);
void put_format(tp_sink *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_spaces(tp_sink *out, int count);

// What is written in between is coloured, where the style has colour.
void put_accent_begin(tp_sink *out, const report_style *style, accent a);
void put_accent_end(tp_sink *out, const report_style *style, accent a);

// A heading with an empty line above.
void put_title(tp_sink *out, const report_style *style, const char *title);

// `text`, safe for terminals, filled with spaces to `width` cells.
void put_padded(tp_sink *out, const char *text, int width, alignment side);

// `text`, safe for terminals, broken at blanks into lines of at most `width` cells that start
// `indent` cells from the left. The first line starts where the cursor is.
void put_wrapped(tp_sink *out, const char *text, int indent, int width);

// Whether a bar of that share has anything to show.
bool bar_shows(double share, int cells);

// A bar filled to `share` of `cells` cells, in eighths of a cell. Returns the cells left empty,
// which are not written.
int put_bar(tp_sink *out, double share, int cells);

#endif
