// SPDX-License-Identifier: BSD-3-Clause
// Verdicts and findings of made-up classes, and of tiny traces through all analyses.
#include "support/cmocka_all.h"

#include "diagnose/diagnose.h"
#include "diagnose/facts.h"
#include "diagnose/wording.h"
#include "link/step_trace.h"
#include "support/made_worker.h"

#include <math.h>
#include <stdio.h>

// What analyses would have found, so that a case needs only what it is about.
typedef struct made_analysis {
    arena *arena;
    step step;
    span span;
    worker worker;
    class_row rows[4];
    overview_device devices[2];
    analysis all;
} made_analysis;

static void open_analysis(made_analysis *m, const class_row *rows, uint32_t count)
{
    *m = (made_analysis){.arena = arena_create()};
    bool worked = false;
    for (uint32_t i = 0; i < count; i++) {
        m->rows[i] = rows[i];
        m->rows[i].complete = true;
        worked |= strcmp(rows[i].device, "host") != 0;
    }
    m->step = (step){.name = "1", .complete = true};
    m->span.steps = (step_list){.at = &m->step, .count = count > 0, .marked = true};
    m->worker = (worker){.spans = &m->span, .span_count = 1};
    m->devices[0] = (overview_device){.device = "0",
                                      .busy_ns = 10,
                                      .utilization = REAL_NONE,
                                      .sm_efficiency = REAL_NONE,
                                      .occupancy = REAL_NONE,
                                      .tensor_core_share = REAL_NONE};
    m->devices[1] = m->devices[0];
    m->devices[1].device = "1";
    m->all = (analysis){
        .worker = &m->worker,
        .classes = {.at = m->rows,         .count = count                },
        .overview = {.devices = m->devices, .device_count = worked ? 2 : 0},
        .dataloader.summary = {.loader = "none",      .workers_suggested = INT_NONE }
    };
}

static const finding_row *finding_of(const diagnosis *d, const char *rule)
{
    for (uint32_t i = 0; i < d->finding_count; i++)
        if (!strcmp(d->findings[i].rule, rule))
            return &d->findings[i];
    return NULL;
}

// clang-format off
static void the_verdict_is_the_largest_loss_else_compute_else_balanced(void **state)
{
    static const struct {
        class_row row; // of a step of 1000 ns
        const char *verdict;
        double share;
        int64_t gain;
    } cases[] = {
        {{.device = "0", .compute_ns = 790, .idle_input_ns = 200, .idle_host_ns = 10}, "input", 0.2, 200},
        {{.device = "0", .compute_ns = 801, .idle_input_ns = 199}, "compute", 0.801, 801},
        {{.device = "0", .compute_ns = 600, .idle_sync_ns = 150, .idle_alloc_ns = 60, .idle_input_ns = 190}, "synchronization", 0.21, 210},
        {{.device = "0", .compute_ns = 500, .communication_ns = 500}, "communication", 0.5, 500},
        {{.device = "0", .compute_ns = 700, .copy_ns = 100, .idle_copy_ns = 200}, "copy", 0.3, 300},
        {{.device = "0", .compute_ns = 700, .idle_launch_ns = 100, .idle_host_ns = 90, .idle_device_ns = 110}, "launch", 0.3, 300},
        {{.device = "0", .idle_input_ns = 300, .idle_sync_ns = 300, .compute_ns = 400}, "input", 0.3, 300},
        {{.device = "0", .compute_ns = 590, .idle_unknown_ns = 410}, "balanced", -1, INT_NONE},
        {{.device = "0", .compute_ns = 590, .idle_input_ns = 190, .copy_ns = 190, .idle_host_ns = 30}, "balanced", -1, INT_NONE},
        {{.device = "host", .compute_ns = 700, .idle_host_ns = 300}, "launch", 0.3, 300},
        {{.device = "host", .idle_host_ns = 1000}, "unknown", -1, INT_NONE},
        {{.device = "host", .idle_input_ns = 400, .idle_host_ns = 600}, "input", 0.4, 400},
        {{.device = "host", .idle_input_ns = 100, .idle_host_ns = 900}, "balanced", -1, INT_NONE},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_analysis m;
        class_row row = cases[i].row;
        row.wall_ns = 1000;
        open_analysis(&m, &row, 1);
        const diagnosis got = diagnose(&m.all, m.arena);
        if (strcmp(got.verdict.verdict_class, cases[i].verdict))
            fail_msg("case %zu is %s, not %s", i, got.verdict.verdict_class, cases[i].verdict);
        assert_string_equal(got.verdict.device, row.device);
        if (cases[i].share < 0)
            assert_true(isnan(got.verdict.share));
        else
            assert_float_equal(got.verdict.share, cases[i].share, 1e-12);
        assert_int_equal(got.verdict.gain_ns, cases[i].gain);
        assert_int_equal(got.verdict.step_ns, 1000);
        assert_non_null(got.verdict.text);
        arena_destroy(m.arena);
    }
}
// clang-format on

