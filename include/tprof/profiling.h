// SPDX-License-Identifier: BSD-3-Clause
// A profiler: which steps it records, what becomes of them, what the trace says of the program.
// Part of <tprof/tprof.h>, which is what programs include.
#ifndef TPROF_PROFILING_H
#define TPROF_PROFILING_H

#include "api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tprof_profiler tprof_profiler;

// ---- Schedule -----------------------------------------------------------------------------------

// Which steps are recorded, as torch.profiler.schedule(). Steps count from 0. After `skip_first`
// steps, cycles of `wait` idle steps, `warmup` steps that only get the collectors ready, and
// `active` recorded ones; `repeat` cycles, 0 means no end. With `skip_first_wait` the first cycle
// has no wait. All zero: no schedule; everything between start and stop is one window and steps
// are not marked.
typedef struct tprof_schedule {
    int32_t skip_first;
    int32_t wait;
    int32_t warmup;
    int32_t active;
    int32_t repeat;
    int32_t skip_first_wait; // any value but 0 means yes
} tprof_schedule;

// What the profiler does in a step.
typedef enum tprof_action {
    TPROF_ACTION_NONE,
    TPROF_ACTION_WARMUP,
    TPROF_ACTION_RECORD,
    TPROF_ACTION_RECORD_AND_SAVE,
} tprof_action;

// The action of `step`, counted from 0: always TPROF_ACTION_RECORD without a schedule, always
// TPROF_ACTION_NONE in one that tprof_create() refuses. Any thread.
TPROF_API tprof_action tprof_schedule_action(const tprof_schedule *schedule, int64_t step);

// ---- What to do with a finished window ----------------------------------------------------------

// Called by tprof_step() and tprof_stop(), on their thread, when a window is complete. It may call
// tprof_export_chrome_trace(), tprof_key_averages() and the other calls that read the last window.
typedef void (*tprof_trace_ready)(tprof_profiler *profiler, void *arg);

typedef struct tprof_handler {
    tprof_trace_ready call; // NULL: the window is kept for the exports, and that is all
    void *arg;
    void (*release)(void *arg); // called once by tprof_destroy(), or by a tprof_create() that fails
    tprof_status status;        // why the handler could not be made; tprof_create() returns it
    bool each_step;             // call at the end of each recorded step instead of each window
} tprof_handler;

typedef enum tprof_files {
    TPROF_FILE_PER_STEP,   // each recorded step is a file
    TPROF_FILE_PER_WINDOW, // the `active` steps of a cycle are one file
} tprof_files;

typedef struct tprof_tensorboard_options {
    tprof_files files;
    bool plain; // .pt.trace.json instead of .pt.trace.json.gz
    // Each window gets a run folder of its own, <dir>/<worker>_<time_ns>/, put in place complete. A
    // running TensorBoard reads a run folder only once, so this shows windows as they come.
    bool run_folders;
    bool scalars;       // also a tfevents file with step time, throughput and the like
    int32_t rank_count; // where above 0: only ranks below it write, the others record nothing
} tprof_tensorboard_options;

// A handler that writes <dir>/<worker>.<time_ns>.pt.trace.json.gz. `dir` is made with its parents;
// a relative one counts from where the program is now. `worker` NULL or "" means <host>_<process
// id>; characters that cannot be in a file name become '_'. Texts and options are copied; options
// NULL means all zero. Encoding, compression and writing happen on a thread of the handler; a file
// gets its name only when it is complete, and no file is ever replaced. What fails there is told by
// tprof_flush() and tprof_error(). One profiler a handler; it is released with the profiler.
TPROF_API tprof_handler tprof_tensorboard_trace_handler(const char *dir, const char *worker,
                                                        const tprof_tensorboard_options *options);

// ---- Life cycle ---------------------------------------------------------------------------------

#define TPROF_CPU  0x1u
#define TPROF_CUDA 0x2u

typedef struct tprof_config {
    unsigned activities; // TPROF_CPU | TPROF_CUDA; 0 means all there is
    tprof_schedule schedule;
    tprof_handler on_trace_ready;
    bool record_shapes;  // keep the inputs of operators
    bool profile_memory; // keep tprof_memory_allocate() and tprof_memory_free()
    bool with_stack;     // keep call stacks of operators and ranges
    bool with_flops;     // work out FLOPs from shapes where an operator does not state them
    bool with_modules;   // keep modules and functions
    // Bound for events in memory, those of an earlier window that is still being written included;
    // 0 means 256 MiB, and 16 GiB is the most. This and the two below hold from tprof_start() to
    // tprof_stop().
    size_t memory_bytes;
    // A long window has what is beyond half of that in a file without a name, in $TMPDIR, /var/tmp
    // or /tmp, of at most so many bytes; 0 means 16 times memory_bytes, and 1 TiB is the most.
    size_t spill_bytes;
    bool memory_only; // no such file: what does not fit is dropped and counted
} tprof_config;

