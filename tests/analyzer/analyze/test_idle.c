// SPDX-License-Identifier: BSD-3-Clause
// The classes of a step: tables of tiny traces, each with the rows that it must give.
#include "support/cmocka_all.h"

#include "analyze/idle.h"
#include "link/link.h"
#include "support/made_worker.h"
#include "support/trace_builder.h"

#include <stdio.h>

enum { ROWS = 4 };

typedef struct wanted_row {
    const char *step, *device;
    int64_t wall, compute, communication, copy;
    int64_t input, sync, idle_copy, alloc, launch, host, on_device, unknown;
} wanted_row;

typedef struct idle_case {
    const char *says, *script;
    wanted_row rows[ROWS]; // up to the first without a step
} idle_case;

static void check_int(const idle_case *c, const class_row *row, const char *column, int64_t got,
                      int64_t want)
{
    if (got != want)
        fail_msg("%s: step %s, device %s: %s is %lld, not %lld", c->says, row->step, row->device,
                 column, (long long)got, (long long)want);
}

static void check_row(const idle_case *c, const class_row *row, const wanted_row *want)
{
    assert_string_equal(row->step, want->step);
    assert_string_equal(row->device, want->device);
    check_int(c, row, "wall", row->wall_ns, want->wall);
    check_int(c, row, "compute", row->compute_ns, want->compute);
    check_int(c, row, "communication", row->communication_ns, want->communication);
    check_int(c, row, "copy", row->copy_ns, want->copy);
    check_int(c, row, "idle_input", row->idle_input_ns, want->input);
    check_int(c, row, "idle_sync", row->idle_sync_ns, want->sync);
    check_int(c, row, "idle_copy", row->idle_copy_ns, want->idle_copy);
    check_int(c, row, "idle_alloc", row->idle_alloc_ns, want->alloc);
    check_int(c, row, "idle_launch", row->idle_launch_ns, want->launch);
    check_int(c, row, "idle_host", row->idle_host_ns, want->host);
    check_int(c, row, "idle_device", row->idle_device_ns, want->on_device);
    check_int(c, row, "idle_unknown", row->idle_unknown_ns, want->unknown);
    check_int(c, row, "sum",
              row->compute_ns + row->communication_ns + row->copy_ns + row->idle_input_ns +
                  row->idle_sync_ns + row->idle_copy_ns + row->idle_alloc_ns + row->idle_launch_ns +
                  row->idle_host_ns + row->idle_device_ns + row->idle_unknown_ns,
              row->wall_ns);
}

static void check(const idle_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const idle_case *c = &cases[i];
        made_worker m;
        made_worker_open(&m, &c->script, 1);
        const class_table got = classes_analyze(&m.worker, m.arena);
        uint32_t rows = 0;
        while (rows < ROWS && c->rows[rows].step)
            rows++;
        if (got.count != rows)
            fail_msg("%s: %u rows, not %u", c->says, got.count, rows);
        for (uint32_t r = 0; r < rows; r++)
            check_row(c, &got.at[r], &c->rows[r]);
        made_worker_close(&m);
    }
}

