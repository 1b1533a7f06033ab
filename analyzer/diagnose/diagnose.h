// SPDX-License-Identifier: BSD-3-Clause
// The verdict and the findings: facts judged by a table of rules, ranked by what they are worth.
#ifndef DIAGNOSE_DIAGNOSE_H
#define DIAGNOSE_DIAGNOSE_H

#include "analyze/annotations.h"
#include "analyze/data_health.h"
#include "analyze/dataloader.h"
#include "analyze/idle.h"
#include "analyze/kernels.h"
#include "analyze/launches.h"
#include "analyze/operators.h"
#include "analyze/overview.h"
#include "analyze/transfers.h"

// All analyses of one worker (or one log), as the rules and the views see them.
typedef struct analysis {
    const worker *worker;
    overview overview;
    class_table classes;
    dataloader dataloader;
    operators operators;
    kernels kernels;
    launches launches;
    annotations annotations;
    transfers transfers;
    data_health data_health;
    bool of_selected_steps; // operators, kernels, launches and annotations are of some steps only
} analysis;

typedef struct verdict_row {
    const char *device;
    const char *verdict_class; // column `class`: input, compute, communication, synchronization,
                               // launch, copy, balanced, unknown
    double share;
    int64_t step_ns,
        gain_ns;      // a mean step; what would go if the class went. INT_NONE where unknown
    const char *text; // one or two sentences: class, share, its denominator, what to try first
} verdict_row;

typedef struct finding_row {
    const char *rule, *finding_class; // column `class`
    const char *severity;             // high, medium, low, info
    double share;                     // REAL_NONE where none applies
    int64_t gain_ns;                  // INT_NONE where unknown
    const char *evidence, *advice;
    const char *subject; // the kernel or operator that the evidence names, or NULL
} finding_row;

typedef struct diagnosis {
    verdict_row verdict;
    finding_row *findings; // by severity, then gain, then rule
    uint32_t finding_count;
} diagnosis;

// Runs every analysis, on two threads where `side_by_side`; the result is the same.
analysis analysis_run(const worker *w, bool side_by_side, arena *a);

// Takes the tables of events from `selected`, which is of the events of some steps only.
void analysis_narrow(analysis *all, const analysis *selected);

diagnosis diagnose(const analysis *all, arena *a);

#endif
