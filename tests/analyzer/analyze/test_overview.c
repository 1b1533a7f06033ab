// SPDX-License-Identifier: BSD-3-Clause
// Roles of a step, statistics of steps, figures of devices.
#include "support/cmocka_all.h"

#include "analyze/overview.h"
#include "support/made_worker.h"

#include <math.h>
#include <stdio.h>

typedef struct wanted_step {
    const char *step;
    int64_t begin, wall, kernel, memcpy, memset, communication, runtime, loader, cpu, other;
} wanted_step;

typedef struct role_case {
    const char *says, *script;
    wanted_step steps[2]; // up to the first without a name
} role_case;

static void check_step(const role_case *c, const overview_step *got, const wanted_step *want)
{
    const int64_t figures[][2] = {
        {got->begin_ns,         want->begin        },
        {got->wall_ns,          want->wall         },
        {got->kernel_ns,        want->kernel       },
        {got->memcpy_ns,        want->memcpy       },
        {got->memset_ns,        want->memset       },
        {got->communication_ns, want->communication},
        {got->runtime_ns,       want->runtime      },
        {got->data_loader_ns,   want->loader       },
        {got->cpu_exec_ns,      want->cpu          },
        {got->other_ns,         want->other        },
    };
    int64_t roles = 0;

    assert_string_equal(got->step, want->step);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        if (figures[i][0] != figures[i][1])
            fail_msg("%s: step %s: figure %zu is %lld, not %lld", c->says, got->step, i,
                     (long long)figures[i][0], (long long)figures[i][1]);
        roles += i >= 2 ? figures[i][0] : 0;
    }
    assert_int_equal(roles, got->wall_ns);
}

// clang-format off
static void roles_are_exclusive_and_add_up(void **state)
{
    static const role_case cases[] = {
        {"each role takes what those before it leave",
         "step 1 main 0 1000\n"
         "annotation all main 0 1000\n"
         "kernel k 7 - 100 200\n"
         "copy Memcpy_HtoD 7 - 150 300\n"
         "set Memset 8 - 250 320\n"
         "kernel ncclKernel_AllReduce 9 - 310 400\n"
         "call cudaStreamSynchronize main - 390 450\n"
         "loader X.__next__ main 440 520\n"
         "op a main 500 700\n",
         {{"1", 0, 1000, 100, 100, 20, 80, 50, 70, 180, 400}}},
        {"a kernel that fills the step leaves nothing to others",
         "step 1 main 0 100\n"
         "kernel k 7 - 0 100\n"
         "copy Memcpy_HtoD 8 - 20 50\n"
         "call cudaStreamSynchronize main - 0 20\n"
         "op a main 0 50\n",
         {{"1", 0, 100, 100, 0, 0, 0, 0, 0, 0, 0}}},
        {"steps of a host may overlap, and each counts its own",
         "step 1 left 0 100\n"
         "step 2 right 50 150\n"
         "op a left 20 120\n",
         {{"1", 0, 100, 0, 0, 0, 0, 0, 0, 80, 20}, {"2", 50, 100, 0, 0, 0, 0, 0, 0, 70, 30}}},
        {"a collective on the host communicates",
         "step 1 main 0 100\n"
         "annotation gloo:all_reduce other 10 60\n"
         "op a main 0 30\n",
         {{"1", 0, 100, 0, 0, 0, 50, 0, 0, 10, 40}}},
        {"a collective of the device only launches there",
         "step 1 main 0 100\n"
         "annotation nccl:all_reduce main 10 60\n"
         "op a main 0 30\n"
         "kernel ncclKernel_AllReduce 9 - 40 50\n",
         {{"1", 0, 100, 0, 0, 0, 10, 0, 0, 30, 60}}},
        {"gloo communicates on the host of a device, too",
         "step 1 main 0 100\n"
         "annotation gloo:all_reduce main 10 60\n"
         "kernel k 9 - 40 50\n",
         {{"1", 0, 100, 10, 0, 0, 40, 0, 0, 0, 50}}},
        {"the window ends with the work that the step launched",
         "step 1 main 0 100\n"
         "step 2 main 100 200\n"
         "call cudaLaunchKernel main 1 10 20\n"
         "kernel k 7 1 50 150\n",
         {{"1", 0, 150, 100, 0, 0, 0, 10, 0, 0, 40}, {"2", 150, 50, 0, 0, 0, 0, 0, 0, 0, 50}}},
        {"a log without marks is one step",
         "op a main 20 120\n"
         "kernel k 7 - 100 220\n",
         {{"all", 20, 200, 120, 0, 0, 0, 0, 0, 80, 0}}},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        const overview got = overview_analyze(&m.worker, m.arena);
        uint32_t count = 0;
        while (count < 2 && cases[i].steps[count].step)
            count++;
        assert_int_equal(got.step_count, count);
        for (uint32_t s = 0; s < count; s++)
            check_step(&cases[i], &got.steps[s], &cases[i].steps[s]);
        made_worker_close(&m);
    }
}
// clang-format on