// clang-format off
static void idle_time_has_the_cause_that_the_launching_thread_shows(void **state)
{
    static const idle_case cases[] = {
        {"before the launch has returned the host is late, then the device waits",
         "step 1 main 0 1000\n"
         "op aten::mm main 100 300\n"
         "call cudaLaunchKernel main 1 150 160\n"
         "kernel gemm 7 1 400 600\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 200, .launch = 60, .host = 500,
           .on_device = 240}}},
        {"each cause in a gap",
         "step 1 main 0 1000\n"
         "loader X.__next__ main 0 100\n"
         "call cudaDeviceSynchronize main - 100 200\n"
         "call cudaMemcpy main - 200 300\n"
         "call cudaMalloc main - 300 400\n"
         "op a main 400 500\n"
         "call cudaLaunchKernel main 1 480 500\n"
         "kernel k 7 1 600 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 400, .input = 100, .sync = 100,
           .idle_copy = 100, .alloc = 100, .launch = 100, .on_device = 100}}},
        {"the call inside an operator tells more than the operator",
         "step 1 main 0 1000\n"
         "op a main 0 500\n"
         "call cudaStreamSynchronize main - 100 300\n"
         "call cudaMemcpy main - 200 350\n"
         "call cudaLaunchKernel main 1 400 500\n"
         "kernel k 7 1 500 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 500, .sync = 200, .idle_copy = 50,
           .launch = 250}}},
        {"where the launching thread is in nothing, the step's thread is asked",
         "step 1 main 0 1000\n"
         "loader X.__next__ main 0 200\n"
         "op backward autograd 300 400\n"
         "call cudaLaunchKernel autograd 1 350 360\n"
         "kernel k 7 1 500 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 500, .input = 200, .launch = 60,
           .host = 100, .on_device = 140}}},
        {"an annotation is no cause, and neither is a Python function",
         "step 1 main 0 1000\n"
         "annotation forward main 0 300\n"
         "python f main 0 300\n"
         "call cudaLaunchKernel main 1 290 300\n"
         "kernel k 7 1 300 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 700, .launch = 10, .host = 290}}},
        {"without a launch record the cause is unknown",
         "step 1 main 0 1000\n"
         "op a main 0 500\n"
         "call cudaLaunchKernel main 9 10 20\n"
         "kernel other 8 9 20 30\n"
         "kernel k 7 - 500 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 510, .launch = 20,
           .unknown = 470}}},
        {"after the last work the step's thread is asked",
         "step 1 main 0 1000\n"
         "call cudaLaunchKernel main 1 0 10\n"
         "kernel k 7 1 10 400\n"
         "loader X.__next__ main 500 700\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 390, .input = 200, .launch = 10,
           .host = 400}}},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void the_work_that_ends_a_gap_is_found(void **state)
{
    static const idle_case cases[] = {
        {"work without duration ends no gap",
         "step 1 main 0 1000\n"
         "call cudaLaunchKernel main 1 190 200\n"
         "kernel empty 7 - 100 100\n"
         "kernel k 7 1 200 1000\n",
         {{.step = "1", .device = "0", .wall = 1000, .compute = 800, .launch = 10, .host = 190}}},
        {"of several the one on the lowest stream, as a number",
         "step 1 main 0 600\n"
         "call cudaLaunchKernel main 1 90 100\n"
         "call cudaLaunchKernel main 2 190 200\n"
         "kernel a 13 1 300 600\n"
         "kernel b 7 2 300 400\n",
         {{.step = "1", .device = "0", .wall = 600, .compute = 300, .launch = 20, .host = 180,
           .on_device = 100}}},
        {"it may begin in a later step",
         "step 1 main 0 100\n"
         "step 2 main 100 200\n"
         "call cudaLaunchKernel main 1 150 160\n"
         "kernel k 7 1 170 200\n",
         {{.step = "1", .device = "0", .wall = 100, .host = 100},
          {.step = "2", .device = "0", .wall = 100, .compute = 30, .launch = 10, .host = 50,
           .on_device = 10}}},
        {"overlapping work of one stream leaves no gap between",
         "step 1 main 0 400\n"
         "call cudaLaunchKernel main 1 10 20\n"
         "call cudaLaunchKernel main 2 20 30\n"
         "call cudaLaunchKernel main 3 30 40\n"
         "kernel a 7 1 100 200\n"
         "kernel b 7 2 180 260\n"
         "kernel c 7 3 260 300\n",
         {{.step = "1", .device = "0", .wall = 400, .compute = 200, .launch = 10, .host = 110,
           .on_device = 80}}},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void busy_time_goes_to_compute_before_communication_before_copies(void **state)
{
    static const idle_case cases[] = {
        {"only what is not hidden counts",
         "step 1 main 0 500\n"
         "kernel ncclDevKernel_AllReduce 20 - 100 300\n"
         "kernel gemm 7 - 200 400\n"
         "copy Memcpy_HtoD 7 - 350 500\n",
         {{.step = "1", .device = "0", .wall = 500, .compute = 200, .communication = 100,
           .copy = 100, .unknown = 100}}},
        {"a tail belongs to the step that launched it",
         "step 1 main 0 100\n"
         "step 2 main 100 200\n"
         "call cudaLaunchKernel main 1 10 20\n"
         "kernel k 7 1 50 150\n",
         {{.step = "1", .device = "0", .wall = 150, .compute = 100, .launch = 10, .host = 10,
           .on_device = 30},
          {.step = "2", .device = "0", .wall = 50, .host = 50}}},
        {"each device has rows, in order of its number",
         "step 1 main 0 100\n"
         "step 2 main 100 200\n"
         "call cudaLaunchKernel main 1 0 10\n"
         "call cudaLaunchKernel main 2 10 20\n"
         "kernel a 10:7 1 10 100\n"
         "kernel b 9:7 2 20 50\n",
         {{.step = "1", .device = "9", .wall = 100, .compute = 30, .launch = 20, .host = 50},
          {.step = "1", .device = "10", .wall = 100, .compute = 90, .launch = 10},
          {.step = "2", .device = "9", .wall = 100, .host = 100},
          {.step = "2", .device = "10", .wall = 100, .host = 100}}},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}

static void a_log_without_device_work_is_judged_on_the_host(void **state)
{
    static const idle_case cases[] = {
        {"the step's wait for its loader, then operators, collectives, waits",
         "step 1 main 0 1000\n"
         "loader X.__next__ main 0 200\n"
         "op collate main 50 100\n"
         "op aten::mm main 200 500\n"
         "op background other 100 250\n"
         "annotation gloo:all_reduce comm 450 700\n"
         "call cudaDeviceSynchronize main - 700 800\n",
         {{.step = "1", .device = "host", .wall = 1000, .compute = 300, .communication = 200,
           .input = 200, .sync = 100, .host = 200}}},
        {"a loader's operators are no compute on any thread",
         "step 1 main 0 100\n"
         "loader X.__next__ worker 0 50\n"
         "op collate worker 10 40\n"
         "op y worker 60 70\n",
         {{.step = "1", .device = "host", .wall = 100, .compute = 10, .host = 90}}},
        {"an operator around a loader is compute outside of it",
         "step 1 main 0 100\n"
         "op around worker 0 100\n"
         "loader X.__next__ worker 20 60\n",
         {{.step = "1", .device = "host", .wall = 100, .compute = 60, .host = 40}}},
        {"without marks any thread's loader counts",
         "op a main 0 100\n"
         "loader X.__next__ worker 20 60\n",
         {{.step = "all", .device = "host", .wall = 100, .compute = 60, .input = 40}}},
        {"steps of two threads at once each have their own",
         "step 1 left 0 100\n"
         "step 2 right 50 150\n"
         "loader X.__next__ left 40 80\n"
         "op a right 60 120\n",
         {{.step = "1", .device = "host", .wall = 100, .compute = 20, .input = 40, .host = 40},
          {.step = "2", .device = "host", .wall = 100, .compute = 60, .host = 40}}},
    };
    (void)state;
    check(cases, ARRAY_LEN(cases));
}
// clang-format on

// Steps inside each other, each with a loader mark, on as many threads: looking at each step's
// events anew would take hours.
static void many_steps_and_devices_take_linear_time(void **state)
{
    enum { MANY = 20000 };
    (void)state;

    for (int on_device = 0; on_device <= 1; on_device++) {
        trace_builder *b = trace_builder_create();
        for (int i = 0; i < MANY; i++) {
            char id[16];
            snprintf(id, sizeof(id), "%d", i);
            const char *thread = i % 2 ? "main" : id;
            made_step(b, i, thread, i, 4 * MANY - i);
            made_annotation(b, "enumerate(DataLoader)#x.__next__", thread, 2 * MANY + i,
                            2 * MANY + i + 1);
            made_op(b, "a", thread, i, 4 * MANY - i);
            if (on_device)
                trace_builder_add(b, (made_event){.category = "kernel",
                                                  .name = "k",
                                                  .process = id,
                                                  .device = id,
                                                  .stream = "7",
                                                  .begin = i,
                                                  .duration = 4 * MANY - 2 * i});
        }
        made_worker m = {.arena = arena_create()};
        trace *t = trace_builder_trace(b);
        trace_link(t, false);
        m.spans[0] = (span){.trace = t, .name = "1", .steps = steps_of(t, m.arena)};
        m.worker = (worker){.spans = m.spans, .span_count = 1};
        const class_table got = classes_analyze(&m.worker, m.arena);
        assert_int_equal(got.count % MANY, 0);
        assert_true(got.count <= 1 << 20);
        assert_int_equal(got.devices_left_out, on_device ? MANY - got.count / MANY : 0);
        made_worker_close(&m);
        trace_builder_destroy(b);
    }
}

static void spans_stand_one_after_the_other(void **state)
{
    static const char *const SCRIPTS[] = {
        "step 1 main 0 100\nop a main 0 40\n",
        "step 2 main 0 100\nop a main 0 70\n",
    };
    (void)state;

    made_worker m;
    made_worker_open(&m, SCRIPTS, 2);
    const class_table got = classes_analyze(&m.worker, m.arena);
    assert_int_equal(got.count, 2);
    assert_string_equal(got.at[0].span, "1");
    assert_string_equal(got.at[1].span, "2");
    assert_int_equal(got.at[0].compute_ns, 40);
    assert_int_equal(got.at[1].compute_ns, 70);
    made_worker_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_time_has_the_cause_that_the_launching_thread_shows),
        cmocka_unit_test(the_work_that_ends_a_gap_is_found),
        cmocka_unit_test(busy_time_goes_to_compute_before_communication_before_copies),
        cmocka_unit_test(a_log_without_device_work_is_judged_on_the_host),
        cmocka_unit_test(many_steps_and_devices_take_linear_time),
        cmocka_unit_test(spans_stand_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
