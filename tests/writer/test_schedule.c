// SPDX-License-Identifier: BSD-3-Clause
// Which steps are recorded, and what the profiler does between two of them.
#include "support/cmocka_all.h"

#include "schedule.h"

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// One letter a step: . nothing, w warm up, r record, S record and save.
static void actions_follow_the_schedule(void **state)
{
    static const struct {
        tprof_schedule schedule;
        const char *actions;
    } cases[] = {
        {{.active = 1},                                                                "SSSS"            },
        {{.active = 3},                                                                "rrSrrS"          },
        {{.wait = 1, .active = 1},                                                     ".S.S"            },
        {{.wait = 1, .warmup = 1, .active = 2},                                        ".wrS.wrS"        },
        {{.wait = 1, .warmup = 1, .active = 2, .repeat = 1},                           ".wrS...."        },
        {{.wait = 1, .warmup = 1, .active = 3, .repeat = 2},                           ".wrrS.wrrS......"},
        {{.skip_first = 2, .warmup = 1, .active = 1},                                  "..wSwS"          },
        {{.skip_first = 2, .wait = 3, .warmup = 1, .active = 2, .skip_first_wait = 1},
         "..wrS...wrS...wrS"                                                                             },
 // The shift holds for all cycles, so with repeat only the first one is shorter.
        {{.wait = 2, .warmup = 1, .active = 1, .repeat = 2, .skip_first_wait = -1},    "wS..wS......"    },
        {{.skip_first_wait = 1, .active = 2, .repeat = 1},                             "rS...."          },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (int64_t step = 0; cases[i].actions[step]; step++)
            assert_int_equal(".wrS"[tprof_schedule_action(&cases[i].schedule, step)],
                             cases[i].actions[step]);
}

static void large_numbers_do_not_overflow(void **state)
{
    const tprof_schedule schedule = {.skip_first = INT32_MAX,
                                     .wait = INT32_MAX,
                                     .warmup = INT32_MAX,
                                     .active = INT32_MAX,
                                     .repeat = 5};
    (void)state;

    assert_int_equal(tprof_schedule_action(&schedule, INT32_MAX), TPROF_ACTION_NONE);
    assert_int_equal(tprof_schedule_action(&schedule, 2 * (int64_t)INT32_MAX), TPROF_ACTION_WARMUP);
    assert_int_equal(tprof_schedule_action(&schedule, INT64_MAX), TPROF_ACTION_NONE);

    // Cycles of 7 steps, and 2^63 - 1 is a multiple of 7: the last step has the place of step 0.
    const tprof_schedule shifted = {.wait = 3, .warmup = 2, .active = 2, .skip_first_wait = 1};
    assert_int_equal(tprof_schedule_action(&shifted, 0), TPROF_ACTION_WARMUP);
    assert_int_equal(tprof_schedule_action(&shifted, INT64_MAX), TPROF_ACTION_WARMUP);
    assert_int_equal(tprof_schedule_action(&shifted, INT64_MIN), TPROF_ACTION_NONE);
}

static void without_a_usable_schedule_there_is_an_answer_too(void **state)
{
    static const struct {
        tprof_schedule schedule;
        tprof_action action;
    } cases[] = {
        {{0},                                            TPROF_ACTION_RECORD},
        {{.repeat = 1},                                  TPROF_ACTION_NONE  },
        {{.wait = 1, .active = -1},                      TPROF_ACTION_NONE  },
        {{.skip_first = INT32_MIN, .active = 1},         TPROF_ACTION_NONE  },
        {{.wait = -1, .warmup = INT32_MIN, .active = 1}, TPROF_ACTION_NONE  },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(tprof_schedule_action(&cases[i].schedule, 3), cases[i].action);
        assert_int_equal(tprof_schedule_action(&cases[i].schedule, INT64_MAX), cases[i].action);
    }
}

static void impossible_schedules_are_refused(void **state)
{
    static const struct {
        tprof_schedule schedule;
        bool valid;
    } cases[] = {
        {{0},                                  true },
        {{.active = 1},                        true },
        {{.wait = 1},                          false},
        {{.skip_first_wait = 1},               false},
        {{.active = -1},                       false},
        {{.active = 1, .wait = -1},            false},
        {{.active = 1, .warmup = -1},          false},
        {{.active = 1, .repeat = -1},          false},
        {{.active = 1, .skip_first = -1},      false},
        {{.active = 1, .skip_first_wait = -7}, true },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(tp_schedule_valid(&cases[i].schedule), cases[i].valid);
}

// What happens between two actions, as torch.profiler's table has it: s stop, R ready, p prepare, b
// begin, c cancel.
static void transitions_are_those_of_torch(void **state)
{
    static const char *const table[4][5] = {
        {"",   "p",   "pb",   "pb",   ""  },
        {"c",  "",    "b",    "b",    "c" },
        {"s",  "s",   "",     "",     "sR"},
        {"sR", "sRp", "sRpb", "sRpb", "sR"},
    };
    (void)state;

    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 5; to++) {
            const tprof_action next = (tprof_action)(to & 3);
            const unsigned bits = tp_schedule_transition((tprof_action)from, to < 4 ? &next : NULL);
            char text[6] = "";
            for (int bit = 0, at = 0; bit < 5; bit++)
                if (bits & (1u << bit))
                    text[at++] = "sRpbc"[bit];
            assert_string_equal(text, table[from][to]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_follow_the_schedule),
        cmocka_unit_test(large_numbers_do_not_overflow),
        cmocka_unit_test(without_a_usable_schedule_there_is_an_answer_too),
        cmocka_unit_test(impossible_schedules_are_refused),
        cmocka_unit_test(transitions_are_those_of_torch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
