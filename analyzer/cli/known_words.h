// SPDX-License-Identifier: BSD-3-Clause
// The words that the command line knows, each list taken from where it is made.
#ifndef CLI_KNOWN_WORDS_H
#define CLI_KNOWN_WORDS_H

#include "base/arena.h"
#include "cli/options.h"

// The i-th word, NULL behind the last.
const char *known_format(uint32_t i);
const char *known_view(uint32_t i);
const char *known_command(uint32_t i);
const char *known_option(uint32_t i);
const char *known_by(uint32_t i);
const char *known_when(uint32_t i);
const char *known_shell(uint32_t i);

// Whether `word` is one of them.
bool word_known(const char *(*known)(uint32_t), const char *word);

// "a, b, c".
const char *words_joined(const char *(*known)(uint32_t), arena *a);

// Whether a view that `o` shows has a column of that key, and all keys that there are.
bool column_known(const options *o, const char *key);
const char *columns_joined(const options *o, arena *a);

#endif
