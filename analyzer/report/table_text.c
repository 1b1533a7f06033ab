// SPDX-License-Identifier: BSD-3-Clause
// Tables as aligned text.
#include "report/table_text.h"

#include "report/lines.h"
#include "report/screen_text.h"
#include "report/table_layout.h"
#include "report/units.h"

#include <string.h>

enum { INDENT = LAYOUT_INDENT, GAP = 2 };

// A line of the table, without blanks at its end.
static void put_row(tp_sink *out, const layout *l, const char *const *texts, const double *share)
{
    int owed = INDENT;

    for (uint32_t i = 0; i < l->count; i++) {
        const slot *s = &l->slots[i];
        const char *text_cut = screen_cut(texts[i], s->width, l->arena);
        const int fill = s->width - screen_width(text_cut);
        if (*text_cut) {
            put_spaces(out, owed + (s->side == ALIGN_RIGHT ? fill : 0));
            put(out, text_cut);
            owed = l->gap + (s->side == ALIGN_LEFT ? fill : 0);
        } else {
            owed += l->gap + fill;
        }
        if (!s->bar || !l->bar_cells)
            continue;
        if (share && bar_shows(*share, l->bar_cells)) {
            put_spaces(out, owed);
            owed = l->gap + put_bar(out, *share, l->bar_cells);
        } else {
            owed += l->gap + l->bar_cells;
        }
    }
    put(out, "\n");
}

static void put_heading(tp_sink *out, const layout *l, const report_style *style)
{
    const char *titles[LAYOUT_COLUMNS] = {NULL}, *above[LAYOUT_COLUMNS] = {NULL};

    for (uint32_t i = 0; i < l->count; i++) {
        titles[i] = l->slots[i].title;
        above[i] = l->slots[i].above;
    }
    put_accent_begin(out, style, ACCENT_FAINT);
    if (l->two_lines)
        put_row(out, l, above, NULL);
    put_row(out, l, titles, NULL);
    put_accent_end(out, style, ACCENT_FAINT);
}

static void put_rows(tp_sink *out, const layout *l)
{
    const char *texts[LAYOUT_COLUMNS];

    for (uint32_t row = 0; row < l->rows; row++) {
        for (uint32_t i = 0; i < l->count; i++)
            texts[i] = l->slots[i].texts[row];
        put_row(out, l, texts, l->shares ? &l->shares[row] : NULL);
    }
}

// "  mean 75.9 ms   median 74.1 ms", broken where the line ends.
static void put_record(tp_sink *out, const layout *l, int width)
{
    int at = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const slot *s = &l->slots[i];
        const int cells = screen_width(s->title) + 1 + screen_width(s->texts[0]);
        if (at && at + GAP + 1 + cells > width) {
            put(out, "\n");
            at = 0;
        }
        put_spaces(out, at ? GAP + 1 : INDENT);
        if (INDENT + cells > width) { // it stands alone, on several lines
            put_wrapped(out, arena_printf(l->arena, "%s %s", s->title, s->texts[0]), INDENT + 2,
                        width);
            at = 0;
            continue;
        }
        at += (at ? GAP + 1 : INDENT) + cells;
        put(out, s->title);
        put(out, " ");
        put(out, s->texts[0]);
    }
    put(out, at ? "\n" : "");
}

// Names of kernels can fill a screen: the row's subject takes a line of its sentences at most.
static const char *subject_cut(const table *t, uint32_t row, const char *prose, int width, arena *a)
{
    for (uint32_t i = 0; i < t->column_count; i++) {
        const cell value = table_cell(t, row, &t->columns[i]);
        if (t->columns[i].unit != UNIT_SUBJECT || !value.known)
            continue;
        const char *name = screen_safe(value.text, a), *at = strstr(prose, name);
        if (at)
            return arena_printf(a, "%.*s%s%s", (int)(at - prose), prose, screen_cut(name, width, a),
                                at + strlen(name));
    }
    return prose;
}

// Short values side by side, aligned over the rows; then the sentences, a paragraph each.
static void put_items(tp_sink *out, const table *t, const layout *l, const report_style *style)
{
    const int width = style->width;
    int indent = INDENT;
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->slots[i].prose)
            indent += l->slots[i].width + GAP;

    for (uint32_t row = 0; row < l->rows; row++) {
        bool first = true;
        put_spaces(out, INDENT);
        for (uint32_t i = 0; i < l->count; i++) {
            const slot *s = &l->slots[i];
            if (s->prose)
                continue;
            put_padded(out, s->texts[row], s->width, s->side);
            put_spaces(out, GAP);
        }
        for (uint32_t i = 0; i < l->count; i++) {
            if (!l->slots[i].prose || strcmp(l->slots[i].texts[row], "-") == 0)
                continue;
            put_spaces(out, first ? 0 : indent);
            const char *prose = l->slots[i].texts[row];
            if (!style->whole_names)
                prose = subject_cut(t, l->first + row, prose, width - indent, l->arena);
            put_wrapped(out, prose, indent, width);
            first = false;
        }
        if (first)
            put(out, "\n");
    }
}

void table_text(tp_sink *out, const table *t, uint32_t rows, const report_style *style)
{
    arena *a = arena_create();
    layout l = layout_of(t, rows, style, a);
    const uint32_t shown = l.first + l.rows;
    char number[UNIT_TEXT_BYTES];

    put_title(out, style, t->title);
    if (l.rows == 0) {
        put(out, "  none\n");
    } else if (t->look == LOOK_RECORD) {
        put_record(out, &l, style->width);
    } else if (t->look == LOOK_ITEMS) {
        put_items(out, t, &l, style);
    } else {
        if (!style->whole_names)
            layout_fit(&l, style->width);
        put_heading(out, &l, style);
        put_rows(out, &l);
    }
    if (shown < t->total_rows && l.rows > 0)
        put_format(out, "  … and %s more\n", unit_count(t->total_rows - shown, number));
    if (l.left_out) {
        put_spaces(out, INDENT);
        put_wrapped(out, arena_printf(a, "… and columns for a wider screen: %s", l.left_out),
                    INDENT + 2, style->width);
    }
    arena_destroy(a);
}
