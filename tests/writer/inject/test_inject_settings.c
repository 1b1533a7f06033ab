// SPDX-License-Identifier: BSD-3-Clause
// The settings of the injection, read from a made-up environment.
#include "inject/inject_settings.h"

#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

typedef struct variable {
    const char *name, *value;
} variable;

enum { MOST = 4 };

static const variable *given;

static const char *get(const char *name)
{
    for (int i = 0; i < MOST && given[i].name; i++)
        if (strcmp(given[i].name, name) == 0)
            return given[i].value;
    return NULL;
}

static bool read_these(const variable variables[MOST], tp_inject_settings *settings, char why[256])
{
    given = variables;
    why[0] = '\0';
    return tp_inject_settings_read(get, settings, why, 256);
}

static void without_settings_all_is_recorded_into_log(void **state)
{
    static const variable none[MOST] = {{0}};
    tp_inject_settings s;
    char why[256];
    (void)state;

    assert_true(read_these(none, &s, why));
    assert_string_equal(s.dir, "./log");
    assert_null(s.worker);
    assert_null(s.step);
    assert_int_equal(s.schedule.active, 0);
    assert_int_equal(s.files, TPROF_FILE_PER_WINDOW);
    assert_false(s.plain);
    assert_int_equal(s.activities, 0);
}

static void each_setting_is_taken(void **state)
{
    static const variable first[MOST] = {
        {"TPROF_LOG_DIR",  "/tmp/x"                           },
        {"TPROF_STEP",     "train:step"                       },
        {"TPROF_SCHEDULE", "wait=1,warmup=2,active=3,repeat=4"},
        {"TPROF_FILES",    "step"                             }
    };
    static const variable second[MOST] = {
        {"TPROF_DELAY",      "1.5"},
        {"TPROF_DURATION",   "10" },
        {"TPROF_GZIP",       "0"  },
        {"TPROF_ACTIVITIES", "cpu"}
    };
    tp_inject_settings s;
    char why[256];
    (void)state;

    assert_true(read_these(first, &s, why));
    assert_string_equal(s.dir, "/tmp/x");
    assert_string_equal(s.step, "train:step");
    assert_int_equal(s.schedule.wait, 1);
    assert_int_equal(s.schedule.warmup, 2);
    assert_int_equal(s.schedule.active, 3);
    assert_int_equal(s.schedule.repeat, 4);
    assert_int_equal(s.schedule.skip_first, 0);
    assert_int_equal(s.files, TPROF_FILE_PER_STEP);

    assert_true(read_these(second, &s, why));
    assert_true(s.delay_s > 1.49 && s.delay_s < 1.51);
    assert_true(s.duration_s > 9.9 && s.duration_s < 10.1);
    assert_true(s.plain);
    assert_int_equal(s.activities, TPROF_CPU);
}

// glibc's tool makes the locale where its sources are; other systems may have it ready.
static bool has_decimal_comma(const char *folder)
{
    char command[1024];
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return true;
    snprintf(command, sizeof(command), "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' 2>&1", folder);
    return system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
           setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

static void seconds_have_a_point_in_any_locale(void **state)
{
    static const variable times[MOST] = {
        {"TPROF_DELAY",    "0.25"      },
        {"TPROF_DURATION", "1000000000"}
    };
    static const variable comma[MOST] = {
        {"TPROF_DELAY", "0,25"}
    };
    tp_inject_settings s;
    char why[256];
    (void)state;

    const bool has = has_decimal_comma(temp_dir_make());
    temp_dir_remove();
    if (!has) {
        print_message("no locale with a decimal comma, and none can be made\n");
        skip();
    }
    const bool read = read_these(times, &s, why);
    const bool comma_read = read_these(comma, &s, why);
    setlocale(LC_NUMERIC, "C");
    assert_true(read);
    assert_false(comma_read);
}

static void with_a_step_and_no_schedule_each_step_is_a_window(void **state)
{
    static const variable step[MOST] = {
        {"TPROF_STEP", "step"}
    };
    tp_inject_settings s;
    char why[256];
    (void)state;

    assert_true(read_these(step, &s, why));
    assert_int_equal(s.schedule.active, 1);
}

static void what_cannot_be_understood_is_named(void **state)
{
    static const struct {
        variable variables[MOST];
        const char *why;
    } cases[] = {
        {{{"TPROF_GZIP", "yes"}},                     "TPROF_GZIP=yes: expected 0 or 1"                     },
        {{{"TPROF_FILES", "all"}},                    "TPROF_FILES=all: expected step or window"            },
        {{{"TPROF_ACTIVITIES", "gpu"}},               "TPROF_ACTIVITIES=gpu: expected cpu, cuda or cpu,cuda"},
        {{{"TPROF_DELAY", "soon"}},
         "TPROF_DELAY=soon: expected a number of seconds, at most 1000000000"                               },
        {{{"TPROF_DELAY", "-1"}},
         "TPROF_DELAY=-1: expected a number of seconds, at most 1000000000"                                 },
        {{{"TPROF_DURATION", "nan"}},
         "TPROF_DURATION=nan: expected a number of seconds, at most 1000000000"                             },
        {{{"TPROF_DELAY", "1,5"}},
         "TPROF_DELAY=1,5: expected a number of seconds, at most 1000000000"                                },
        {{{"TPROF_DURATION", "1e300"}},
         "TPROF_DURATION=1e300: expected a number of seconds, at most 1000000000"                           },
        {{{"TPROF_DURATION", "1000000001"}},
         "TPROF_DURATION=1000000001: expected a number of seconds, at most 1000000000"                      },
        {{{"TPROF_SCHEDULE", "active=1"}},
         "TPROF_SCHEDULE=active=1: expected TPROF_STEP to say what a step is"                               },
        {{{"TPROF_STEP", "s"}, {"TPROF_DELAY", "1"}},
         "TPROF_DELAY=1: expected either steps or times"                                                    },
    };
    static const char *const bad_schedules[] = {
        "active", "active=",         "active=0",  "active=x",          "active=1,wat=1",
        "wait=1", "active=1 wait=2", "active=-1", "active=99999999999"};
    tp_inject_settings s;
    char why[256];
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_false(read_these(cases[i].variables, &s, why));
        assert_string_equal(why, cases[i].why);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad_schedules); i++) {
        const variable variables[MOST] = {
            {"TPROF_STEP",     "s"             },
            {"TPROF_SCHEDULE", bad_schedules[i]}
        };
        assert_false(read_these(variables, &s, why));
        assert_non_null(strstr(why, "expected word=number"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_settings_all_is_recorded_into_log),
        cmocka_unit_test(each_setting_is_taken),
        cmocka_unit_test(seconds_have_a_point_in_any_locale),
        cmocka_unit_test(with_a_step_and_no_schedule_each_step_is_a_window),
        cmocka_unit_test(what_cannot_be_understood_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
