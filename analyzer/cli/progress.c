// SPDX-License-Identifier: BSD-3-Clause
// A bar on standard error while files are read.
#include "cli/progress.h"

#include "report/units.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

progress progress_start(const char *when)
{
    const bool automatic = strcmp(when, "auto") == 0;
    return (progress){.shown = automatic ? isatty(STDERR_FILENO) : strcmp(when, "always") == 0};
}

void progress_draw(progress *p, uint64_t bytes, uint64_t all_bytes, uint32_t files,
                   uint32_t all_files)
{
    enum { CELLS = 30 };
    char bar[CELLS + 1], size[UNIT_TEXT_BYTES];

    if (!p->shown)
        return;
    const uint64_t most = bytes > all_bytes ? bytes : all_bytes;
    const size_t filled = most ? (size_t)((double)bytes / (double)most * CELLS) : 0;
    memset(bar, '.', CELLS);
    memset(bar, '#', filled);
    bar[CELLS] = '\0';
    fprintf(stderr, "\r[%s] %3.0f %%  %s  %u of %u files\x1b[K", bar,
            most ? (double)bytes / (double)most * 100 : 0, unit_bytes((int64_t)bytes, size), files,
            all_files);
    fflush(stderr);
    p->drawn = true;
}

void progress_end(progress *p)
{
    if (p->drawn)
        fputs("\r\x1b[K", stderr);
    p->drawn = false;
}
