// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "views/view.h"

#include <string.h>

static void every_view_table_and_column_has_one_word(void **state)
{
    (void)state;
    for (uint32_t v = 0; VIEWS[v]; v++) {
        assert_true(VIEWS[v]->summary[0] && VIEWS[v]->title[0]);
        for (uint32_t w = 0; w < v; w++)
            assert_string_not_equal(VIEWS[v]->key, VIEWS[w]->key);
        for (uint32_t i = 0; i < VIEWS[v]->shape_count; i++) {
            const table *t = &VIEWS[v]->shapes[i];
            for (uint32_t k = 0; k < i; k++)
                assert_string_not_equal(t->key, VIEWS[v]->shapes[k].key);
            for (uint32_t c = 0; c < t->column_count; c++)
                assert_ptr_equal(table_column(t, t->columns[c].key), &t->columns[c]);
            assert_true(!t->bar || table_column(t, t->bar));
        }
    }
}

// A worker without spans, and results to be filled in.
typedef struct subject {
    arena *arena;
    worker worker;
    analysis all;
    diagnosis found;
} subject;

static subject *make_subject(void)
{
    arena *a = arena_create();
    subject *s = arena_new(a, subject, 1);

    s->arena = a;
    s->all.worker = &s->worker;
    s->found.verdict = (verdict_row){.device = "0", .verdict_class = "compute"};
    return s;
}

static report_section build(const subject *s, const view *v)
{
    const view_input in = {&s->all, &s->found, NULL};
    return view_section(v, &in, s->arena);
}

static const table *table_of(report_section section, const char *key)
{
    for (uint32_t i = 0; i < section.table_count; i++)
        if (strcmp(section.tables[i].key, key) == 0)
            return &section.tables[i];
    fail();
    return NULL;
}

// Rows "class: mean" of the table of shares, in order.
static void expect_shares(const subject *s, const char *const classes[], const int64_t means[])
{
    const table *t = table_of(build(s, &view_classes), "shares");
    uint32_t count = 0;

    for (; classes[count]; count++) {
        assert_true(count < t->row_count);
        assert_string_equal(table_cell(t, count, table_column(t, "class")).text, classes[count]);
        assert_int_equal(table_cell(t, count, table_column(t, "mean_ns")).integer, means[count]);
    }
    assert_int_equal(t->row_count, count);
}

static void shares_are_of_complete_steps_on_the_verdicts_device(void **state)
{
    static class_row rows[] = {
        {.step = "1",
         .device = "0",
         .wall_ns = 100,
         .compute_ns = 60,
         .idle_input_ns = 40,
         .complete = true},
        {.step = "1",                .device = "1",      .wall_ns = 100, .copy_ns = 100, .complete = true},
        {.step = "2",
         .device = "0",
         .wall_ns = 100,
         .compute_ns = 20,
         .idle_input_ns = 80,
         .complete = true},
        {.step = "3", .device = "0", .wall_ns = 900,              .idle_host_ns = 900,                    .complete = false                   },
    };
    (void)state;
    subject *s = make_subject();
    s->all.classes = (class_table){.at = rows, .count = ARRAY_LEN(rows)};

    expect_shares(s, (const char *const[]){"idle_input", "compute", NULL}, (int64_t[]){60, 40});
    s->found.verdict.device = "1";
    expect_shares(s, (const char *const[]){"copy", NULL}, (int64_t[]){100});
    s->found.verdict.device = "7";
    expect_shares(s, (const char *const[]){NULL}, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        rows[i].complete = false;
    s->found.verdict.device = "0"; // none is complete: all count
    expect_shares(s, (const char *const[]){"idle_host", "idle_input", "compute", NULL},
                  (int64_t[]){300, 40, 27});
    arena_destroy(s->arena);
}

static void the_verdict_is_told_in_words_and_not_twice(void **state)
{
    static finding_row findings[] = {
        {.rule = "input-bound", .finding_class = "input",   .severity = "high"},
        {.rule = "hot",         .finding_class = "compute", .severity = "info"},
    };
    (void)state;
    subject *s = make_subject();
    s->found = (diagnosis){
        {"0", "input", 0.3, 1000, 300, "Waits for input."},
        findings, 2
    };

    report_section section = build(s, &view_verdict);
    assert_int_equal(section.remarks[0].weight, REMARK_BAD);
    assert_string_equal(section.remarks[0].text, "Waits for input.");
    assert_non_null(strstr(section.remarks[1].text, "1.00 us"));
    assert_non_null(strstr(section.remarks[1].text, "700 ns"));
    assert_int_equal(table_of(section, "findings")->brief_skip, 1);
    assert_int_equal(table_of(section, "findings")->row_count, 2);

    s->found = (diagnosis){
        {"0", "compute", 0.9, 1000, 900, "Computes."},
        findings, 1
    };
    section = build(s, &view_verdict);
    assert_int_equal(section.remarks[0].weight, REMARK_GOOD);
    assert_int_equal(section.remark_count, 1);
    assert_int_equal(table_of(section, "findings")->brief_skip, 0);
    arena_destroy(s->arena);
}

static void logs_without_a_loader_do_not_speak_of_it_in_brief(void **state)
{
    (void)state;
    subject *s = make_subject();
    s->all.dataloader.summary.loader = "none";
    assert_int_equal(table_of(build(s, &view_data_loader), "summary")->brief_rows, 0);
    s->all.dataloader.summary.loader = "multi_process";
    assert_int_equal(table_of(build(s, &view_data_loader), "summary")->brief_rows, 1);
    arena_destroy(s->arena);
}

static void what_has_no_owner_is_said(void **state)
{
    (void)state;
    subject *s = make_subject();
    s->all.operators.graph_replay_ns = 210000;
    s->all.operators.unlinked_ns = 5;
    const report_section section = build(s, &view_operators);
    assert_int_equal(section.remark_count, 3);
    assert_non_null(strstr(section.remarks[0].text, "device activity only"));
    assert_non_null(strstr(section.remarks[1].text, "210 us of device time came from graph"));
    assert_non_null(strstr(section.remarks[2].text, "5 ns of device time has no launch record"));
    arena_destroy(s->arena);
}

static void titles_say_what_shares_of_selected_steps_are_of(void **state)
{
    static const struct {
        const view *view;
        const char *table, *of_log, *of_steps;
    } cases[] = {
        {&view_operators,   "operators",   "host self time)",    "host self time in the selected steps)"},
        {&view_kernels,     "kernels",     "all kernels' time)",
         "all kernels' time in the selected steps)"                                                     },
        {&view_annotations, "annotations", "of the complete",    "of the selected complete steps'"      },
        {&view_data_loader, "summary",     "of the complete",    "of the selected complete steps'"      },
    };
    (void)state;
    subject *s = make_subject();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        s->all.of_selected_steps = false;
        const char *title = table_of(build(s, cases[i].view), cases[i].table)->title;
        assert_non_null(strstr(title, cases[i].of_log));
        s->all.of_selected_steps = true;
        const report_section section = build(s, cases[i].view);
        assert_non_null(strstr(table_of(section, cases[i].table)->title, cases[i].of_steps));
        assert_true(!section.remark_count || cases[i].view == &view_data_loader ||
                    strstr(section.remarks[0].text, "in the selected steps."));
    }
    arena_destroy(s->arena);
}

