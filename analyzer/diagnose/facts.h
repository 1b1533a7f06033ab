// SPDX-License-Identifier: BSD-3-Clause
// The few numbers that rules look at, from all analyses of a worker.
#ifndef DIAGNOSE_FACTS_H
#define DIAGNOSE_FACTS_H

#include "diagnose/bottlenecks.h"
#include "diagnose/diagnose.h"

// Times are sums over the steps that statistics use, on the device with most work, unless said
// otherwise.
typedef struct facts {
    const analysis *all;
    const char *device;                // "host" where no device worked
    const overview_device *device_row; // NULL on the host
    bool on_host;
    bool incomplete_too; // no step is complete, so all were taken
    bool marked;         // the log has step marks; else it is one step as a whole

    int64_t steps, wall_ns;
    int64_t class_ns[BOTTLENECKS];
    class_row sums; // the same time, column by column

    int64_t kernels, kernels_ns; // of the whole log or the steps that were asked for, summed
    int64_t short_kernels;       // shorter than their launch calls
    int64_t missed_tensor_ns;    // of kernels without matrix units that eligible operators launched
    int64_t operators_host_ns;   // self times, summed
    int64_t outlier_excess_ns;   // what outlier steps took beyond the median
    bottleneck outlier_class;    // where most of that went; BOTTLENECKS where nothing stands out
} facts;

facts facts_of(const analysis *all);

// Share of a class in the steps' wall time; REAL_NONE without steps.
double facts_share(const facts *f, bottleneck b);

// A mean step's part of a sum over the steps; INT_NONE without steps.
int64_t facts_per_step(const facts *f, int64_t sum_ns);

#endif
