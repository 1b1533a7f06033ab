// SPDX-License-Identifier: BSD-3-Clause
// What the environment wants of the stand-in for CUPTI; fake_cupti.c has the list.
#include "fake_cupti.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static const fake_sizes VERSIONS[] = {
    {18,     200, 88,  96, 88,  40, 24, 40, 120, 16},
    {28,     208, 96,  96, 88,  56, 56, 56, 128, 32},
    {130001, 216, 96,  96, 88,  56, 56, 56, 128, 32},
    {130500, 248, 112, 96, 104, 56, 80, 56, 128, 40},
};

static fake_script script;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

static void read_script(void)
{
    const long version = number("FAKE_CUPTI_VERSION");
    script.sizes = VERSIONS[2];
    for (size_t i = 0; i < ARRAY_LEN(VERSIONS); i++)
        if (VERSIONS[i].version == (uint32_t)version)
            script.sizes = VERSIONS[i];
    script.fail = getenv("FAKE_CUPTI_FAIL");
    script.records_per_buffer = number("FAKE_CUPTI_RECORDS");
    script.drop = number("FAKE_CUPTI_DROP");
    script.thread = number("FAKE_CUPTI_THREAD") != 0;
    script.late = number("FAKE_CUPTI_LATE") != 0;
    script.clock_ns = number("FAKE_CUPTI_CLOCK_NS");
}

const fake_script *fake_script_read(void)
{
    pthread_once(&once, read_script);
    return &script;
}

CUptiResult fake_scripted(const char *call, int kind)
{
    char with_kind[96];

    if (!fake_script_read()->fail)
        return CUPTI_SUCCESS;
    snprintf(with_kind, sizeof(with_kind), "%s/%d", call, kind);
    for (const char *at = script.fail; *at;) {
        const size_t length = strcspn(at, ":");
        if ((length == strlen(call) && strncmp(at, call, length) == 0) ||
            (length == strlen(with_kind) && strncmp(at, with_kind, length) == 0))
            return (CUptiResult)strtol(at + length + 1, NULL, 10);
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return CUPTI_SUCCESS;
}
