// SPDX-License-Identifier: BSD-3-Clause
// The report of a file, with every view, as the program prints it for other programs.
#include "support/json_report.h"

#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void must(bool done, const char *what)
{
    if (done)
        return;
    perror(what);
    abort();
}

static int run_command(const char *path, const report_way *way)
{
    char *arguments[] = {"report",
                         "--format",
                         "json",
                         "--views",
                         "all",
                         "--quiet",
                         "--jobs",
                         "",
                         "--progress",
                         "never",
                         (char *)(uintptr_t)path,
                         NULL};
    arena *a = arena_create();
    const char *known;
    options o;
    error err = {0};

    arguments[7] = (char *)(uintptr_t)way->jobs;
    must(options_parse(&o, arguments, a, &known, &err) == ERR_NONE, err.message);
    o.reading = way->reading;
    const int status = (int)o.command->run(&o);
    arena_destroy(a);
    return status;
}

static void take_text(int fd, json_report *r)
{
    const off_t size = lseek(fd, 0, SEEK_CUR);

    must(size >= 0, "lseek");
    r->size = (size_t)size;
    r->text = malloc(r->size + 1);
    must(r->text && pread(fd, r->text, r->size, 0) == size, "pread");
    r->text[r->size] = 0;
}

json_report json_report_of(const char *path, const report_way *way)
{
    const int out = memfd_create("report", MFD_CLOEXEC), real = dup(STDOUT_FILENO);
    json_report r;

    fflush(stdout);
    must(out >= 0 && real >= 0 && dup2(out, STDOUT_FILENO) >= 0, "standard output");
    r.status = run_command(path, way);
    must(dup2(real, STDOUT_FILENO) >= 0, "standard output");
    take_text(out, &r);
    close(real);
    close(out);
    return r;
}

size_t json_report_difference(const json_report *a, const json_report *b)
{
    const size_t shorter = a->size < b->size ? a->size : b->size;

    for (size_t i = 0; i < shorter; i++)
        if (a->text[i] != b->text[i])
            return i;
    return a->size == b->size ? SIZE_MAX : shorter;
}
