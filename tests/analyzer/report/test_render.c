// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "report/renderer.h"
#include "report/screen_text.h"

#include <stdio.h>
#include <string.h>

typedef struct op {
    const char *name;
    int64_t calls, time_ns;
    double share;
    tristate fast;
    text_list steps;
    const char *secret;
} op;

static const column COLUMNS[] = {
    COLUMN(op, name, UNIT_NONE, "Name"),           COLUMN(op, calls, UNIT_COUNT, "Calls"),
    COLUMN(op, time_ns, UNIT_NS, "Time"),          COLUMN(op, share, UNIT_RATIO, "Load"),
    COLUMN_WIDE(op, fast, UNIT_NONE, "Fast"),      COLUMN_WIDE(op, steps, UNIT_NONE, "Steps"),
    COLUMN_QUIET(op, secret, UNIT_NONE, "Secret"),
};

static const char *const STEPS[] = {"3", "\"4\""};

static const op OPS[] = {
    {"前向", 1200,     7500000, 0.5,       TRISTATE_TRUE,    {STEPS, 2}, "a" },
    {"mm\n",   3,        2500000, REAL_NONE, TRISTATE_UNKNOWN, {NULL, 0},  NULL},
    {"add",    INT_NONE, 0,       0,         TRISTATE_FALSE,   {NULL, 0},  "c" },
};

static table ops(void)
{
    return (table){TABLE("ops", "Operators", COLUMNS, op),
                   .rows = OPS,
                   .row_count = 3,
                   .total_rows = 3,
                   .bar = "time_ns",
                   .brief_rows = 2};
}

static report_scope scope_of(table *t, report_section *section, const report_remark *remark)
{
    *section = (report_section){.key = "things",
                                .title = "Things",
                                .tables = t,
                                .table_count = 1,
                                .remarks = remark,
                                .remark_count = 1};
    return (report_scope){.kind = SCOPE_LOG,
                          .path = "log/w.json",
                          .run = "log",
                          .worker = "w",
                          .span = "17",
                          .rank = 2,
                          .base_time_ns = "1750000000000000000",
                          .sections = section,
                          .section_count = 1};
}

// What a renderer makes of the one table; to be freed with the sink.
static const char *rendered(tp_sink **sink, const renderer *r, table t, report_style style)
{
    static const report_remark REMARK = {REMARK_BAD, "Mind the gap."};
    report_section section;
    const report_scope s = scope_of(&t, &section, &REMARK);

    assert_int_equal(tp_sink_memory_open(0, sink), TPROF_OK);
    r->scope(*sink, &s, &style);
    assert_int_equal((*sink)->status, TPROF_OK);
    return tp_sink_memory_data(*sink, &(size_t){0});
}

static void expect(const renderer *r, table t, report_style style, const char *want)
{
    tp_sink *sink;
    assert_string_equal(rendered(&sink, r, t, style), want);
    tp_sink_abandon(sink);
}

static void json_carries_base_units_and_null(void **state)
{
    (void)state;
    expect(&render_json, ops(), (report_style){.width = 80},
           "{\"path\":\"log/w.json\",\"run\":\"log\",\"worker\":\"w\",\"span\":\"17\",\"rank\":2,"
           "\"base_time_ns\":\"1750000000000000000\",\"views\":{\"things\":{\"ops\":["
           "{\"name\":\"前向\",\"calls\":1200,\"time_ns\":7500000,\"share\":0.5,\"fast\":true,"
           "\"steps\":[\"3\",\"\\\"4\\\"\"],\"secret\":\"a\"},"
           "{\"name\":\"mm\\n\",\"calls\":3,\"time_ns\":2500000,\"share\":null,\"fast\":null,"
           "\"steps\":[],\"secret\":null},"
           "{\"name\":\"add\",\"calls\":null,\"time_ns\":0,\"share\":0,\"fast\":false,"
           "\"steps\":[],\"secret\":\"c\"}]}}}");
}

static void json_tells_how_many_rows_there_were_before_top(void **state)
{
    (void)state;
    table t = ops();
    tp_sink *sink;
    t.limited = true;
    t.row_count = 1;
    const char *json = rendered(&sink, &render_json, t, (report_style){.width = 80});
    assert_non_null(strstr(json, "{\"ops_total_rows\":3,\"ops\":[{"));
    tp_sink_abandon(sink);
}

static void a_brief_report_aligns_scales_and_names_what_is_left(void **state)
{
    (void)state;
    expect(&render_text, ops(), (report_style){.detail = DETAIL_BRIEF, .width = 60},
           "\nw · run log · rank 2 · span 17\n"
           "  Mind the gap.\n"
           "\nOperators\n"
           "  Name  Calls     Time   Share                          Load\n"
           "  前向  1,200  7.50 ms  75.0 %  ███████████████       50.0 %\n"
           "  mm\\n      3  2.50 ms  25.0 %  █████                      -\n"
           "  … and 1 more\n");
}

