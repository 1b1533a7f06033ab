// SPDX-License-Identifier: BSD-3-Clause
// A walk through time that gives each instant to the first of several kinds that is busy then.
#ifndef ANALYZE_SWEEP_H
#define ANALYZE_SWEEP_H

#include <stdint.h>

enum { SWEEP_KINDS = 7 };

// Kinds count from 0, the first in precedence. Constant memory, one pass.
typedef struct sweep {
    unsigned kinds;
    int64_t now;
    int64_t until[SWEEP_KINDS];     // each kind is busy up to there
    int64_t total[SWEEP_KINDS + 1]; // exclusive times so far; [kinds]: nothing is busy
} sweep;

// Starts at `now`, with nothing busy.
sweep sweep_from(unsigned kinds, int64_t now);

// Goes on to `time`; an earlier one is ignored.
void sweep_to(sweep *s, int64_t time);

// Goes on to `begin`, where `kind` becomes busy up to `end`. Begins must come in order.
void sweep_add(sweep *s, unsigned kind, int64_t begin, int64_t end);

// The first kind that is busy now, or `kinds`.
unsigned sweep_kind(const sweep *s);

// The end of all that is busy now; in the past where nothing is.
int64_t sweep_busy_until(const sweep *s);

#endif
