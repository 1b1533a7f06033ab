// SPDX-License-Identifier: BSD-3-Clause
// How a table's columns share a line: what is shown, how wide, what gives way.
#ifndef REPORT_TABLE_LAYOUT_H
#define REPORT_TABLE_LAYOUT_H

#include "report/lines.h"
#include "report/table.h"

enum { LAYOUT_INDENT = 2, LAYOUT_COLUMNS = 64 };

// A column as it will stand on the screen.
typedef struct slot {
    const char *title;
    const char *above;  // first line of a heading that takes two; else ""
    const char **texts; // one a row
    int width;
    int widest; // of the texts
    alignment side;
    bool elastic; // may be cut to fit the line
    bool time;
    bool prose;
    bool bar;   // followed by the share's bar
    bool spare; // may be left out where the line is short
    double sum; // of a time
} slot;

typedef struct layout {
    arena *arena;
    slot slots[LAYOUT_COLUMNS];
    uint32_t count;
    uint32_t first, rows; // of the table
    double *shares;       // of the bar, one a row
    int bar_cells, gap;
    bool two_lines;       // of headings
    const char *left_out; // titles of the columns that the line has no room for, or NULL
} layout;

// The columns that say something, and at most `rows` rows, each as wide as it wants to be.
layout layout_of(const table *t, uint32_t rows, const report_style *style, arena *a);

// Makes the line at most `width` cells: headings take two lines, columns of lesser interest are
// left out, names give way, then the bar, then gaps. Numbers are never cut: where nothing else
// helps, other columns are left out, those of least time first.
void layout_fit(layout *l, int width);

#endif
