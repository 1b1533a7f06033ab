// SPDX-License-Identifier: BSD-3-Clause
// How a table's columns share a line.
#include "report/table_layout.h"

#include "report/screen_text.h"
#include "report/units.h"

#include <string.h>

enum {
    GOOD_TEXT = 32,     // cells that names keep where the bar can be shorter instead
    LEAST_TEXT = 24,    // where columns can be left out instead
    SHORTEST_TEXT = 10, // and however narrow the line
    BAR_CELLS = 10,
    LEAST_BAR_CELLS = 2,
    MORE_BAR_CELLS = 20,
};

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
    *s = (slot){.title = title, .above = "", .side = side, .width = screen_width(title)};
    s->texts = arena_new(l->arena, const char *, l->rows);
    return s;
}

static void slot_set(slot *s, uint32_t row, const char *text)
{
    const int width = screen_width(text);
    s->texts[row] = text;
    s->widest = width > s->widest ? width : s->widest;
    s->width = width > s->width ? width : s->width;
}

static void add_column(layout *l, const table *t, const column *c)
{
    const bool text = c->store == STORE_TEXT || c->store == STORE_TEXTS;
    slot *s = slot_add(l, c->title, text ? ALIGN_LEFT : ALIGN_RIGHT);

    s->elastic = text;
    s->prose = c->unit == UNIT_PROSE;
    s->spare = c->show == SHOW_IN_VIEW;
    s->time = c->unit == UNIT_NS && c->store == STORE_INT;
    for (uint32_t i = 0; i < l->rows; i++) {
        const cell value = table_cell(t, l->first + i, c);
        slot_set(s, i, screen_safe(unit_cell(c, value, l->arena), l->arena));
        s->sum += s->time && value.known ? (double)value.integer : 0;
    }
}

// Shares are of all rows, shown or not. A ratio is a share already.
static double whole_of(const table *t, const column *c)
{
    if (c->unit == UNIT_RATIO)
        return 1;
    return t->bar_whole > 0 ? t->bar_whole : table_sum(t, c);
}

static void add_shares(layout *l, const table *t, const column *c)
{
    const double whole = whole_of(t, c);
    if (whole <= 0)
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
        l->shares[i] = table_number(t, l->first + i, c) / whole;
        slot_set(s, i, unit_ratio(l->shares[i], text));
    }
}

layout layout_of(const table *t, uint32_t rows, const report_style *style, arena *a)
{
    const bool brief = style->detail != DETAIL_VIEWS;
    const column_show most = brief ? SHOW_ALWAYS : SHOW_IN_VIEW;
    layout l = {.arena = a, .bar_cells = BAR_CELLS, .gap = 2};

    l.first = brief && t->brief_skip < t->row_count ? t->brief_skip : 0;
    l.rows = rows < t->row_count - l.first ? rows : t->row_count - l.first;
    for (uint32_t i = 0; i < t->column_count && l.count + 2 < LAYOUT_COLUMNS; i++) {
        const column *c = &t->columns[i];
        if (c->show > most || !says_something(&l, t, c))
            continue;
        add_column(&l, t, c);
        if (t->bar && strcmp(t->bar, c->key) == 0)
            add_shares(&l, t, c);
    }
    return l;
}

static int bar_width(const layout *l, const slot *s)
{
    return s->bar && l->bar_cells ? l->gap + l->bar_cells : 0;
}

static int line_width(const layout *l)
{
    int width = LAYOUT_INDENT;
    for (uint32_t i = 0; i < l->count; i++)
        width += l->slots[i].width + (i ? l->gap : 0) + bar_width(l, &l->slots[i]);
    return width;
}

// The shortest that the line can be made without leaving columns out.
static int least_width(const layout *l)
{
    int width = line_width(l) - (l->shares ? l->gap + l->bar_cells : 0);
    for (uint32_t i = 0; i < l->count; i++)
        if (l->slots[i].elastic && l->slots[i].width > LEAST_TEXT)
            width -= l->slots[i].width - LEAST_TEXT;
    return width;
}

// Puts the first words of a heading that is wider than what is below it on a line of their own.
static void break_heading(layout *l, slot *s)
{
    const char *title = s->title, *best = NULL;
    int narrowest = screen_width(title);

    for (const char *space = title; (space = strchr(space, ' ')); space++) {
        const int before = (int)(space - title), behind = screen_width(space + 1);
        const int width = before > behind ? before : behind;
        if (width < narrowest) {
            narrowest = width;
            best = space;
        }
    }
    if (!best || s->widest >= s->width)
        return;
    s->above = arena_copy(l->arena, title, (size_t)(best - title));
    s->title = best + 1;
    s->width = narrowest > s->widest ? narrowest : s->widest;
    l->two_lines = true;
}

static void leave_out(layout *l, uint32_t at)
{
    const slot *s = &l->slots[at];
    const char *title = arena_printf(l->arena, "%s%s%s", s->above, *s->above ? " " : "", s->title);

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

// The column that is missed least: the last that is no time, else that of least time. The first
// says what a row is of.
static uint32_t least_missed(const layout *l)
{
    uint32_t least = 0;

    for (uint32_t i = 1; i < l->count; i++) {
        const slot *s = &l->slots[i];
        if (s->elastic || s->bar)
            continue;
        if (!least || (l->slots[least].time && (!s->time || s->sum < l->slots[least].sum)) ||
            (!l->slots[least].time && !s->time))
            least = i;
    }
    return least;
}

// What is left to do where names are as short as they may be: smaller gaps, fewer columns.
static void squeeze(layout *l, int width)
{
    if (line_width(l) > width)
        l->gap = 1;
    for (uint32_t at; line_width(l) > width && (at = least_missed(l));)
        leave_out(l, at);
}

// Gives the bar what the line has left, or takes from it what it lacks. Too short, it is left out.
static void fit_bar(layout *l, int spare)
{
    l->bar_cells += spare < MORE_BAR_CELLS ? spare : MORE_BAR_CELLS;
    if (l->bar_cells < LEAST_BAR_CELLS)
        l->bar_cells = 0;
}

void layout_fit(layout *l, int width)
{
    for (uint32_t i = 0; i < l->count && least_width(l) > width; i++)
        break_heading(l, &l->slots[i]);
    leave_out_what_is_too_much(l, width);
    const int spare = narrow_texts(l, width - line_width(l), GOOD_TEXT);

    if (l->shares)
        fit_bar(l, spare);
    narrow_texts(l, width - line_width(l), SHORTEST_TEXT);
    squeeze(l, width);
}
