// SPDX-License-Identifier: BSD-3-Clause
// Which files of a log directory are traces, and to which run, worker and span each belongs.
#ifndef READ_RUN_DIR_H
#define READ_RUN_DIR_H

#include "base/arena.h"
#include "base/error.h"
#include "base/id_map.h"

#include <stdbool.h>
#include <stdint.h>

// One trace file. Texts live in the arena.
typedef struct run_file {
    const char *path;   // to open it
    const char *run;    // folder relative to the log directory, or its base name
    const char *worker; // name part before the stamp
    const char *span;   // stamp as written, or "default"
    int64_t stamp;      // the stamp in ns where its digits tell s, ms, us or ns; -1 without one
} run_file;

// Something that was looked at and left out, and why. The reason is a literal.
typedef struct run_ignored {
    const char *path;
    const char *reason;
} run_ignored;

// Zero is an empty listing.
typedef struct run_listing {
    run_file *files;
    uint32_t file_count, file_capacity;
    run_ignored *ignored;
    uint32_t ignored_count, ignored_capacity;
    uint32_t folder_count; // folders looked into
    // Files and folders seen so far, by device and inode, so that links give nothing twice.
    struct run_identity *seen;
    uint32_t seen_count, seen_capacity;
    id_map seen_by_hash;
} run_listing;

// Adds what `path` (log directory, run directory, trace file, or "-") holds: any depth, links
// followed, loops noticed, each real file once, also over several calls. A file that is named
// directly is taken whatever its name. Fails with ERR_IO where `path` itself cannot be opened;
// what cannot be opened below it is in `ignored`.
err_code run_listing_add(run_listing *listing, arena *a, const char *path, error *err);

// Orders files by run, worker, stamp (numerically, so ms and ns stamps mix), path; and what was
// ignored by path.
void run_listing_sort(run_listing *listing);

#endif
