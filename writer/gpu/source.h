// SPDX-License-Identifier: BSD-3-Clause
// Where GPU activity comes from. source_cupti.c and source_none.c define these; the build takes
// one, tests bring a third. The profiler's thread makes all calls, but for push and pop.
#ifndef GPU_SOURCE_H
#define GPU_SOURCE_H

#include "capture.h"
#include "tprof/tprof.h"

#include <stdbool.h>
#include <stdint.h>

// Loads the library. TPROF_ERR_GPU where there is none or it refuses; tp_gpu_error() says why.
tprof_status tp_gpu_open(void);

// Asks for the memory that the driver gives and takes back, as TP_GPU_MEMORY events. Called before
// tp_gpu_open(); holds until tp_gpu_close().
void tp_gpu_track_memory(void);

// Enables collection for warm-up; what it brings is discarded by tp_gpu_start(). May be left out.
tprof_status tp_gpu_prepare(void);

// From now on device work counts. Waits for earlier work of the devices.
tprof_status tp_gpu_start(void);

// Waits for the devices and brings in what is outstanding; collection goes on.
void tp_gpu_flush(void);

// Ends collection; returns once all work is flushed.
void tp_gpu_stop(void);

// Moves what was brought in to `into`: events that lie within [begin_ns, end_ns], devices, version
// keys (cupti_version, ...), losses. Sets op_id and annotation_id of each event from what was
// pushed when it was launched. Times are those of the trace's clock, see tp_clock_from_realtime().
void tp_gpu_collect(tp_capture *into);

// Releases everything; tp_gpu_open() may follow. Allowed where opening failed.
void tp_gpu_close(void);

// Around fork(). A child whose parent has a driver in use cannot use the device: its source opens
// no more, and says so.
void tp_gpu_before_fork(void);
void tp_gpu_in_parent(void);
void tp_gpu_in_child(void);

// The first calls that refused and why, as one line; "" without a failure. Where collection works
// all the same, the traces have less. Valid until the next call.
const char *tp_gpu_error(void);

// For tprof_build_info(): "cupti" or "no cupti".
const char *tp_gpu_source_name(void);

// What launches are linked to: both are kept, the innermost of each kind counts.
typedef enum tp_gpu_link {
    TP_GPU_LINK_OP,         // ranges, operators, loaders, steps
    TP_GPU_LINK_ANNOTATION, // annotations and steps, projected onto the device
} tp_gpu_link;

// Work that the calling thread launches until the pop belongs to `id`. Any thread. A push comes
// between start and stop, its pop maybe after the stop; pops come in any order, and one of an id
// that is not pushed does nothing. Cheap, never fails.
void tp_gpu_push(tp_gpu_link link, uint32_t id);
void tp_gpu_pop(tp_gpu_link link, uint32_t id);

#endif