// Makes a profiler; it records nothing before tprof_start(). The config is copied. On failure *out
// is NULL and the handler is released: TPROF_ERR_ARGUMENT for a schedule or activities that there
// are not. Without a usable GPU a profiler for all activities records the CPU and tprof_error()
// says why; one that asks for TPROF_CUDA alone fails with TPROF_ERR_GPU. One profiler may record at
// a time. Release with tprof_destroy().
TPROF_API TPROF_CHECK tprof_status tprof_create(const tprof_config *config, tprof_profiler **out);

// Begins with step 0. TPROF_ERR_STATE where this or another profiler records already;
// TPROF_ERR_MEMORY where no memory could be set aside for events.
TPROF_API tprof_status tprof_start(tprof_profiler *profiler);

// Ends a step and begins the next; a window that is complete is handed to the handler in this call.
TPROF_API tprof_status tprof_step(tprof_profiler *profiler);

// Ends recording; a window being recorded is complete now. tprof_start() may follow.
TPROF_API tprof_status tprof_stop(tprof_profiler *profiler);

// Waits until all files of the handler are written, and returns the first failure among them since
// the last call. No other call of a training loop waits for files.
TPROF_API TPROF_CHECK tprof_status tprof_flush(tprof_profiler *profiler);

// Stops, waits for the files and releases everything. NULL is allowed.
TPROF_API void tprof_destroy(tprof_profiler *profiler);

// The step that runs, counted from 0; inside a handler the one that comes next.
TPROF_API int64_t tprof_step_number(const tprof_profiler *profiler);

// Copies the text of the last failure ("" without one: which file, which call refused) and returns
// its full length, as snprintf() does. Any thread.
TPROF_API size_t tprof_error(const tprof_profiler *profiler, char *text, size_t size);

typedef struct tprof_stats {
    // Recorded in windows so far; those of a pending file may be missing until it is written.
    uint64_t events;
    uint64_t dropped_events; // lost because a bound, of memory or of NVTX ranges, was reached
    // Ranges that a window lacks a part of: begun in an earlier window and ended in this one, open
    // at its end, or ended by the range around them. Plain ranges, those of tprof_begin() without
    // with_stack and a GPU, are known by their ends alone: one that is open at a window's end
    // counts when it ends, and where nothing is recorded then, in no trace but here. What began
    // while nothing was recorded is no range and not counted.
    uint64_t cut_events;
    uint64_t gpu_events;        // work of devices and calls of CUDA in windows so far
    uint64_t dropped_gpu;       // device records that were lost
    uint64_t files;             // written and in place
    uint64_t failed_files;      // that could not be written
    uint64_t pending_files;     // being written in the background
    uint64_t written_bytes;     // as stored
    uint64_t memory_bytes;      // held for events now, by all profilers
    uint64_t peak_memory_bytes; // the most since the last tprof_start()
} tprof_stats;

// Any thread.
TPROF_API void tprof_get_stats(const tprof_profiler *profiler, tprof_stats *stats);

// Copies the path of the file written last ("" before) and returns its full length. Any thread.
TPROF_API size_t tprof_last_file(const tprof_profiler *profiler, char *path, size_t size);

// ---- What the trace says of the program ---------------------------------------------------------

// Adds a key of the trace's top level, copied; the same key again replaces the value. Holds for
// this and all later windows. Keys of the format itself are refused with TPROF_ERR_ARGUMENT. Any
// text is allowed: it is escaped, and bytes that are not UTF-8 become U+FFFD.
TPROF_API tprof_status tprof_add_metadata(tprof_profiler *profiler, const char *key,
                                          const char *value);

// The same with one JSON value as text; TPROF_ERR_ARGUMENT where that is not valid JSON.
TPROF_API tprof_status tprof_add_metadata_json(tprof_profiler *profiler, const char *key,
                                               const char *json);

// Who this process is among those that train together.
typedef struct tprof_distributed {
    const char *backend; // such as "nccl"; NULL: not written
    int32_t rank;
    int32_t world_size; // 0: unknown, nothing is written
} tprof_distributed;

// States rank and world size. Without this call they are taken from RANK and WORLD_SIZE, Slurm,
// Open MPI or PMI, in this order. Copied; NULL states that there is no such group.
TPROF_API tprof_status tprof_set_distributed(tprof_profiler *profiler,
                                             const tprof_distributed *distributed);

typedef struct tprof_version_entry {
    const char *name;
    const char *version;
} tprof_version_entry;

// What was run, so that two traces can be told comparable or not, and throughput be worked out.
// Unknown parts are NULL or 0.
typedef struct tprof_environment {
    const char *model;
    const char *input_shapes; // such as "[[32, 3, 224, 224]]"
    const char *dtype;
    const char *device;
    int64_t batch_size; // samples a step
    int32_t threads;
    const tprof_version_entry *versions; // of a name that stands twice the first
    int32_t version_count;
} tprof_environment;

// Copied, goes into this and later windows.
TPROF_API tprof_status tprof_set_environment(tprof_profiler *profiler,
                                             const tprof_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