static void a_log_without_steps_is_unknown(void **state)
{
    (void)state;
    made_analysis m;
    open_analysis(&m, NULL, 0);
    const diagnosis got = diagnose(&m.all, m.arena);
    assert_string_equal(got.verdict.verdict_class, "unknown");
    assert_string_equal(got.verdict.device, "host");
    assert_int_equal(got.verdict.step_ns, INT_NONE);
    assert_int_equal(got.finding_count, 0);
    arena_destroy(m.arena);
}

static void the_device_with_most_work_is_judged_over_complete_steps(void **state)
{
    const class_row rows[] = {
        {.device = "0", .wall_ns = 1000, .compute_ns = 1000},
        {.device = "1", .wall_ns = 1000, .compute_ns = 100,  .idle_input_ns = 900},
        {.device = "0",             .wall_ns = 1000,                .compute_ns = 1000      },
        {.device = "1",             .wall_ns = 1000,                .compute_ns = 1000},
    };
    (void)state;

    made_analysis m;
    open_analysis(&m, rows, 4);
    assert_string_equal(diagnose(&m.all, m.arena).verdict.device, "0"); // a tie
    m.devices[1].busy_ns = 11;
    verdict_row v = diagnose(&m.all, m.arena).verdict;
    assert_string_equal(v.device, "1");
    assert_string_equal(v.verdict_class, "input");
    assert_int_equal(v.gain_ns, 450);
    arena_destroy(m.arena);
}

static void losses_are_findings_by_what_they_are_worth(void **state)
{
    const class_row row = {.device = "0",
                           .wall_ns = 1000,
                           .compute_ns = 501,
                           .idle_input_ns = 200,
                           .idle_sync_ns = 100,
                           .copy_ns = 50,
                           .communication_ns = 49,
                           .idle_host_ns = 100};
    static const char *const WANT[][2] = {
        {"input-bound",           "high"  },
        {"launch-bound",          "medium"},
        {"synchronization-bound", "medium"},
        {"copy-bound",            "low"   },
    };
    (void)state;

    made_analysis m;
    open_analysis(&m, &row, 1);
    const diagnosis got = diagnose(&m.all, m.arena);
    assert_int_equal(got.finding_count, ARRAY_LEN(WANT));
    for (uint32_t i = 0; i < got.finding_count; i++) {
        assert_string_equal(got.findings[i].rule, WANT[i][0]);
        assert_string_equal(got.findings[i].severity, WANT[i][1]);
        assert_non_null(strstr(got.findings[i].evidence, "complete step"));
    }
    arena_destroy(m.arena);
}

