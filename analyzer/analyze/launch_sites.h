// SPDX-License-Identifier: BSD-3-Clause
// The calls of a trace that launched device work, numbered in order, and where in the program each
// was made.
#ifndef ANALYZE_LAUNCH_SITES_H
#define ANALYZE_LAUNCH_SITES_H

#include "model/trace.h"

#define SITE_NONE UINT32_MAX

typedef struct launch_site {
    uint32_t call;                       // event
    uint32_t in_operator, in_annotation; // innermost ones around it (ranges.h), or EVENT_NONE
} launch_site;

// A bit an event, and the count of bits before each word: a number is found in constant time.
typedef struct launch_sites {
    const trace *trace;
    uint64_t *launched;
    uint32_t *before;
    launch_site *at; // NULL where only numbers were asked for
    uint32_t count;
} launch_sites;

// `t` is linked.
launch_sites launch_sites_of(const trace *t, arena *a);

// The same without the sites.
launch_sites launch_numbers_of(const trace *t, arena *a);

// The number of the call that launched `device_event`, or SITE_NONE where none is known.
uint32_t launch_site_of(const launch_sites *s, uint32_t device_event);

// The number of a host event, or SITE_NONE where it launched nothing.
uint32_t launch_site_of_call(const launch_sites *s, uint32_t host_event);

#endif
