// SPDX-License-Identifier: BSD-3-Clause
// How times, shares and what they are shares of read in a sentence.
#ifndef DIAGNOSE_WORDING_H
#define DIAGNOSE_WORDING_H

#include "diagnose/facts.h"

// "24.5 ms"
const char *wording_time(int64_t ns, arena *a);

// "10,879"
const char *wording_count(int64_t count, arena *a);

// "231.2 MB"
const char *wording_bytes(int64_t bytes, arena *a);

// "32.1 %"
const char *wording_share(double share, arena *a);

// "4 complete steps", "the whole log (no step marks)"
const char *wording_steps(const facts *f, arena *a);

// "the log", "the selected steps": what the tables of events are of
const char *wording_extent(const facts *f);

// "device 0", "the process"
const char *wording_device(const facts *f, arena *a);

#endif
