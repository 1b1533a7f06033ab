// SPDX-License-Identifier: BSD-3-Clause
// An event file of one run, to which each window adds its steps. TensorBoard reads it while it
// grows, so whole records are added, and nothing that stands there changes.
#ifndef ENCODE_TFEVENTS_FILE_H
#define ENCODE_TFEVENTS_FILE_H

#include "capture.h"
#include "tprof/tprof.h"

// Used by one thread at a time.
typedef struct tp_tfevents_file tp_tfevents_file;

// A file in `dir`, which must exist when the first window is added; until then there is no file.
// NULL for lack of memory.
tp_tfevents_file *tp_tfevents_create(const char *dir);

// Adds the window's steps, all or none. On failure `error` gets errno or 0, and a later call may
// succeed.
tprof_status tp_tfevents_add(tp_tfevents_file *file, const tp_capture *capture, int *error);

// The file's path, "" before it exists.
const char *tp_tfevents_path(const tp_tfevents_file *file);

void tp_tfevents_destroy(tp_tfevents_file *file); // NULL is allowed

#endif
