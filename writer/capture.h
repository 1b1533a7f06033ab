// SPDX-License-Identifier: BSD-3-Clause
// One finished window: merged events, threads, devices, metadata; all that encoders see.
#ifndef WRITER_CAPTURE_H
#define WRITER_CAPTURE_H

#include "event.h"
#include "tprof/trace_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A thread of the process. Its place in the capture's array is its identity.
typedef struct tp_thread {
    int64_t tid;      // as the system numbers it
    const char *name; // interned; "" if unknown
} tp_thread;

// A device as the trace header wants it. Sizes in bytes.
typedef struct tp_device_info {
    int32_t id;
    const char *name; // interned
    int64_t total_global_memory;
    int32_t compute_major, compute_minor;
    int32_t max_threads_per_block, max_threads_per_multiprocessor;
    int32_t registers_per_block, warp_size;
    int64_t shared_memory_per_block;
    int32_t multiprocessors, registers_per_multiprocessor;
    int64_t shared_memory_per_block_optin, shared_memory_per_multiprocessor;
} tp_device_info;

typedef enum tp_gpu_kind {
    TP_GPU_KERNEL,
    TP_GPU_MEMCPY,
    TP_GPU_MEMSET,
    TP_GPU_RUNTIME, // a call of the CUDA runtime on a host thread
    TP_GPU_DRIVER,  // a call of the driver on a host thread
    TP_GPU_SYNC,
    TP_GPU_EVENT,      // cudaEventRecord on the device
    TP_GPU_OVERHEAD,   // of the profiler; pid -1, tid 0
    TP_GPU_MEMORY,     // the driver gave memory or took it back: "[memory]" on a host thread
    TP_GPU_ANNOTATION, // made by the capture: an annotation projected onto a stream
} tp_gpu_kind;

#define TP_GPU_NONE UINT32_MAX // no device, context or stream; not an int, so not an enum

typedef struct tp_kernel {
    int64_t queued_ns; // raw value of the record, 0 without latency timestamps
    int32_t grid[3], block[3];
    int32_t registers_per_thread;
    int32_t static_shared_memory, dynamic_shared_memory; // bytes
    double blocks_per_sm, warps_per_sm;                  // negative: unknown, not written
    int32_t occupancy_percent; // est. achieved, as kineto's; INT32_MIN: not written
    double occupancy_ratio;    // corrected for opt-in shared memory; negative: not written
    uint32_t graph_id;         // 0: not of a graph
    uint64_t graph_node_id;
    int32_t priority, channel, channel_type; // INT32_MIN: unknown
} tp_kernel;

typedef struct tp_copy { // memcpy and memset
    uint64_t bytes;
    uint32_t graph_id;
    uint64_t graph_node_id;
    bool peer; // the six ids below count
    uint32_t from_device, in_device, to_device;
    uint32_t from_context, in_context, to_context;
} tp_copy;

typedef struct tp_call { // runtime and driver
    int64_t pid, tid;
    uint32_t cbid;
    uint32_t return_value;
    // Whether ac2g arrows start here (launches, copies, synchronisation); others get an arrow's
    // end, as Kineto does.
    bool starts_flow;
} tp_call;

typedef struct tp_sync {
    const char *kind; // literal: "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"
    bool has_event;   // the three below count
    int64_t wait_on_stream, wait_on_event, wait_on_record_correlation; // -1: unknown
} tp_sync;

typedef struct tp_cuda_event {
    uint32_t event_id;
} tp_cuda_event;

typedef struct tp_device_memory { // a moment: begin_ns and end_ns are equal
    int64_t pid, tid;             // of the thread that asked for it; tid 0: unknown
    uint64_t address;
    int64_t bytes;               // negative when freed, 0 where only `reserved` changed
    int64_t allocated, reserved; // totals of the device after it; reserved is that of memory pools
} tp_device_memory;

// What a device, or the CUDA library on its behalf, did. pid and tid in the file are device and
// stream, of calls the host's.
typedef struct tp_gpu_event {
    tp_gpu_kind kind;
    const char *name;                 // interned or literal; demangled
    int64_t begin_ns, end_ns;         // since the epoch, in the trace's clock
    uint32_t device, context, stream; // TP_GPU_NONE where there is none
    uint32_t correlation;
    uint32_t op_id;         // id of the operator or range that launched it, 0: none
    uint32_t annotation_id; // id of the innermost annotation that it was launched in, 0: none
    union {
        tp_kernel kernel;
        tp_copy copy;
        tp_call call;
        tp_sync sync;
        tp_cuda_event event;
        tp_device_memory memory;
    };
} tp_gpu_event;

