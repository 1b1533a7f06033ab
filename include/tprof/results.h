// SPDX-License-Identifier: BSD-3-Clause
// What can be had of the last window: its trace, tables, stacks.
// Part of <tprof/tprof.h>, which is what programs include.
#ifndef TPROF_RESULTS_H
#define TPROF_RESULTS_H

#include "profiling.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Reading the last window --------------------------------------------------------------------

// The last window (with each_step: the last step) that was complete stays readable until the next
// window begins. TPROF_ERR_STATE where there is none.

// Writes it as a Chrome trace, compressed where `path` ends in .gz, in this call. The file gets its
// name when it is complete; one that exists is not replaced (TPROF_ERR_EXISTS).
TPROF_API TPROF_CHECK tprof_status tprof_export_chrome_trace(tprof_profiler *profiler,
                                                             const char *path);

// ---- Tables and stacks --------------------------------------------------------------------------

typedef struct tprof_averages tprof_averages;

// What events are grouped by, beside name and device.
typedef struct tprof_averages_options {
    bool group_by_input_shape;
    int32_t group_by_stack_n; // the first n frames; 0: not by stack
} tprof_averages_options;

// One group: torch's columns as data. Times in ns, memory in bytes; a share of a zero sum is NaN.
typedef struct tprof_average {
    const char *name;
    const char *input_shapes; // "" where not grouped by shape
    const char *stack;        // frames joined by ';', "" where not grouped by stack
    bool is_device;           // a row of the device's own events
    bool is_annotation;
    uint64_t count;
    int64_t cpu_total_ns, self_cpu_total_ns;
    int64_t device_total_ns, self_device_total_ns;
    int64_t cpu_memory_bytes, self_cpu_memory_bytes;
    int64_t device_memory_bytes, self_device_memory_bytes;
    uint64_t flops;
    double self_cpu_share, cpu_share; // of the sum of self_cpu_total_ns of all rows
    double self_device_share;
} tprof_average;

// Groups the events of the last window. *out is released with tprof_averages_free() and does not
// refer to the profiler. Rows are in order of first occurrence.
TPROF_API TPROF_CHECK tprof_status tprof_key_averages(tprof_profiler *profiler,
                                                      const tprof_averages_options *options,
                                                      tprof_averages **out);
TPROF_API void tprof_averages_free(tprof_averages *averages); // NULL is allowed
TPROF_API size_t tprof_averages_count(const tprof_averages *averages);
TPROF_API const tprof_average *tprof_averages_row(const tprof_averages *averages, size_t index);

typedef struct tprof_table_options {
    const char *sort_by;             // torch's sort keys, such as "self_cpu_time_total"; NULL: none
    int32_t row_limit;               // 0 means 100, -1 no limit
    int32_t max_name_column_width;   // 0 means 55, -1 no limit
    int32_t max_shapes_column_width; // 0 means 80
    int32_t max_src_column_width;    // 0 means 75
    const char *header;              // a line above the table, or NULL
    bool top_level_events_only;
    const char *time_unit; // "s", "ms" or "us" for all times; NULL: what suits each
} tprof_table_options;

// torch's table as text, to be released with free(); NULL on lack of memory or an unknown sort key.
TPROF_API char *tprof_averages_table(const tprof_averages *averages,
                                     const tprof_table_options *options);

// Writes folded stacks of the last window for flame graphs. `metric` is "self_cpu_time_total" or
// "self_cuda_time_total". Needs with_stack. The file's rules are those of the Chrome trace.
TPROF_API TPROF_CHECK tprof_status tprof_export_stacks(tprof_profiler *profiler, const char *path,
                                                       const char *metric);

#ifdef __cplusplus
}
#endif

#endif