static void a_view_shows_more_columns_and_rows(void **state)
{
    (void)state;
    tp_sink *sink;
    const char *words =
        rendered(&sink, &render_text, ops(), (report_style){.detail = DETAIL_VIEWS, .width = 100});
    assert_non_null(strstr(words, "\nThings\n  Mind the gap.\n"));
    assert_non_null(strstr(words, "Fast  Steps"));
    assert_non_null(strstr(words, "yes  3, \"4\""));
    assert_non_null(strstr(words, "\n  add "));
    assert_null(strstr(words, "Secret"));
    tp_sink_abandon(sink);
}

static void a_short_line_leaves_out_columns_of_the_view_and_names_them(void **state)
{
    static const int widths[] = {48, 54, 60, 80};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
        tp_sink *sink;
        const char *at = rendered(&sink, &render_text, ops(),
                                  (report_style){.detail = DETAIL_VIEWS, .width = widths[i]});
        const bool whole = strstr(at, "Fast  Steps");

        assert_int_equal(whole, !strstr(at, "columns for a wider screen: "));
        assert_int_equal(whole, widths[i] >= 54);
        for (; *at; at += strcspn(at, "\n") + 1) {
            char line[200];
            snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
            assert_true(screen_width(line) <= widths[i]);
        }
        tp_sink_abandon(sink);
    }
}

static void zeros_are_shown_where_they_tell_something(void **state)
{
    static const op none[] = {
        {"add", 0, 0, 0, TRISTATE_FALSE, {NULL, 0}, NULL}
    };
    (void)state;
    for (int tell = 0; tell < 2; tell++) {
        tp_sink *sink;
        table t = ops();
        t.rows = none;
        t.row_count = t.total_rows = 1;
        t.zeros_tell = tell;
        const char *words = rendered(&sink, &render_text, t, (report_style){.width = 80});
        assert_int_equal(!!strstr(words, "Load"), tell);
        tp_sink_abandon(sink);
    }
}

static void colour_appears_only_where_the_style_has_it(void **state)
{
    (void)state;
    for (int color = 0; color < 2; color++) {
        tp_sink *sink;
        const char *words =
            rendered(&sink, &render_text, ops(), (report_style){.color = color, .width = 80});
        assert_int_equal(strchr(words, '\x1b') != NULL, color);
        tp_sink_abandon(sink);
    }
}

static void the_whole_has_inputs_then_logs_then_workers(void **state)
{
    (void)state;
    static const report_note NOTE = {"truncated", "error", 1, 77, "the text ends"};
    static const report_input INPUTS[] = {
        {"a.json", "r", "w", "default", -1, -1, "partial",    10,       2,        &NOTE, 1},
        {"b.json", "r", "v", "default", 3,  8,  "unreadable", INT_NONE, INT_NONE, NULL,  0},
    };
    static const report_part PARTS[] = {
        {SCOPE_LOG,    "{\"log\":1}", 9},
        {SCOPE_WORKER, "{\"all\":1}", 9},
        {SCOPE_LOG,    "{\"log\":2}", 9},
    };
    const report_frame frame = {
        .version = "1", .inputs = INPUTS, .input_count = 2, .parts = PARTS, .part_count = 3};
    tp_sink *sink;

    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    render_json.whole(sink, &frame, &(report_style){.width = 80});
    assert_string_equal(
        tp_sink_memory_data(sink, &(size_t){0}),
        "{\"schema_version\":1,\"tool\":{\"name\":\"tprof-analyze\",\"version\":\"1\"},\"inputs\":["
        "{\"path\":\"a.json\",\"run\":\"r\",\"worker\":\"w\",\"span\":\"default\",\"rank\":null,"
        "\"world_size\":null,\"status\":\"partial\",\"bytes\":10,\"events\":2,\"notes\":["
        "{\"code\":\"truncated\",\"severity\":\"error\",\"count\":1,\"byte\":77,"
        "\"text\":\"the text ends\"}]},"
        "{\"path\":\"b.json\",\"run\":\"r\",\"worker\":\"v\",\"span\":\"default\",\"rank\":3,"
        "\"world_size\":8,\"status\":\"unreadable\",\"bytes\":null,\"events\":null,\"notes\":[]}],"
        "\"ignored\":[],\"logs\":[{\"log\":1},{\"log\":2}],\"workers\":[{\"all\":1}]}\n");
    tp_sink_abandon(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_carries_base_units_and_null),
        cmocka_unit_test(json_tells_how_many_rows_there_were_before_top),
        cmocka_unit_test(a_brief_report_aligns_scales_and_names_what_is_left),
        cmocka_unit_test(a_view_shows_more_columns_and_rows),
        cmocka_unit_test(a_short_line_leaves_out_columns_of_the_view_and_names_them),
        cmocka_unit_test(zeros_are_shown_where_they_tell_something),
        cmocka_unit_test(colour_appears_only_where_the_style_has_it),
        cmocka_unit_test(the_whole_has_inputs_then_logs_then_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