// A top-level key. `json` is valid JSON text.
typedef struct tp_metadata {
    char *key;
    char *json;
} tp_metadata;

typedef struct tp_capture {
    int64_t begin_ns, end_ns; // of the window, since the epoch
    int64_t base_ns;          // what times in a file count from
    int64_t pid;
    const char *process_name; // base name of the program; interned
    int64_t first_step;       // -1: steps are not marked
    int64_t last_step;
    int64_t batch_size;   // of the environment record, 0: unknown
    bool window_complete; // no later capture belongs to the same window
    bool record_shapes, profile_memory, with_stack, with_flops, with_modules;
    tp_thread *threads; // in order of first use
    uint32_t thread_count;
    uint64_t event_count; // of host events, details not counted
    tp_device_info *devices;
    uint32_t device_count;
    tp_gpu_event *gpu;
    size_t gpu_count, gpu_capacity;
    tp_metadata *metadata; // in order of key
    uint32_t metadata_count;
    uint64_t losses[TPROF_LOSS_COUNT];
    bool has_sequences;       // some operator has a sequence number
    struct tp_window *window; // private: clock, memory, count of owners
} tp_capture;

// A host event as encoders see it. Detail pointers lead into the capture.
typedef struct tp_record {
    tp_kind kind;
    uint32_t id;      // "External id", of modules and functions "Python id"; unique, never 0
    const char *name; // interned or literal, not escaped
    const tp_thread *thread;
    int64_t begin_ns, end_ns; // since the epoch; equal for moments
    union {
        double value;  // of counters
        int64_t bytes; // of memory events, negative when freed
    };
    const tp_op_detail *op; // each NULL where the event has none
    const tp_function_detail *function;
    const tp_memory_detail *memory;
    const tp_mark_detail *mark;
} tp_record;

// A walk over all host events. Those of one thread come in order of recording, which for ranges is
// that of their ends; between them may stand those of other threads. Plain fields, set by
// tp_cursor_begin().
typedef struct tp_cursor {
    const tp_capture *capture;
    const tp_thread *thread;
    const struct tp_part *part;
    uint32_t at;
    uint32_t next_id;
} tp_cursor;

tp_cursor tp_cursor_begin(const tp_capture *capture);

// False at the end. Any number of threads may each walk with a cursor of their own; ids are the
// same in every walk.
bool tp_cursor_next(tp_cursor *cursor, tp_record *record);

// A walk over the inputs of an operator.
typedef struct tp_inputs {
    const unsigned char *at, *end;
} tp_inputs;

typedef struct tp_input {
    const char *type; // "" if unknown
    const int64_t *sizes;
    const int64_t *strides; // or NULL
    int32_t dimensions;
    int32_t items;     // so many inputs follow that are items of this one
    const char *value; // or NULL
    bool tensor;       // false: sizes are not meant
} tp_input;

tp_inputs tp_inputs_begin(const tp_op_detail *op);
bool tp_inputs_next(tp_inputs *inputs, tp_input *input);

// Frames joined by ';', innermost first, with ';' at the end; interned. "" for NULL. Resolves
// addresses to names at its first call for a stack, so never on a thread that trains.
const char *tp_stack_text(const tp_stack *stack);

// For those who fill a capture; each returns false for lack of memory, and has counted the loss.
bool tp_capture_add_gpu(tp_capture *capture, const tp_gpu_event *event);
bool tp_capture_add_device(tp_capture *capture, const tp_device_info *device);
// A key that is there is replaced. Copies both texts; `json` must be valid JSON.
bool tp_capture_add_json(tp_capture *capture, const char *key, const char *json);
bool tp_capture_add_text(tp_capture *capture, const char *key, const char *text);

// One more owner, one owner less; the last one frees it. Any thread.
tp_capture *tp_capture_retain(tp_capture *capture);
void tp_capture_release(tp_capture *capture); // NULL is allowed

#endif