// A log of steps of these lengths, one after the other, up to a 0.
static void write_steps(char *script, size_t size, const int64_t *walls)
{
    int64_t begin = 0;
    size_t used = 0;

    for (int i = 0; walls[i]; i++) {
        used += (size_t)snprintf(script + used, size - used, "step %d main %lld %lld\n", i + 1,
                                 (long long)begin, (long long)(begin + walls[i]));
        begin += walls[i];
    }
}

static void steps_that_stand_out_are_named(void **state)
{
    static const struct {
        const char *says;
        int64_t walls[12];
        const char *outliers[3];
        int64_t over; // INT_NONE: too few steps
    } cases[] = {
        {"a tenth above the median is the least", {100, 100, 100, 100, 111},           {"5"},      110     },
        {"exactly a tenth is not above it",       {100, 100, 100, 100, 110},           {NULL},     110     },
        {"a wide spread forgives more",
         {80, 90, 100, 110, 120, 140},
         {NULL},
         171                                                                                               }, // 105 + 4.4478 * 15
        {"too few steps",                         {100, 100, 100, 900},                {NULL},     INT_NONE},
        {"several, in order of time",             {300, 100, 100, 100, 100, 100, 200}, {"1", "7"}, 110     },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char script[1024];
        write_steps(script, sizeof(script), cases[i].walls);
        const char *scripts[] = {script};
        made_worker m;
        made_worker_open(&m, scripts, 1);
        const step_statistics got = overview_analyze(&m.worker, m.arena).statistics;
        uint32_t count = 0;
        for (; cases[i].outliers[count]; count++) {
            if (count >= got.outliers.count)
                fail_msg("%s: %u outliers", cases[i].says, got.outliers.count);
            assert_string_equal(got.outliers.at[count], cases[i].outliers[count]);
        }
        assert_int_equal(got.outliers.count, count);
        assert_int_equal(got.outlier_over_ns, cases[i].over);
        assert_int_equal(got.outlier_note != NULL, cases[i].over == INT_NONE);
        made_worker_close(&m);
    }
}

static void statistics_go_over_all_spans(void **state)
{
    static const char *const SCRIPTS[] = {
        "meta environment {\"batch_size\":32}\nstep 1 main 0 1000\nop a main 0 100\n",
        "step 2 main 0 3000\nop a main 0 100\n",
        "step 3 main 0 2000\nop a main 0 100\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 3);
    const overview got = overview_analyze(&m.worker, m.arena);
    const step_statistics *s = &got.statistics;
    assert_int_equal(got.step_count, 3);
    assert_string_equal(got.steps[2].span, "3");
    assert_int_equal(s->count, 3);
    assert_int_equal(s->mean_ns, 2000);
    assert_int_equal(s->median_ns, 2000);
    assert_int_equal(s->p95_ns, 3000);
    assert_int_equal(s->min_ns, 1000);
    assert_int_equal(s->max_ns, 3000);
    assert_int_equal(s->stdev_ns, 1000);
    assert_float_equal(s->throughput_per_s, 16e6, 1); // 32 in 2 us
    made_worker_close(&m);
}

static void an_empty_log_has_no_statistics(void **state)
{
    static const char *const SCRIPTS[] = {""};
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 0);
    const overview got = overview_analyze(&m.worker, m.arena);
    assert_int_equal(got.step_count, 0);
    assert_int_equal(got.device_count, 0);
    assert_int_equal(got.statistics.mean_ns, INT_NONE);
    assert_true(isnan(got.statistics.throughput_per_s));
    made_worker_close(&m);
}

// Unknown shares stand as -1.
typedef struct wanted_device {
    const char *device;
    int64_t busy, kernel;
    double utilization, sm_efficiency, occupancy, tensor_share;
} wanted_device;

static void check_share(const char *says, double got, double want)
{
    if (want < 0 ? !isnan(got) : !(fabs(got - want) < 1e-9))
        fail_msg("%s: %g, not %g", says, got, want);
}