static void facts_make_findings_at_their_limits(void **state)
{
    const class_row row = {.device = "0", .wall_ns = 1000, .compute_ns = 1000};
    kernel_row by_operator[] = {
        {.name = "a",
         .operator_name = "aten::mm",
         .calls = 60,
         .total_ns = 49,
         .tensor_cores = TRISTATE_FALSE  },
        {.name = "b",
         .operator_name = "aten::mm",
         .calls = 40,
         .total_ns = 951,
         .tensor_cores = TRISTATE_UNKNOWN}
    };
    operator_row by_name[] = {
        {.name = "aten::mm", .tensor_core_eligible = TRISTATE_TRUE}
    };
    launch_row calls[] = {
        {.name = "cudaLaunchKernel", .short_kernels = 49}
    };
    (void)state;

    made_analysis m;
    open_analysis(&m, &row, 1);
    m.all.kernels.by_name = m.all.kernels.by_operator = (kernel_table){by_operator, 2};
    m.all.operators.by_name = (operator_table){by_name, 1};
    m.all.launches = (launches){.at = calls, .count = 1};
    m.devices[0].compute_capability = "8.0";
    m.devices[0].occupancy = 0.26;
    m.devices[0].utilization = 0.8;
    m.devices[0].sm_efficiency = 0.41;
    m.all.transfers = (transfers){.copies = 3, .pageable = 2, .pageable_ns = 9};
    diagnosis got = diagnose(&m.all, m.arena);
    assert_null(finding_of(&got, "tensor-cores-unused"));
    assert_null(finding_of(&got, "tiny-kernels"));
    assert_null(finding_of(&got, "low-occupancy"));
    assert_null(finding_of(&got, "small-grids"));
    assert_null(finding_of(&got, "pageable-copies"));

    by_operator[0].total_ns = 200, by_operator[1].total_ns = 800;
    calls[0].short_kernels = 50;
    m.devices[0].occupancy = 0.25;
    m.devices[0].sm_efficiency = 0.4;
    m.all.transfers.pageable_ns = 10;
    got = diagnose(&m.all, m.arena);
    const finding_row *f = finding_of(&got, "tensor-cores-unused");
    assert_non_null(f);
    assert_int_equal(f->gain_ns, 100); // half of a fifth of the compute time
    assert_string_equal(f->severity, "medium");
    assert_non_null(finding_of(&got, "tiny-kernels"));
    assert_string_equal(finding_of(&got, "low-occupancy")->severity, "info");
    assert_string_equal(finding_of(&got, "small-grids")->severity, "info");
    assert_string_equal(finding_of(&got, "pageable-copies")->severity, "low");

    m.devices[0].compute_capability = "6.1";
    got = diagnose(&m.all, m.arena);
    assert_null(finding_of(&got, "tensor-cores-unused"));
    arena_destroy(m.arena);
}

// A trace, and a finding with words that its evidence must hold; NULL words: no such finding.
typedef struct finding_case {
    const char *script, *rule, *words;
} finding_case;

static void check_findings(const finding_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        const analysis all = analysis_run(&m.worker, false, m.arena);
        const diagnosis got = diagnose(&all, m.arena);
        const finding_row *f = finding_of(&got, cases[i].rule);
        if (!f != !cases[i].words)
            fail_msg("case %zu: %s %s", i, cases[i].rule, f ? f->evidence : "is missing");
        if (f && !strstr(f->evidence, cases[i].words))
            fail_msg("case %zu: '%s' lacks '%s'", i, f->evidence, cases[i].words);
        if (f && !strncmp(cases[i].rule, "hot-", 4) && !strstr(f->evidence, f->subject))
            fail_msg("case %zu: '%s' is not about '%s'", i, f->evidence, f->subject);
        made_worker_close(&m);
    }
}

// clang-format off
static void what_a_recording_lacks_is_said(void **state)
{
    static const finding_case cases[] = {
        {"step 1 main 0 1000\nop a main 0 100\n"
         "call cudaLaunchKernel main 1 10 20\ncall cudaLaunchKernel main 2 20 30\n",
         "gpu-records-missing", "2 launches, 0 kernels"},
        {"step 1 main 0 1000\nop a main 0 100\ncall cudaLaunchKernel main 1 10 20\n"
         "meta INFO [\"no_permission\"]\n",
         "gpu-records-missing", "\"no_permission\""},
        {"step 1 main 0 1000\nop a main 0 100\ncall cudaLaunchKernel main 1 10 20\n"
         "kernel k 7 1 20 30\n",
         "gpu-records-missing", NULL},
        {"meta deviceProperties [{\"id\":0}]\nstep 1 main 0 1000\nop a main 0 100\n",
         "no-gpu-activity", "lists 1 GPU"},
        {"step 1 main 0 1000\nop a main 0 100\n", "no-gpu-activity", NULL},
        {"kernel k 7 - 0 100\nkernel k 7 - 200 300\n", "idle-cause-unknown", "33.3 %"},
    };
    (void)state;
    check_findings(cases, ARRAY_LEN(cases));
}

static void slow_steps_are_named_with_the_class_that_grew(void **state)
{
    static const finding_case cases[] = {
        {"step 1 main 0 100\nop a main 0 90\n"
         "step 2 main 100 200\nop a main 100 190\n"
         "step 3 main 200 350\nop a main 200 290\nloader X.__next__ main 290 345\n"
         "step 4 main 350 450\nop a main 350 440\n"
         "step 5 main 450 550\nop a main 450 540\n",
         "outlier-steps", "step 3: longer than 110 ns where the median of 5 steps is 100 ns, 50 ns "
                          "in all above it; what grew most in them is the class input"},
        {"step 1 main 0 100\nop a main 0 90\n", "outlier-steps", NULL},
    };
    (void)state;
    check_findings(cases, ARRAY_LEN(cases));
}

