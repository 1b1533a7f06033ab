// SPDX-License-Identifier: BSD-3-Clause
// The command line. One table of options drives parsing, --help, the manual and the completions.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "read/record.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_NONE INT64_MIN

typedef struct command command;

typedef struct word_list {
    const char **at;
    uint32_t count, capacity;
} word_list;

// "3-5,8": numbers and ranges of them, both ends included.
typedef struct number_range {
    int64_t first, last;
} number_range;

typedef struct range_list {
    number_range *at; // NULL: not given
    uint32_t count, capacity;
    const char *given; // as it was written
} range_list;

// What was asked for. Texts live in argv or the arena; numbers are NUMBER_NONE where not given.
typedef struct options {
    const command *command;
    word_list paths;
    word_list formats, views, columns;
    const char *output, *sort, *worker, *span, *by, *filter, *color, *progress, *completion;
    range_list steps, ranks;
    int64_t top, jobs, depth, string_bytes, inflate_ratio;
    bool quiet, verbose, strict, help, version, manual;
    const regex_t *filter_regex; // of `filter`; NULL: none
    read_limits reading; // how to read, where the numbers above say nothing; no option sets it
} options;

// Kind of an option, worked out from the type of its field.
typedef enum option_kind {
    OPTION_FLAG,
    OPTION_WORD,
    OPTION_WORDS, // separated by commas, and repeatable
    OPTION_NUMBER,
    OPTION_RANGES
} option_kind;

typedef struct option_spec {
    char letter;      // 0: none
    const char *name; // without dashes
    const char *argument;
    const char *help;
    option_kind kind;
    size_t offset;                  // of the field in `options`
    const char *(*known)(uint32_t); // the i-th word it takes, NULL behind the last; NULL: any
    int64_t least, most;            // of a number
} option_spec;

extern const option_spec OPTIONS[];
extern const uint32_t OPTION_COUNT;

// Reads the command line. Fails with ERR_USAGE; *known then lists the words that would have been
// right, or is NULL.
err_code options_parse(options *o, char **arguments, arena *a, const char **known, error *err);

bool ranges_hold(const range_list *ranges, int64_t number);

#endif
