// SPDX-License-Identifier: BSD-3-Clause
// A bar on standard error while files are read.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool shown;
    bool drawn; // a bar stands on the screen
} progress;

// `when`: auto (on a terminal), always or never.
progress progress_start(const char *when);

// Redraws the bar: bytes read of all bytes (0: unknown), files done of all.
void progress_draw(progress *p, uint64_t bytes, uint64_t all_bytes, uint32_t files,
                   uint32_t all_files);

// Takes the bar off the screen.
void progress_end(progress *p);

#endif