static void operators_without_a_stack_count_in_the_shares_by_stack(void **state)
{
    static operator_row all[] = {
        {.name = "mm",  .host_self_ns = 10, .device_self_ns = 60},
        {.name = "add", .host_self_ns = 90, .device_self_ns = 40},
    };
    static operator_row stacks[] = {
        {.name = "mm", .call_stack = "a.py(1): f", .host_self_ns = 10, .device_self_ns = 60}
    };
    (void)state;
    subject *s = make_subject();
    s->all.operators.by_name = (operator_table){all, 2};
    s->all.operators.by_stack = (operator_table){stacks, 1};

    for (int on_device = 0; on_device < 2; on_device++) {
        s->all.operators.has_device_work = on_device;
        const table *t = table_of(build(s, &view_operators), "operators_by_stack");
        assert_string_equal(t->bar, on_device ? "device_self_ns" : "host_self_ns");
        assert_true(t->bar_whole == 100);
    }
    arena_destroy(s->arena);
}

static health_note missing = {"gpu_records_missing", NOTE_WARNING, 3, ERROR_NO_OFFSET, "No GPU"};

static void missing_records_and_missing_steps_are_said(void **state)
{
    (void)state;
    subject *s = make_subject();
    trace t = {.notes = &missing, .note_count = 1};
    step all_steps = {.name = "all"};
    const span spans[] = {
        {&t, "default", {&all_steps, 1, false}}
    };
    s->worker.spans = spans;
    s->worker.span_count = 1;

    const report_section section = build(s, &view_overview);
    assert_int_equal(section.remark_count, 2);
    assert_int_equal(section.remarks[0].weight, REMARK_BAD);
    assert_string_equal(section.remarks[0].text, "No GPU.");
    assert_non_null(strstr(section.remarks[1].text, "No steps are marked"));
    arena_destroy(s->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_view_table_and_column_has_one_word),
        cmocka_unit_test(shares_are_of_complete_steps_on_the_verdicts_device),
        cmocka_unit_test(the_verdict_is_told_in_words_and_not_twice),
        cmocka_unit_test(logs_without_a_loader_do_not_speak_of_it_in_brief),
        cmocka_unit_test(what_has_no_owner_is_said),
        cmocka_unit_test(titles_say_what_shares_of_selected_steps_are_of),
        cmocka_unit_test(operators_without_a_stack_count_in_the_shares_by_stack),
        cmocka_unit_test(missing_records_and_missing_steps_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