// clang-format off
static void devices_have_their_figures(void **state)
{
    static const struct {
        const char *says, *script;
        wanted_device devices[2];
    } cases[] = {
        {"unions, not sums",
         "step 1 main 0 400\n"
         "kernel a 7 - 100 200\n"
         "kernel b 7 - 180 260\n"
         "kernel c 8 - 190 200\n"
         "copy Memcpy_HtoD 9 - 250 300\n",
         {{"0", 200, 160, 0.4, -1, -1, 0}}},
        {"devices are apart, and numbers order them",
         "step 1 main 0 1000\n"
         "kernel k 10:7 - 0 300\n"
         "copy Memcpy_PtoP 10:7 - 300 340\n"
         "kernel k 9:7 - 0 100\n",
         {{"9", 100, 100, 0.1, -1, -1, 0}, {"10", 340, 300, 0.3, -1, -1, 0}}},
        {"shares are of the steps, busy times of the log",
         "step 1 main 100 200\n"
         "op a main 0 300\n"
         "kernel k 7 - 50 150 0.5 40\n"
         "kernel k 7 - 190 250 0.2 80\n",
         // sm: (50 * 0.5 + 10 * 0.2) / 100; occupancy: (50 * 40 + 10 * 80) / 60
         {{"0", 160, 160, 0.6, 0.27, 2800.0 / 6000, 0}}},
        {"full multiprocessors are no more than full",
         "step 1 main 0 100\n"
         "kernel a 7 - 0 50 0.75 -1\n"
         "kernel b 8 - 25 75 0.5 50\n"
         "kernel c 9 - 80 90 -1 25\n",
         // 25 * 0.75 + 25 * 1 + 25 * 0.5; occupancy: (50 * 50 + 10 * 25) / 60
         {{"0", 85, 85, 0.85, 0.5625, 2750.0 / 6000, 0}}},
        {"matrix kernels among those that compute",
         "step 1 main 0 1000\n"
         "kernel ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn 7 - 0 300\n"
         "kernel elementwise_kernel 7 - 300 400\n"
         "kernel ncclKernel_AllReduce 8 - 400 800\n",
         {{"0", 800, 800, 0.8, -1, -1, 0.75}}},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        made_worker m;
        made_worker_open(&m, &cases[i].script, 1);
        const overview got = overview_analyze(&m.worker, m.arena);
        for (uint32_t d = 0; d < 2 && cases[i].devices[d].device; d++) {
            const wanted_device *want = &cases[i].devices[d];
            assert_true(d < got.device_count);
            const overview_device *row = &got.devices[d];
            assert_string_equal(row->device, want->device);
            assert_int_equal(row->busy_ns, want->busy);
            assert_int_equal(row->kernel_ns, want->kernel);
            check_share(cases[i].says, row->utilization, want->utilization);
            check_share(cases[i].says, row->sm_efficiency, want->sm_efficiency);
            check_share(cases[i].says, row->occupancy, want->occupancy);
            check_share(cases[i].says, row->tensor_core_share, want->tensor_share);
        }
        made_worker_close(&m);
    }
}
// clang-format on

static void a_device_is_one_over_all_spans(void **state)
{
    static const char *const SCRIPTS[] = {
        "step 1 main 0 100\nkernel k 3:7 - 0 50\n",
        "step 2 main 0 300\nkernel k 0:7 - 0 30\nkernel k 3:7 - 100 200\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 2);
    const overview got = overview_analyze(&m.worker, m.arena);
    assert_int_equal(got.device_count, 2);
    assert_string_equal(got.devices[0].device, "0");
    assert_string_equal(got.devices[1].device, "3");
    assert_int_equal(got.devices[1].busy_ns, 150);
    check_share("of both spans' steps", got.devices[1].utilization, 150.0 / 400);
    check_share("of both spans' steps", got.devices[0].utilization, 30.0 / 400);
    made_worker_close(&m);
}

static void listed_devices_without_work_have_no_figures(void **state)
{
    static const char *const SCRIPTS[] = {
        "meta deviceProperties [{\"id\":0,\"name\":\"GPU\",\"totalGlobalMem\":1000,\"numSms\":10,"
        "\"computeMajor\":9,\"computeMinor\":0}]\n"
        "step 1 main 0 100\nop a main 0 10\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 1);
    const overview got = overview_analyze(&m.worker, m.arena);
    assert_int_equal(got.device_count, 1);
    assert_string_equal(got.devices[0].name, "GPU");
    assert_string_equal(got.devices[0].compute_capability, "9.0");
    assert_int_equal(got.devices[0].memory_bytes, 1000);
    assert_int_equal(got.devices[0].sm_count, 10);
    assert_int_equal(got.devices[0].busy_ns, INT_NONE);
    assert_true(isnan(got.devices[0].utilization));
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_are_exclusive_and_add_up),
        cmocka_unit_test(steps_that_stand_out_are_named),
        cmocka_unit_test(statistics_go_over_all_spans),
        cmocka_unit_test(an_empty_log_has_no_statistics),
        cmocka_unit_test(devices_have_their_figures),
        cmocka_unit_test(a_device_is_one_over_all_spans),
        cmocka_unit_test(listed_devices_without_work_have_no_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
