// SPDX-License-Identifier: BSD-3-Clause
// A stand-in for the CUDA driver and runtime: libcuda.so.1 that "runs" work by the clock, and tells
// the stand-in of CUPTI what happens. Programs use CUDA's own functions; only how long work takes,
// and what a kernel looks like, they say through this header.
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdint.h>

#define FAKE_API __attribute__((visibility("default")))

// A kernel to launch: its (mangled) name, how long it runs, and what its record shows.
typedef struct fake_kernel {
    const char *name;
    uint64_t duration_ns;
    uint16_t registers;
    int32_t static_shared_memory;
} fake_kernel;

// How long the next copy, memset or peer copy takes.
FAKE_API void fake_copy_duration(uint64_t duration_ns);

// Between the two, devices only take work; then they begin all at once. So the times at which work
// runs do not hang on how fast the host launches it.
FAKE_API void fake_hold(void);
FAKE_API void fake_release(void);

// ---- What the driver tells CUPTI; times are those of CLOCK_MONOTONIC

typedef struct fake_call {
    uint32_t kind;        // CUPTI's: 4 driver, 5 runtime
    uint32_t callback_id; // CUPTI's
    uint64_t start_ns, end_ns;
    uint32_t correlation;
    uint32_t thread;
} fake_call;

typedef struct fake_work {
    uint32_t kind; // CUPTI's: 10 kernel, 1 memcpy, 2 memset, 22 peer copy
    const fake_kernel *kernel;
    int32_t grid[3], block[3], dynamic_shared_memory;
    uint8_t copy_kind, from, to; // CUPTI's
    uint64_t bytes;
    uint64_t start_ns, end_ns;
    uint32_t device, context, stream, target_device;
    uint32_t correlation;
    uint32_t graph;
    uint64_t graph_node;
} fake_work;

typedef struct fake_wait {
    uint32_t type; // CUPTI's: 1 event, 2 stream for event, 3 stream, 4 context
    uint64_t start_ns, end_ns;
    uint32_t correlation, context, stream, event;
    uint64_t recording; // which recording of the event is waited for
} fake_wait;

typedef struct fake_event {
    uint32_t correlation, context, device, stream, event;
    uint64_t at_ns, recording;
} fake_event;

typedef struct fake_memory {
    uint32_t operation; // CUPTI's: 1 allocated, 2 released
    uint64_t address, bytes, at_ns;
    uint32_t correlation, device, context;
} fake_memory;

// The stand-in of CUPTI has one of these, named fake_cupti_sink.
typedef struct fake_sink {
    void (*call)(const fake_call *call);
    void (*work)(const fake_work *work);
    void (*wait)(const fake_wait *wait);
    void (*event)(const fake_event *event);
    void (*memory)(const fake_memory *memory);
    // An overhead of CUPTI itself, with memory that whoever reads the record is to free().
    void (*overhead)(uint64_t start_ns, uint64_t end_ns, void *data);
} fake_sink;

#endif
