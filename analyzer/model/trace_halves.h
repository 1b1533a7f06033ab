// SPDX-License-Identifier: BSD-3-Clause
// A plain file becomes a trace by two threads, each of which reads a half of it.
#ifndef MODEL_TRACE_HALVES_H
#define MODEL_TRACE_HALVES_H

#include "model/trace.h"

typedef struct trace_halves {
    input *first, *second;
    uint64_t cut;    // where the second begins
    bool array_root; // of the file
} trace_halves;

// Opens both halves of a file of `size` bytes. False, with nothing held, where it is not plain or
// too small to be worth it. `path` must outlive the halves.
bool trace_halves_open(trace_halves *h, const char *path, uint64_t size, const read_limits *limits);

// Reads both, and gives the very trace that trace_load() gives. False, and there is no trace, where
// the file must be read as a whole: it is damaged, or a half cannot be told without the other.
bool trace_halves_load(const trace_halves *h, const read_limits *limits, trace **out);

void trace_halves_close(trace_halves *h);

#endif
