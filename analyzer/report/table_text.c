// SPDX-License-Identifier: BSD-3-Clause
// Tables as aligned text.
#include "report/table_text.h"

#include "report/lines.h"
#include "report/screen_text.h"
#include "report/units.h"

#include <string.h>

enum {
    INDENT = 2,
    GAP = 2,
    LEAST_TEXT = 16,    // cells a text column keeps where columns can be left out instead
    SHORTEST_TEXT = 10, // and however narrow the line
    BAR_CELLS = 10,
    LEAST_BAR_CELLS = 2,
    MORE_BAR_CELLS = 20,
    MOST_COLUMNS = 64,
};

// A column as it will stand on the screen.
typedef struct slot {
    const char *title;
    const char **texts; // one a row
    int width;
    alignment side;
    bool elastic; // may be cut to fit the line
    bool prose;
    bool bar;   // followed by the share's bar
    bool spare; // may be left out where the line is short
} slot;

typedef struct layout {
    arena *arena;
    slot slots[MOST_COLUMNS];
    uint32_t count;
    uint32_t first, rows; // of the table
    double *shares;       // of the bar, one a row
    int bar_cells;
    const char *left_out; // titles of the columns that the line has no room for, or NULL
} layout;

// Zero says as little as unknown does: "0 us on the device" in a log without one.
static bool cell_says_something(cell value)
{
    if (!value.known)
        return false;
    switch (value.store) {
    case STORE_INT:
        return value.integer != 0;
    case STORE_REAL:
        return value.real > 0 || value.real < 0;
    case STORE_TEXTS:
        return value.texts.count != 0;
    default:
        return true;
    }
}

static bool says_something(const layout *l, const table *t, const column *c)
{
    for (uint32_t i = 0; i < l->rows; i++) {
        const cell value = table_cell(t, l->first + i, c);
        if (t->zeros_tell ? value.known : cell_says_something(value))
            return true;
    }
    return false;
}

static slot *slot_add(layout *l, const char *title, alignment side)
{
    slot *s = &l->slots[l->count++];
    *s = (slot){.title = title, .side = side, .width = screen_width(title)};
    s->texts = arena_new(l->arena, const char *, l->rows);
    return s;
}

static void slot_set(slot *s, uint32_t row, const char *text)
{
    const int width = screen_width(text);
    s->texts[row] = text;
    if (width > s->width)
        s->width = width;
}

static void add_column(layout *l, const table *t, const column *c)
{
    const bool text = c->store == STORE_TEXT || c->store == STORE_TEXTS;
    slot *s = slot_add(l, c->title, text ? ALIGN_LEFT : ALIGN_RIGHT);

    s->elastic = text;
    s->prose = c->unit == UNIT_PROSE;
    s->spare = c->show == SHOW_IN_VIEW;
    for (uint32_t i = 0; i < l->rows; i++) {
        const char *value = unit_cell(c, table_cell(t, l->first + i, c), l->arena);
        slot_set(s, i, screen_safe(value, l->arena));
    }
}

static double bar_value(const table *t, uint32_t row, const column *c)
{
    const cell value = table_cell(t, row, c);
    if (!value.known)
        return 0;
    return value.store == STORE_REAL ? value.real : (double)value.integer;
}

// Shares are of all rows, shown or not. A ratio is a share already.
static void add_shares(layout *l, const table *t, const column *c)
{
    double sum = 0;
    for (uint32_t i = 0; i < t->total_rows; i++)
        sum += bar_value(t, i, c);
    if (c->unit == UNIT_RATIO)
        sum = 1;
    if (sum <= 0)
        return;

    slot *s = NULL;
    if (c->unit == UNIT_RATIO)
        s = &l->slots[l->count - 1];
    else
        s = slot_add(l, "Share", ALIGN_RIGHT);
    s->bar = true;
    l->shares = arena_new(l->arena, double, l->rows);
    for (uint32_t i = 0; i < l->rows; i++) {
        char *text = arena_new(l->arena, char, UNIT_TEXT_BYTES);
        l->shares[i] = bar_value(t, l->first + i, c) / sum;
        slot_set(s, i, unit_ratio(l->shares[i], text));
    }
}

static layout lay_out(const table *t, uint32_t rows, const report_style *style, arena *a)
{
    const bool brief = style->detail != DETAIL_VIEWS;
    const column_show most = brief ? SHOW_ALWAYS : SHOW_IN_VIEW;
    layout l = {.arena = a, .bar_cells = BAR_CELLS};

    l.first = brief && t->brief_skip < t->row_count ? t->brief_skip : 0;
    l.rows = rows < t->row_count - l.first ? rows : t->row_count - l.first;
    for (uint32_t i = 0; i < t->column_count && l.count + 2 < MOST_COLUMNS; i++) {
        const column *c = &t->columns[i];
        if (c->show > most || !says_something(&l, t, c))
            continue;
        add_column(&l, t, c);
        if (t->bar && strcmp(t->bar, c->key) == 0)
            add_shares(&l, t, c);
    }
    return l;
}

