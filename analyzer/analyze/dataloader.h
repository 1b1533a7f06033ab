// SPDX-License-Identifier: BSD-3-Clause
// Data-loader waits: exposed where the device idles meanwhile, hidden where it works.
#ifndef ANALYZE_DATALOADER_H
#define ANALYZE_DATALOADER_H

#include "analyze/worker.h"

typedef struct loader_step {
    const char *step, *span;
    int64_t wall_ns, wait_ns, exposed_ns, hidden_ns;
} loader_step;

typedef struct loader_summary {
    const char *loader;               // single_process, multi_process, unknown, none
    double wait_share, exposed_share; // of the complete steps' wall; REAL_NONE without steps
    int64_t step_without_exposed_ns;  // mean
    int64_t workers_suggested;        // INT_NONE where no number can be given
    const char *assumption;           // a sentence
} loader_summary;

typedef struct dataloader {
    loader_step *steps;
    uint32_t step_count;
    loader_summary summary;
} dataloader;

dataloader dataloader_analyze(const worker *w, arena *a);

#endif
