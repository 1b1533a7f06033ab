// SPDX-License-Identifier: BSD-3-Clause
// What the injection library is told by the environment; tprof-record sets the same variables.
#include "inject/inject_settings.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_MAX = 1000000000 }; // as a text below has it, too; any clock can count so far

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

const char *tp_inject_variable_name(tp_inject_variable variable)
{
    static const char *const names[] = {
#define X(constant, name, text) name,
        TP_INJECT_VARIABLE_MAP(X)
#undef X
    };
    return names[variable];
}

// One reading: where values come from and where a complaint goes.
typedef struct reading {
    const char *(*get)(const char *name);
    char *why;
    size_t size;
} reading;

static const char *value_of(const reading *r, tp_inject_variable variable)
{
    const char *value = r->get(tp_inject_variable_name(variable));
    return value && value[0] ? value : NULL;
}

static bool refuse(const reading *r, tp_inject_variable variable, const char *expected)
{
    snprintf(r->why, r->size, "%s=%s: expected %s", tp_inject_variable_name(variable),
             value_of(r, variable), expected);
    return false;
}

// A number with a point, whatever the program's locale. False where there is more than that.
static bool read_number(const char *text, double *number)
{
    char *end = NULL;
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain)
        return false;
    *number = strtod_l(text, &end, plain);
    freelocale(plain);
    return end != text && *end == '\0';
}

static bool read_seconds(const reading *r, tp_inject_variable variable, double *seconds)
{
    const char *text = value_of(r, variable);
    if (!text)
        return true;
    // Written so that what is no number is refused, too.
    if (!read_number(text, seconds) || !(*seconds >= 0 && *seconds <= SECONDS_MAX))
        return refuse(r, variable, "a number of seconds, at most 1000000000");
    return true;
}

static bool read_flag(const reading *r, tp_inject_variable variable, bool *flag)
{
    const char *text = value_of(r, variable);
    if (!text)
        return true;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return refuse(r, variable, "0 or 1");
    *flag = text[0] == '1';
    return true;
}

typedef struct schedule_word {
    const char *word;
    size_t offset;
} schedule_word;

// One "word=number" of a schedule; moves *at behind it and its comma.
static bool read_schedule_part(const char **at, tprof_schedule *schedule)
{
    static const schedule_word words[] = {
        {"skip_first_wait", offsetof(tprof_schedule, skip_first_wait)},
        {"skip_first",      offsetof(tprof_schedule, skip_first)     },
        {"wait",            offsetof(tprof_schedule, wait)           },
        {"warmup",          offsetof(tprof_schedule, warmup)         },
        {"active",          offsetof(tprof_schedule, active)         },
        {"repeat",          offsetof(tprof_schedule, repeat)         },
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const size_t length = strlen(words[i].word);
        if (strncmp(*at, words[i].word, length) != 0 || (*at)[length] != '=')
            continue;
        char *end = NULL;
        const char *number = *at + length + 1;
        errno = 0;
        const long value = strtol(number, &end, 10);
        if (end == number || errno || value < 0 || value > 1000000000 || (*end && *end != ','))
            return false;
        *(int32_t *)(void *)((char *)schedule + words[i].offset) = (int32_t)value;
        *at = *end ? end + 1 : end;
        return true;
    }
    return false;
}

// Without a schedule every step is recorded, in windows of one.
static bool read_schedule(const reading *r, tp_inject_settings *settings)
{
    static const char expected[] = "word=number,... with active=1 or more and of skip_first, wait, "
                                   "warmup, repeat, skip_first_wait what is wanted";
    const char *at = value_of(r, TP_INJECT_SCHEDULE);

    if (!at) {
        settings->schedule.active = settings->step ? 1 : 0;
        return true;
    }
    if (!settings->step)
        return refuse(r, TP_INJECT_SCHEDULE, "TPROF_STEP to say what a step is");
    while (*at)
        if (!read_schedule_part(&at, &settings->schedule))
            return refuse(r, TP_INJECT_SCHEDULE, expected);
    if (settings->schedule.active < 1)
        return refuse(r, TP_INJECT_SCHEDULE, expected);
    return true;
}

static bool read_files(const reading *r, tp_inject_settings *settings)
{
    const char *text = value_of(r, TP_INJECT_FILES);
    settings->files = TPROF_FILE_PER_WINDOW;
    if (!text || strcmp(text, "window") == 0)
        return true;
    settings->files = TPROF_FILE_PER_STEP;
    return strcmp(text, "step") == 0 || refuse(r, TP_INJECT_FILES, "step or window");
}

static bool read_activities(const reading *r, tp_inject_settings *settings)
{
    static const struct {
        const char *text;
        unsigned activities;
    } words[] = {
        {"cpu",      TPROF_CPU             },
        {"cuda",     TPROF_CUDA            },
        {"cpu,cuda", TPROF_CPU | TPROF_CUDA},
        {"cuda,cpu", TPROF_CPU | TPROF_CUDA}
    };
    const char *text = value_of(r, TP_INJECT_ACTIVITIES);

    settings->activities = 0;
    if (!text)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(text, words[i].text) == 0) {
            settings->activities = words[i].activities;
            return true;
        }
    return refuse(r, TP_INJECT_ACTIVITIES, "cpu, cuda or cpu,cuda");
}

bool tp_inject_settings_read(const char *(*get)(const char *name), tp_inject_settings *settings,
                             char *why, size_t size)
{
    const reading r = {get, why, size};
    bool gzip = true;

    *settings = (tp_inject_settings){
        .dir = value_of(&r, TP_INJECT_DIR),
        .worker = value_of(&r, TP_INJECT_WORKER),
        .step = value_of(&r, TP_INJECT_STEP),
        .report = value_of(&r, TP_INJECT_REPORT),
    };
    if (!settings->dir)
        settings->dir = "./log";
    if (!read_schedule(&r, settings) || !read_seconds(&r, TP_INJECT_DELAY, &settings->delay_s) ||
        !read_seconds(&r, TP_INJECT_DURATION, &settings->duration_s) ||
        !read_flag(&r, TP_INJECT_GZIP, &gzip) ||
        !read_flag(&r, TP_INJECT_MEMORY, &settings->profile_memory) || !read_files(&r, settings) ||
        !read_activities(&r, settings))
        return false;
    if (settings->step && (settings->delay_s > 0 || settings->duration_s > 0))
        return refuse(&r, settings->delay_s > 0 ? TP_INJECT_DELAY : TP_INJECT_DURATION,
                      "either steps or times");
    settings->plain = !gzip;
    return true;
}