static int line_width(const layout *l)
{
    int width = INDENT;
    for (uint32_t i = 0; i < l->count; i++)
        width += l->slots[i].width + (i ? GAP : 0) + (l->slots[i].bar ? GAP + l->bar_cells : 0);
    return width;
}

// The shortest that the line can be made without leaving columns out.
static int least_width(const layout *l)
{
    int width = line_width(l) - (l->shares ? l->bar_cells - LEAST_BAR_CELLS : 0);
    for (uint32_t i = 0; i < l->count; i++)
        if (l->slots[i].elastic && l->slots[i].width > LEAST_TEXT)
            width -= l->slots[i].width - LEAST_TEXT;
    return width;
}

static void leave_out(layout *l, uint32_t at)
{
    const char *title = l->slots[at].title;

    l->left_out = l->left_out ? arena_printf(l->arena, "%s, %s", title, l->left_out) : title;
    l->count--;
    for (uint32_t i = at; i < l->count; i++)
        l->slots[i] = l->slots[i + 1];
}

static void leave_out_what_is_too_much(layout *l, int width)
{
    for (uint32_t i = l->count; i > 0 && least_width(l) > width; i--)
        if (l->slots[i - 1].spare && !l->slots[i - 1].bar)
            leave_out(l, i - 1);
}

static slot *widest_elastic(layout *l, int least)
{
    slot *widest = NULL;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->slots[i].elastic && l->slots[i].width > least &&
            (!widest || l->slots[i].width > widest->width))
            widest = &l->slots[i];
    return widest;
}

static int narrow_texts(layout *l, int spare, int least)
{
    for (slot *widest; spare < 0 && (widest = widest_elastic(l, least)); spare++)
        widest->width--;
    return spare;
}

// Takes what the line lacks from the widest texts, then from the bar, then from the texts again;
// gives the bar what is left.
static void fit(layout *l, int width)
{
    leave_out_what_is_too_much(l, width);
    const int spare = narrow_texts(l, width - line_width(l), LEAST_TEXT);

    if (l->shares) {
        l->bar_cells += spare < MORE_BAR_CELLS ? spare : MORE_BAR_CELLS;
        if (l->bar_cells < LEAST_BAR_CELLS)
            l->bar_cells = LEAST_BAR_CELLS;
    }
    narrow_texts(l, width - line_width(l), SHORTEST_TEXT);
}

// A line of the table, without blanks at its end.
static void put_row(tp_sink *out, const layout *l, const char *const *texts, const double *share)
{
    int owed = INDENT;

    for (uint32_t i = 0; i < l->count; i++) {
        const slot *s = &l->slots[i];
        const char *text_cut = screen_cut(texts[i], s->width, l->arena);
        const int fill = s->width - screen_width(text_cut);
        put_spaces(out, owed + (s->side == ALIGN_RIGHT ? fill : 0));
        put(out, text_cut);
        owed = GAP + (s->side == ALIGN_LEFT ? fill : 0);
        if (s->bar && share && bar_shows(*share, l->bar_cells)) {
            put_spaces(out, owed);
            owed = GAP + put_bar(out, *share, l->bar_cells);
        } else if (s->bar) {
            owed += GAP + l->bar_cells;
        }
    }
    put(out, "\n");
}

static void put_heading(tp_sink *out, const layout *l, const report_style *style)
{
    const char *titles[MOST_COLUMNS] = {NULL};

    for (uint32_t i = 0; i < l->count; i++)
        titles[i] = l->slots[i].title;
    put_accent_begin(out, style, ACCENT_FAINT);
    put_row(out, l, titles, NULL);
    put_accent_end(out, style, ACCENT_FAINT);
}

static void put_rows(tp_sink *out, const layout *l)
{
    const char *texts[MOST_COLUMNS];

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
        at += (at ? GAP + 1 : INDENT) + cells;
        put(out, s->title);
        put(out, " ");
        put(out, s->texts[0]);
    }
    put(out, "\n");
}

// Short values side by side, aligned over the rows; then the sentences, a paragraph each.
static void put_items(tp_sink *out, const layout *l, int width)
{
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
            put_wrapped(out, l->slots[i].texts[row], indent, width);
            first = false;
        }
        if (first)
            put(out, "\n");
    }
}

void table_text(tp_sink *out, const table *t, uint32_t rows, const report_style *style)
{
    arena *a = arena_create();
    layout l = lay_out(t, rows, style, a);
    const uint32_t shown = l.first + l.rows;

    put_title(out, style, t->title);
    if (l.rows == 0) {
        put(out, "  none\n");
    } else if (t->look == LOOK_RECORD) {
        put_record(out, &l, style->width);
    } else if (t->look == LOOK_ITEMS) {
        put_items(out, &l, style->width);
    } else {
        if (!style->whole_names)
            fit(&l, style->width);
        put_heading(out, &l, style);
        put_rows(out, &l);
    }
    if (shown < t->total_rows && l.rows > 0)
        put_format(out, "  … and %u more\n", t->total_rows - shown);
    if (l.left_out)
        put_format(out, "  … and columns for a wider screen: %s\n", l.left_out);
    arena_destroy(a);
}
