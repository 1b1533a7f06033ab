// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "support/trace_builder.h"
#include "timeline/busy.h"

static trace *make(void)
{
    trace_builder *b = trace_builder_create();
    made_op(b, "enumerate(DataLoader)#x", "1", 0, 10);
    made_op(b, "aten::mm", "1", 20, 60);
    made_op(b, "aten::t", "1", 30, 40);
    made_op(b, "aten::mm", "2", 50, 70);
    made_kernel(b, "gemm", "7", NULL, 100, 150);
    made_kernel(b, "ncclAllReduce", "20", NULL, 140, 200);
    made_copy(b, "Memcpy DtoH", "7", NULL, 190, 220);
    trace_builder_add(b, (made_event){.category = "kernel",
                                      .name = "gemm",
                                      .device = "1",
                                      .stream = "7",
                                      .begin = 300,
                                      .duration = 10});
    trace *t = trace_builder_trace(b);
    trace_builder_destroy(b);
    return t;
}

static void events_that_count_are_joined(void **state)
{
    static const struct {
        busy_query query;
        uint32_t intervals;
        int64_t total;
    } cases[] = {
        {{BUSY_WORK, 0, 0, 0, BUSY_ANY},                                 1, 120},
        {{BUSY_WORK, 0, 0, 1, BUSY_ANY},                                 1, 10 },
        {{BUSY_WORK, 0, 0, BUSY_ANY, BUSY_ANY},                          2, 130},
        {{BUSY_COPIES, 0, 0, BUSY_ANY, BUSY_ANY},                        1, 30 },
        {{BUSY_ROLE(ROLE_KERNEL), 0, NAME_COMMUNICATION, 0, BUSY_ANY},   1, 50 },
        {{BUSY_ROLE(ROLE_KERNEL), NAME_COMMUNICATION, 0, 0, BUSY_ANY},   1, 60 },
        {{BUSY_ROLE(ROLE_OPERATOR), 0, 0, BUSY_ANY, BUSY_ANY},           2, 60 },
        {{BUSY_ROLE(ROLE_OPERATOR), 0, NAME_LOADER, BUSY_ANY, BUSY_ANY}, 1, 50 },
        {{BUSY_ROLE(ROLE_OPERATOR), 0, 0, BUSY_ANY, 1},                  1, 20 },
        {{BUSY_CALLS, 0, 0, BUSY_ANY, BUSY_ANY},                         0, 0  },
    };
    (void)state;
    trace *t = make();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const interval_set busy = busy_intervals(t, &cases[i].query, t->arena);
        assert_int_equal(busy.count, cases[i].intervals);
        assert_int_equal(intervals_total(busy), cases[i].total);
    }
    trace_destroy(t);
}

static void each_lane_has_a_set_of_its_own(void **state)
{
    (void)state;
    trace *t = make();
    const busy_query query = {UINT32_MAX, 0, 0, BUSY_ANY, BUSY_ANY};
    const interval_set *busy = busy_by_lane(t, &query, t->arena);

    for (uint32_t on = 0; on < t->lane_count; on++) {
        busy_query one = query;
        one.lane = on;
        const interval_set expected = busy_intervals(t, &one, t->arena);
        assert_int_equal(busy[on].count, expected.count);
        assert_memory_equal(busy[on].at, expected.at, sizeof(interval) * expected.count);
    }
    trace_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_that_count_are_joined),
        cmocka_unit_test(each_lane_has_a_set_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
