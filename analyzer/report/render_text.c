// SPDX-License-Identifier: BSD-3-Clause
// The report for people: what matters first, a screen or two, and how to see more.
#include "report/renderer.h"

#include "report/lines.h"
#include "report/screen_text.h"
#include "report/table_text.h"
#include "report/units.h"

#include <stdio.h>
#include <string.h>

enum { VIEW_ROWS = 20 }; // of a table in a view that was asked for without --top

static uint32_t rows_shown(const table *t, const report_style *style)
{
    if (style->detail == DETAIL_VIEWS)
        return t->limited ? t->row_count : VIEW_ROWS;

    const uint32_t rows = style->detail == DETAIL_BRIEF ? t->brief_rows : t->tight_rows;
    return t->limited && rows ? t->row_count : rows;
}

// In a brief report a table without rows is left out; in a view that was asked for it says so.
static bool table_shows(const table *t, const report_style *style)
{
    return t->column_count && rows_shown(t, style) &&
           (t->row_count > t->brief_skip || style->detail == DETAIL_VIEWS);
}

static bool remark_shows(const report_remark *remark, const report_style *style)
{
    switch (style->detail) {
    case DETAIL_VIEWS:
        return true;
    case DETAIL_BRIEF:
        return remark->weight >= REMARK_BRIEF;
    case DETAIL_TIGHT:
    case DETAIL_TABLE:
        return remark->weight >= REMARK_GOOD;
    }
    return true;
}

static void put_remark(tp_sink *out, const report_remark *remark, const report_style *style,
                       arena *a)
{
    const accent color = remark->weight == REMARK_GOOD  ? ACCENT_GOOD
                         : remark->weight == REMARK_BAD ? ACCENT_BAD
                                                        : ACCENT_NONE;
    put_spaces(out, 2);
    put_accent_begin(out, style, color);
    put_wrapped(out, screen_safe(remark->text, a), 2, style->width);
    put_accent_end(out, style, color);
}

static void put_remarks(tp_sink *out, const report_section *s, const report_style *style, arena *a)
{
    bool titled = style->detail != DETAIL_VIEWS;

    for (uint32_t i = 0; i < s->remark_count; i++) {
        if (!remark_shows(&s->remarks[i], style))
            continue;
        if (!titled)
            put_title(out, style, s->title);
        titled = true;
        put_remark(out, &s->remarks[i], style, a);
    }
}

static void put_tables(tp_sink *out, const report_section *s, const report_style *style)
{
    for (uint32_t i = 0; i < s->table_count; i++)
        if (table_shows(&s->tables[i], style))
            table_text(out, &s->tables[i], rows_shown(&s->tables[i], style), style);
}

static void put_views(tp_sink *out, const report_scope *s, const report_style *style, arena *a)
{
    for (uint32_t i = 0; i < s->section_count; i++) {
        put_remarks(out, &s->sections[i], style, a);
        put_tables(out, &s->sections[i], style);
    }
}

// What is said in words, then where time goes, then what it is made of.
static void put_brief(tp_sink *out, const report_scope *s, const report_style *style, arena *a)
{
    for (uint32_t i = 0; i < s->section_count; i++)
        put_remarks(out, &s->sections[i], style, a);
    for (int early = 1; early >= 0; early--)
        for (uint32_t i = 0; i < s->section_count; i++)
            for (uint32_t k = 0; k < s->sections[i].table_count; k++) {
                const table *t = &s->sections[i].tables[k];
                if (t->early == early && table_shows(t, style))
                    table_text(out, t, rows_shown(t, style), style);
            }
}

// "worker0 · rank 1 · run starved · 2 spans".
static const char *scope_title(const report_scope *s, arena *a)
{
    const char *title = arena_printf(a, "%s · run %s", unit_name(s->worker), unit_name(s->run));
    char number[UNIT_TEXT_BYTES];

    if (s->rank >= 0)
        title = arena_printf(a, "%s · rank %d", title, (int)s->rank);
    if (s->kind == SCOPE_WORKER)
        return arena_printf(a, "%s · %s spans", title, unit_count(s->spans.count, number));
    return strcmp(s->span, "default") == 0 ? title
                                           : arena_printf(a, "%s · span %s", title, s->span);
}

static void render_scope(tp_sink *out, const report_scope *s, const report_style *style)
{
    arena *a = arena_create();

    put_title(out, style, screen_safe(scope_title(s, a), a));
    if (style->detail == DETAIL_VIEWS)
        put_views(out, s, style, a);
    else
        put_brief(out, s, style, a);
    arena_destroy(a);
}

static bool troubles(const report_input *in)
{
    for (uint32_t i = 0; i < in->note_count; i++)
        if (in->notes[i].severity[0] != 'i')
            return true;
    return false;
}

static void put_health(tp_sink *out, const report_frame *frame, const report_style *style)
{
    char sentence[128];
    uint32_t troubled = 0;
    for (uint32_t i = 0; i < frame->input_count; i++)
        troubled += troubles(&frame->inputs[i]);
    if (troubled == 0)
        return;
    snprintf(sentence, sizeof(sentence),
             "Data health: something was bent or missing in %u of %u files; see info.", troubled,
             frame->input_count);
    put_wrapped(out, sentence, 2, style->width);
}

// What begins with an empty line, without it.
static void put_first(tp_sink *out, const char *bytes, size_t length)
{
    const size_t skip = length && bytes[0] == '\n';
    tp_sink_write(out, bytes + skip, length - skip);
}

static void put_workers(tp_sink *out, const table *workers, const report_style *style)
{
    tp_sink *memory;
    size_t length;

    if (tp_sink_memory_open(0, &memory) != TPROF_OK)
        return;
    table_text(memory, workers, rows_shown(workers, style), style);
    const char *bytes = tp_sink_memory_data(memory, &length);
    put_first(out, bytes, length);
    tp_sink_abandon(memory);
}

static void render_whole(tp_sink *out, const report_frame *frame, const report_style *style)
{
    if (frame->workers)
        put_workers(out, frame->workers, style);
    for (uint32_t i = 0; i < frame->part_count; i++)
        if (i == 0 && !frame->workers)
            put_first(out, frame->parts[i].bytes, frame->parts[i].length);
        else
            tp_sink_write(out, frame->parts[i].bytes, frame->parts[i].length);
    if (style->detail != DETAIL_VIEWS || frame->hint_count)
        put(out, "\n");
    if (style->detail != DETAIL_VIEWS)
        put_health(out, frame, style);
    for (uint32_t i = 0; i < frame->hint_count; i++) {
        put_accent_begin(out, style, ACCENT_FAINT);
        put_wrapped(out, frame->hints[i], 2, style->width);
        put_accent_end(out, style, ACCENT_FAINT);
    }
}

const renderer render_text = {
    .name = "text",
    .extension = "txt",
    .summary = "for people: scaled units, aligned columns",
    .scope = render_scope,
    .whole = render_whole,
};
