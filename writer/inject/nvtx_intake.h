// SPDX-License-Identifier: BSD-3-Clause
// The ranges and marks of a program with NVTX become events of the profiler that records.
#ifndef INJECT_NVTX_INTAKE_H
#define INJECT_NVTX_INTAKE_H

#include "inject/nvtx_abi.h"

#include <stdint.h>

// Told of each range of one name, before it begins and after it ended, on the thread that does so.
typedef struct tp_nvtx_watch {
    const char *name; // "name", or "domain:name" for ranges of that domain only; NULL: nothing
    void (*begins)(void);
    void (*ended)(void);
} tp_nvtx_watch;

// The watch is copied, its name too. To be called before tp_nvtx_attach().
void tp_nvtx_set_watch(const tp_nvtx_watch *watch);

// Fills in the tables of the NVTX that calls; the answer that InitializeInjectionNvtx2() gives: 1,
// or 0 where this NVTX has no tables that we know.
int tp_nvtx_attach(nvtx_get_export get_export);

#endif
