// SPDX-License-Identifier: BSD-3-Clause
// Logs for tests of the analyses.
#include "support/log_lines.h"

#include "link/link.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put_args(FILE *to, const char *args)
{
    for (; *args; args++)
        fputc(*args == '\'' ? '"' : *args, to);
}

static void put_event(FILE *to, const char *line, bool first)
{
    char category[64], name[256], where[64], begin[32], duration[32];
    int args = 0;

    const int fields = sscanf(line, "%63[^|]|%255[^|]|%63[^|]|%31[^|]|%31[^|]|%n", category, name,
                              where, begin, duration, &args);
    if (fields != 5 || args == 0)
        fail_msg("not an event line: %s", line);

    char *const colon = strchr(where, ':');
    if (colon)
        *colon = '\0';
    fprintf(to, "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%s,\"tid\":%s,",
            first ? "" : ",\n", category, name, colon ? where : "1", colon ? colon + 1 : where);
    fprintf(to, "\"ts\":%s,\"dur\":%s,\"args\":{", begin, duration);
    put_args(to, line + args);
    fputs("}}", to);
}

void log_add_file(log_lines *log, const char *path)
{
    static const read_limits limits = {0};
    static const char *const names[LOG_SPANS] = {"1", "2", "3", "4"};
    error err = {0};
    input *in = NULL;
    const uint32_t at = log->worker.span_count;

    assert_true(at < LOG_SPANS);
    if (!log->arena)
        log->arena = arena_create();
    if (input_open(path, &limits, false, &in, &err) ||
        trace_load(in, &limits, false, &log->traces[at], &err))
        fail_msg("%s: %s", path, err.message);
    input_close(in);
    trace_link(log->traces[at], false);
    log->spans[at] = (span){log->traces[at], names[at], steps_of(log->traces[at], log->arena)};
    log->worker = (worker){"run", "worker0", -1, log->spans, at + 1};
}

void log_add_lines(log_lines *log, const char *const *lines)
{
    char path[] = "/tmp/tprof_log_XXXXXX";
    const int file = mkstemp(path);
    FILE *const to = file < 0 ? NULL : fdopen(file, "w");

    assert_non_null(to);
    fputs("{\"baseTimeNanoseconds\":1000000000,\"traceEvents\":[\n", to);
    for (size_t i = 0; lines[i]; i++)
        put_event(to, lines[i], i == 0);
    fputs("]}\n", to);
    assert_int_equal(fclose(to), 0);
    log_add_file(log, path);
    unlink(path);
}

void log_add_case(log_lines *log, const char *file)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/cases/%s", TPROF_SHARED, file);
    if (access(path, R_OK)) {
        print_message("skipped: no file %s\n", path);
        skip();
    }
    log_add_file(log, path);
}

void log_close(log_lines *log)
{
    for (uint32_t i = 0; i < log->worker.span_count; i++)
        trace_destroy(log->traces[i]);
    arena_destroy(log->arena);
    *log = (log_lines){0};
}