static void hot_spots_are_candidates(void **state)
{
    static const finding_case cases[] = {
        {"step 1 main 0 1000\nop a main 0 100\nop b main 100 150\n", "hot-operator",
         "a takes 66.7 % of the self time of all operators of the log, in 1 call: a candidate"},
        {"step 1 main 0 1000\nkernel k 7 - 0 100\nkernel l 7 - 100 150\n", "hot-kernel",
         "k takes 66.7 % of all kernel time of the log, in 1 call: a candidate"},
        {"step 1 main 0 1000\nkernel ncclKernel_AllReduce 7 - 0 100\nkernel l 7 - 100 150\n",
         "hot-kernel", "l takes 33.3 % of all kernel time"},
    };
    (void)state;
    check_findings(cases, ARRAY_LEN(cases));
}
// clang-format on

// As the program does where steps are asked for: tables of events are of these only.
static analysis analyse_first_step(made_worker *m)
{
    span part = m->spans[0];
    part.steps.count = 1;
    part.trace = step_trace(m->spans[0].trace, &part.steps, m->arena);
    const worker of_part = {.spans = &part, .span_count = 1};
    const analysis tables = analysis_run(&of_part, false, m->arena);
    analysis all = analysis_run(&m->worker, false, m->arena);

    analysis_narrow(&all, &tables);
    return all;
}

static void hot_spots_of_selected_steps_are_said_to_be_of_these(void **state)
{
    static const struct {
        const char *script, *rule, *words;
    } cases[] = {
        {"step 1 main 0 1000\nop a main 0 100\nstep 2 main 1000 2000\nop b main 1000 1900\n",
         "hot-operator",                                                                                    "a takes 100.0 % of the self time of all operators of the selected steps"},
        {"step 1 main 0 1000\nkernel k 7 - 0 100\nstep 2 main 1000 2000\n"
         "kernel l 7 - 1000 1900\n",                                                 "hot-kernel", "k takes 100.0 % of all kernel time of the selected steps, in 1 call"    },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        const analysis all = analyse_first_step(&m);
        const diagnosis got = diagnose(&all, m.arena);
        const finding_row *f = finding_of(&got, cases[i].rule);
        assert_non_null(f);
        if (!strstr(f->evidence, cases[i].words))
            fail_msg("case %zu: '%s' lacks '%s'", i, f->evidence, cases[i].words);
        made_worker_close(&m);
    }
}

static void counts_have_thousands_separators(void **state)
{
    static const struct {
        int64_t count;
        const char *words;
    } cases[] = {
        {0,       "0"        },
        {999,     "999"      },
        {1000,    "1,000"    },
        {10879,   "10,879"   },
        {1000002, "1,000,002"},
        {-12345,  "-12,345"  },
    };
    (void)state;

    arena *a = arena_create();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(wording_count(cases[i].count, a), cases[i].words);
    arena_destroy(a);
}

static void findings_do_not_vary(void **state)
{
    static const char *const SCRIPTS[] = {
        "step 1 main 0 1000\nop a main 0 100\nloader X.__next__ main 100 400\n"
        "call cudaLaunchKernel main 1 10 20\ncall cudaDeviceSynchronize main - 500 800\n"
        "kernel k 7 1 20 30\n"};
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 1);
    const analysis all = analysis_run(&m.worker, false, m.arena);
    const diagnosis first = diagnose(&all, m.arena), second = diagnose(&all, m.arena);
    assert_int_equal(first.finding_count, second.finding_count);
    assert_true(first.finding_count > 2);
    for (uint32_t i = 0; i < first.finding_count; i++)
        assert_string_equal(first.findings[i].rule, second.findings[i].rule);
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_is_the_largest_loss_else_compute_else_balanced),
        cmocka_unit_test(a_log_without_steps_is_unknown),
        cmocka_unit_test(the_device_with_most_work_is_judged_over_complete_steps),
        cmocka_unit_test(losses_are_findings_by_what_they_are_worth),
        cmocka_unit_test(facts_make_findings_at_their_limits),
        cmocka_unit_test(what_a_recording_lacks_is_said),
        cmocka_unit_test(slow_steps_are_named_with_the_class_that_grew),
        cmocka_unit_test(hot_spots_are_candidates),
        cmocka_unit_test(hot_spots_of_selected_steps_are_said_to_be_of_these),
        cmocka_unit_test(counts_have_thousands_separators),
        cmocka_unit_test(findings_do_not_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
