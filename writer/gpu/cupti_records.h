// SPDX-License-Identifier: BSD-3-Clause
// Pure: CUPTI's records -> events. Fed with made-up records by the tests, with CUPTI's by
// source_cupti.c.
//
// A batch is all that came in since the last one, and is read twice: tp_cupti_index() learns what
// links records to each other, in whatever order they came; then tp_cupti_convert() makes events.
#ifndef GPU_CUPTI_RECORDS_H
#define GPU_CUPTI_RECORDS_H

#include "capture.h"
#include "gpu/cupti_layout.h"
#include "gpu/link_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The size of each kind's record in the library that wrote it; 0: it does not know the kind.
typedef struct tp_cupti_sizes {
    uint16_t bytes[TP_CUPTI_KINDS];
} tp_cupti_sizes;

// Called for each whole record, at any alignment of 8.
typedef void (*tp_cupti_visit)(void *arg, uint32_t kind, const void *record, size_t size);

// Visits the records of a buffer. Returns the bytes at its end that could not be read: a record cut
// off, or all behind one of an unknown kind.
size_t tp_cupti_walk(const tp_cupti_sizes *sizes, const void *buffer, size_t valid,
                     tp_cupti_visit visit, void *arg);

// What is known of an API function.
typedef struct tp_cupti_function {
    const char *name; // without version; interned
    bool kept;        // stands in traces
    bool allocates;   // gives memory or takes it back
    bool starts_flow;
} tp_cupti_function;

// What the pure part asks of its surroundings.
typedef struct tp_cupti_hooks {
    void *arg;
    // The function of a callback id, never NULL.
    const tp_cupti_function *(*function)(void *arg, bool driver, uint32_t callback_id);
    // An interned name for a record's text: a mangled kernel name, or any other. NULL may come in.
    const char *(*kernel_name)(void *arg, const char *mangled);
    const char *(*intern)(void *arg, const char *text);
    int64_t (*to_trace_ns)(void *arg, uint64_t timestamp);
    // The device of that number, or NULL.
    const tp_device_info *(*device)(void *arg, uint32_t id);
} tp_cupti_hooks;

// A cudaEventRecord() that others may wait for.
typedef struct tp_cupti_record_call {
    uint32_t context, event, correlation, stream;
} tp_cupti_record_call;

// When the profiler itself waited for devices, in CUPTI's clock, and on which thread.
typedef struct tp_cupti_own_wait {
    uint64_t begin, end;
    uint32_t thread, pthread; // as records may tell it: the system's number, or that of pthreads
} tp_cupti_own_wait;

enum { TP_CUPTI_OWN_WAITS = 8 }; // more than there can be in a batch

typedef struct tp_cupti_batch {
    tp_cupti_hooks hooks;
    tp_link_map owners; // correlation -> operator id << 32 | annotation id
    tp_link_map own;    // correlations of calls that the profiler itself made
    // The same of the batch before: of its calls, work may end and records come in only now.
    tp_link_map owners_before, own_before;
    tp_link_map threads;  // correlation of allocating calls -> thread id
    tp_link_map contexts; // context -> device; outlives the batch
    tp_link_map pools;    // memory pool -> its size; outlives the batch
    tp_link_map syncs;    // number of a recording -> its stream << 32 | correlation
    tp_cupti_record_call *records;
    size_t record_count, record_capacity;
    uint32_t last_context;
    bool has_last_context;
    bool records_sorted;
    const tp_cupti_own_wait *waits; // TP_CUPTI_OWN_WAITS of them, or NULL
    bool has_stale_marks;           // calls are marked as the profiler's own that are the program's
    bool has_stale_owners;          // links to operators and annotations may be of ones that ended
    int64_t allocated[TPROF_DEVICES], reserved[TPROF_DEVICES]; // bytes; outlive the batch
    uint64_t unfinished;                                       // records of work without times
    uint64_t lost;                                             // links that there was no memory for
} tp_cupti_batch;

// The kinds of external ids. The library gives the words, this file the numbers.
typedef enum tp_cupti_external_kind {
    TP_CUPTI_EXTERNAL_OP = 3,
    TP_CUPTI_EXTERNAL_ANNOTATION = 4,
    TP_CUPTI_EXTERNAL_OWN = 5, // around what the profiler itself calls
} tp_cupti_external_kind;

void tp_cupti_batch_init(tp_cupti_batch *batch, const tp_cupti_hooks *hooks);

// Forgets what belongs to the records read so far; contexts and totals stay, and owners for one
// batch more.
void tp_cupti_batch_clear(tp_cupti_batch *batch);
void tp_cupti_batch_free(tp_cupti_batch *batch);

// First pass. `size` bytes of a record are there, more or fewer than the newest struct has.
void tp_cupti_index(tp_cupti_batch *batch, uint32_t kind, const void *record, size_t size);

// Second pass. False where the record makes no event. Events of memory still lack their totals.
bool tp_cupti_convert(tp_cupti_batch *batch, uint32_t kind, const void *record, size_t size,
                      tp_gpu_event *event);

// Until an event of memory has totals, `reserved` is what its pool holds now, or this.
enum { TP_CUPTI_NO_POOL = -1 };

// Sorts all events of memory that came in by time, in whatever order that was, and sets the totals.
void tp_cupti_sum_memory(tp_cupti_batch *batch, tp_gpu_event *events, size_t count);

// The memory that came with an overhead record, to be released with free(); NULL for all others.
void *tp_cupti_owned_data(uint32_t kind, const void *record, size_t size);

#endif
