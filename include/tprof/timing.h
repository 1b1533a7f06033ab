// SPDX-License-Identifier: BSD-3-Clause
// Latency: one thing measured many times.
// Part of <tprof/tprof.h>, which is what programs include.
#ifndef TPROF_TIMING_H
#define TPROF_TIMING_H

#include "profiling.h"

#ifdef __cplusplus
extern "C" {
#endif

// Measures one thing many times, with every sample kept; independent of profilers. One thread at a
// time.
typedef struct tprof_latency tprof_latency;

typedef struct tprof_latency_summary {
    uint64_t count;  // samples without the warm-up
    uint64_t warmup; // samples left out
    int64_t min_ns, max_ns;
    double mean_ns;
    double median_ns;          // of an even count: the mean of the two in the middle
    int64_t p95_ns;            // nearest rank
    double samples_per_second; // items of the counted samples / their summed time
} tprof_latency_summary;

// `warmup` first samples are left out of the summary; each sample is `items` things done at once
// (a batch), 1 to INT64_MAX. On failure *out is NULL.
TPROF_API TPROF_CHECK tprof_status tprof_latency_create(uint64_t warmup, uint64_t items,
                                                        tprof_latency **out);
TPROF_API void tprof_latency_destroy(tprof_latency *latency); // NULL is allowed

// Begins a sample, ends it and keeps it; or takes one measured by the program. TPROF_ERR_MEMORY
// where it could not be kept, TPROF_ERR_STATE for an end without a begin.
TPROF_API void tprof_latency_begin(tprof_latency *latency);
TPROF_API tprof_status tprof_latency_end(tprof_latency *latency);
TPROF_API tprof_status tprof_latency_add(tprof_latency *latency, int64_t duration_ns);

// All but `warmup` zero without a sample beyond the warm-up.
TPROF_API void tprof_latency_summarize(const tprof_latency *latency,
                                       tprof_latency_summary *summary);

// All samples in order, the warm-up included, in ns; valid until the next sample.
TPROF_API const int64_t *tprof_latency_samples(const tprof_latency *latency, uint64_t *count);

// Writes summary, environment (NULL: none) and all samples as one JSON object. The file's rules are
// those of the Chrome trace.
TPROF_API TPROF_CHECK tprof_status tprof_latency_export(const tprof_latency *latency,
                                                        const tprof_environment *environment,
                                                        const char *path);

#ifdef __cplusplus
}
#endif

#endif
