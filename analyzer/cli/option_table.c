// SPDX-License-Identifier: BSD-3-Clause
// All options.
#include "cli/known_words.h"
#include "cli/options.h"

#include "base/text.h"

#define FIELD(name)                                                                                \
    _Generic(((options *)0)->name,                                                                 \
        bool: OPTION_FLAG,                                                                         \
        const char *: OPTION_WORD,                                                                 \
        word_list: OPTION_WORDS,                                                                   \
        int64_t: OPTION_NUMBER,                                                                    \
        range_list: OPTION_RANGES),                                                                \
        offsetof(options, name)

// clang-format off
const option_spec OPTIONS[] = {
    {'f', "format",      "NAME",   "text or json; repeatable with --output", FIELD(formats), known_format, 0, 0},
    {'o', "output",      "FILE",   "write there; a base name where there are several formats", FIELD(output), NULL, 0, 0},
    {0,   "views",       "A,B",    "show these views, or \"all\"", FIELD(views), known_view, 0, 0},
    {'n', "top",         "N",      "keep the first N rows of each table", FIELD(top), NULL, 0, UINT32_MAX},
    {0,   "sort",        "COLUMN", "sort by it: numbers largest first, names from A to Z; -COLUMN turns it round", FIELD(sort), NULL, 0, 0},
    {0,   "columns",     "A,B",    "show these columns; tables without any are left out", FIELD(columns), NULL, 0, 0},
    {0,   "filter",      "REGEX",  "keep rows whose name matches (POSIX extended)", FIELD(filter), NULL, 0, 0},
    {0,   "steps",       "3-5",    "look at these steps only", FIELD(steps), NULL, 0, 0},
    {0,   "ranks",       "0-3,8",  "look at these ranks only", FIELD(ranks), NULL, 0, 0},
    {0,   "worker",      "NAME",   "look at this worker only; * and ? stand for any characters", FIELD(worker), NULL, 0, 0},
    {0,   "span",        "STAMP",  "look at this span only; * and ? stand for any characters", FIELD(span), NULL, 0, 0},
    {0,   "by",          "WHAT",   "worker: its spans together (default); span: each for itself", FIELD(by), known_by, 0, 0},
    {0,   "color",       "WHEN",   "auto, always or never", FIELD(color), known_when, 0, 0},
    {0,   "progress",    "WHEN",   "auto, always or never: a bar on standard error", FIELD(progress), known_when, 0, 0},
    {'j', "jobs",        "N",      "threads; as many as there are processors by default", FIELD(jobs), NULL, 1, UINT16_MAX},
    {0,   "strict",      NULL,     "a file that is bent or cut off is an error", FIELD(strict), NULL, 0, 0},
    {0,   "max-depth",   "N",      "nesting of a trace that is followed (default 512)", FIELD(depth), NULL, 1, UINT32_MAX},
    {0,   "max-string",  "BYTES",  "length of a text in a trace that is kept (default 16 MiB)", FIELD(string_bytes), NULL, 1, UINT32_MAX},
    {0,   "max-inflate", "RATIO",  "inflated to compressed size that is believed (default 2000)", FIELD(inflate_ratio), NULL, 1, UINT32_MAX},
    {'q', "quiet",       NULL,     "no warnings", FIELD(quiet), NULL, 0, 0},
    {'v', "verbose",     NULL,     "whole names, every warning, every ignored file", FIELD(verbose), NULL, 0, 0},
    {0,   "completion",  "SHELL",  "print completions for bash, zsh or fish", FIELD(completion), known_shell, 0, 0},
    {0,   "manual",      NULL,     "print the manual page, for man -l -", FIELD(manual), NULL, 0, 0},
    {0,   "version",     NULL,     "print the version and what is built in", FIELD(version), NULL, 0, 0},
    {'h', "help",        NULL,     "print this", FIELD(help), NULL, 0, 0},
};
// clang-format on

const uint32_t OPTION_COUNT = ARRAY_LEN(OPTIONS);
