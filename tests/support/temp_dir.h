// SPDX-License-Identifier: BSD-3-Clause
// A folder for one test, and what tests ask of files in it.
#ifndef SUPPORT_TEMP_DIR_H
#define SUPPORT_TEMP_DIR_H

#include <stddef.h>

// Makes a new empty folder under $TMPDIR or /tmp; ends the test program where that fails. The text
// is valid until temp_dir_remove().
const char *temp_dir_make(void);

// Removes it with all that is in it.
void temp_dir_remove(void);

// Both as fixtures of cmocka.
int temp_dir_set_up(void **state);
int temp_dir_tear_down(void **state);

// "<folder>/<name>", valid until the next eight calls.
const char *temp_path(const char *name);

// The file's bytes with a NUL behind them, to be freed; NULL where it cannot be read.
char *read_whole_file(const char *path, size_t *size);

// Makes or overwrites a file; ends the test program where that fails.
void write_whole_file(const char *path, const void *bytes, size_t size);

// How many entries of `folder` end in `suffix`, "." and ".." not counted; -1 where there is none.
int count_files(const char *folder, const char *suffix);

#endif
