// SPDX-License-Identifier: BSD-3-Clause
// Names and folders of a log directory: what a worker may be called, and folders that appear
// complete.
#ifndef WRITER_RUN_FOLDER_H
#define WRITER_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TP_WORKER_BYTES = 192 }; // room for a worker's name, with which the file's stays in bounds

// What `worker` becomes in a file name: separators, control characters, a leading dot and bytes
// that are not UTF-8 are '_', and it is cut to fit. NULL or "": <host>_<pid>.
void tp_worker_name(const char *worker, char name[TP_WORKER_BYTES]);

// Time since the epoch in ns, later than any earlier answer in this process.
int64_t tp_stamp_next(void);

// Makes a folder with its parents; one that is there is fine. Returns 0 or errno.
int tp_folder_make(const char *path);

// A folder that is filled under a hidden name in which viewers find no trace, because its files
// have a further suffix, and gets its name when it is complete.
typedef struct tp_run_folder {
    char *directory; // where it will be
    char *temporary; // NULL: none is open
    char **names;    // of its files
    size_t name_count;
} tp_run_folder;

// Returns 0 or errno.
int tp_run_folder_open(tp_run_folder *folder, const char *directory);

// Where to write the file `name`; to be freed. NULL on lack of memory.
char *tp_run_folder_add(tp_run_folder *folder, const char *name);

// Gives it the name <directory>/<worker>_<stamp>. Returns 0 or errno, and is closed in either case;
// what could not get its name is removed. *last_file gets the path of the last file, to be freed,
// or NULL.
int tp_run_folder_place(tp_run_folder *folder, const char *worker, char **last_file);
void tp_run_folder_abandon(tp_run_folder *folder);

#endif
