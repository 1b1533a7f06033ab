// SPDX-License-Identifier: BSD-3-Clause
// Interning of names that are not literals: one copy of each text, for the life of the process.
// Looking up a name that is there takes no lock.
#ifndef WRITER_NAMES_H
#define WRITER_NAMES_H

#include <stddef.h>
#include <stdint.h>

// The kept copy of `text`; "(more names)" where the 16 MiB for names are used up or memory is
// short. Equal texts give the same pointer. Any thread.
const char *tp_name_intern(const char *text, size_t length);

// The same for the text made of `prefix`, `name` and `suffix`, of any length.
const char *tp_name_join(const char *prefix, const char *name, const char *suffix);

// Bytes of `text`, at most `most`, that end between two characters of UTF-8.
size_t tp_name_fit(const char *text, size_t most);

uint64_t tp_hash(const void *bytes, size_t length);

#endif
