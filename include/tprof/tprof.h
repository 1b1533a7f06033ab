// SPDX-License-Identifier: BSD-3-Clause
// libtprof records a training program the way torch.profiler records a Python one, and writes the
// logs that TensorBoard, Perfetto and tprof-analyze open. C11 and C++.
//
//     tprof_config config = {
//         .schedule = {.wait = 1, .warmup = 1, .active = 3},
//         .on_trace_ready = tprof_tensorboard_trace_handler("./log", NULL, NULL),
//     };
//     tprof_profiler *profiler;
//     tprof_create(&config, &profiler);
//     tprof_start(profiler);
//     for (int step = 0; step < steps; step++) {
//         {
//             TPROF_SCOPE("forward");
//             forward();
//         }
//         tprof_step(profiler);
//     }
//     tprof_stop(profiler);
//     tprof_destroy(profiler);
//
// The library never prints, exits, aborts or throws. Calls that can fail return a status; calls on
// the hot path cannot: where there is no memory they drop the event and count it, and the count
// stands in the trace and in tprof_get_stats(). Every field's zero is its default, so
// `tprof_config config = {0};` is valid and stays so as fields are added.
//
// Calls with a profiler are made by one thread at a time, the training thread; all that record
// (scopes, operators, instants, counters, memory) by any thread at any time, also before
// tprof_create() and after tprof_destroy(), when they do nothing. After fork() the child records
// nothing until it makes a profiler of its own; the parent's, in the child, can only be destroyed.
#ifndef TPROF_TPROF_H
#define TPROF_TPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPROF_API __attribute__((visibility("default")))

// Asks the compiler to warn where the result is not looked at.
#define TPROF_CHECK __attribute__((warn_unused_result))

#define TPROF_STATUS_MAP(X)                                                                        \
    X(OK, "success")                                                                               \
    X(ERR_ARGUMENT, "argument out of range")                                                       \
    X(ERR_MEMORY, "out of memory")                                                                 \
    X(ERR_STATE, "call not allowed in the profiler's state")                                       \
    X(ERR_IO, "cannot write the file")                                                             \
    X(ERR_EXISTS, "file exists already")                                                           \
    X(ERR_GPU, "no GPU activity source on this machine")

typedef enum tprof_status {
#define X(name, text) TPROF_##name,
    TPROF_STATUS_MAP(X)
#undef X
} tprof_status;

// A literal that says what the status means; "unknown status" for any other number.
TPROF_API const char *tprof_status_text(tprof_status status);

// Version of the library in use, such as "0.1.0", and what was built into it, such as "zlib 1.2.13,
// isa-l, cupti".
TPROF_API const char *tprof_version(void);
TPROF_API const char *tprof_build_info(void);

typedef struct tprof_profiler tprof_profiler;

// ---- Schedule ----------------------------------------------------------------------------------

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

// The action of `step` (0 or more) in a schedule with active > 0. Any thread.
TPROF_API tprof_action tprof_schedule_action(const tprof_schedule *schedule, int64_t step);

// ---- What to do with a finished window
// -----------------------------------------------------------

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

// A handler that writes <dir>/<worker>.<time_ns>.pt.trace.json.gz. `dir` is made with its parents.
// `worker` NULL or "" means <host>_<process id>; characters that cannot be in a file name become
// '_'. Texts and options are copied; options NULL means all zero. Encoding, compression and writing
// happen on a thread of the handler; a file gets its name only when it is complete, and no file is
// ever replaced. What fails there is told by tprof_flush() and tprof_error(). One profiler a
// handler; it is released with the profiler.
TPROF_API tprof_handler tprof_tensorboard_trace_handler(const char *dir, const char *worker,
                                                        const tprof_tensorboard_options *options);

// ---- Life cycle
// ----------------------------------------------------------------------------------

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
    size_t memory_bytes; // bound for recorded events; 0 means 256 MiB
    // A long window has what is beyond half of that in a file without a name, in $TMPDIR, /var/tmp
    // or /tmp, of at most so many bytes; 0 means 16 times memory_bytes.
    size_t spill_bytes;
    bool memory_only; // no such file: what does not fit is dropped and counted
} tprof_config;

// Makes a profiler; it records nothing before tprof_start(). The config is copied. On failure *out
// is NULL and the handler is released. Without a usable GPU a profiler for all activities records
// the CPU and tprof_error() says why; one that asks for TPROF_CUDA alone fails with TPROF_ERR_GPU.
// One profiler may record at a time. Release with tprof_destroy().
TPROF_API TPROF_CHECK tprof_status tprof_create(const tprof_config *config, tprof_profiler **out);

// Begins with step 0. TPROF_ERR_STATE where this or another profiler records already.
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
    uint64_t events;         // recorded in windows so far
    uint64_t dropped_events; // lost because the memory bound was reached
    uint64_t cut_events;     // ranges begun before their window
    uint64_t dropped_gpu;    // device records that were lost
    uint64_t files;          // written and in place
    uint64_t failed_files;   // that could not be written
    uint64_t pending_files;  // being written in the background
    uint64_t written_bytes;  // as stored
    uint64_t memory_bytes;   // held for events now
    uint64_t peak_memory_bytes;
} tprof_stats;

// Any thread.
TPROF_API void tprof_get_stats(const tprof_profiler *profiler, tprof_stats *stats);

// Copies the path of the file written last ("" before) and returns its full length. Any thread.
TPROF_API size_t tprof_last_file(const tprof_profiler *profiler, char *path, size_t size);

// ---- Recording: ranges
// ---------------------------------------------------------------------------

// Not to be used directly: what is wanted now, 0 for nothing; and the bit that says that a plain
// range needs no more than the processor's counter.
TPROF_API extern int tprof_recording_;
enum { TPROF_PLAIN_RANGES_ = 0x100 };

// Whether a window is being recorded. For work that is only done for the trace.
static inline bool tprof_recording(void)
{
    return __builtin_expect(__atomic_load_n(&tprof_recording_, __ATOMIC_RELAXED) != 0, 0);
}

// Not to be used directly. Where there is no such counter the bit above is never set.
#if defined(__x86_64__)
static inline uint64_t tprof_ticks_(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static inline uint64_t tprof_ticks_(void)
{
    return 0;
}
#endif

// An open range. Ends on the thread on which it began, inner ranges first. Two words, so that a
// compiler can keep them in registers; where `name` is NULL nothing is recorded.
typedef struct tprof_scope {
    const char *name;
    uint64_t begin; // in ticks of the recorder's clock, or the recorder's own number
} tprof_scope;

// Not to be used directly.
TPROF_API tprof_scope tprof_scope_open_(const char *name);
TPROF_API void tprof_scope_close_(const char *name, uint64_t begin);

// Opens a range, which every viewer counts as an operator. `name` is not copied and must outlive
// the profiler; it is best a literal.
static inline tprof_scope tprof_begin(const char *name)
{
    tprof_scope scope = {NULL, 0};
    const int wanted = __atomic_load_n(&tprof_recording_, __ATOMIC_RELAXED);
    if (__builtin_expect(wanted == 0, 1))
        return scope;
    if (!(wanted & TPROF_PLAIN_RANGES_))
        return tprof_scope_open_(name);
    scope.name = name;
    scope.begin = tprof_ticks_();
    return scope;
}

// Closes a range of any kind; does nothing where none was opened, or the second time.
static inline void tprof_end(tprof_scope *scope)
{
    if (__builtin_expect(scope->name != NULL, 0))
        tprof_scope_close_(scope->name, scope->begin);
    scope->name = NULL;
}

#define TPROF_JOIN_(a, b) a##b
#define TPROF_JOIN(a, b)  TPROF_JOIN_(a, b)

// A range that closes by itself at the end of the enclosing block.
#define TPROF_SCOPE(name)                                                                          \
    tprof_scope TPROF_JOIN(tprof_scope_, __LINE__) __attribute__((cleanup(tprof_end), unused)) =   \
        tprof_begin(name)

// A range whose name is copied. Names are kept once, for the life of the process, 16 MiB of them;
// later new ones become "(more names)".
TPROF_API tprof_scope tprof_begin_copy(const char *name);

// A user annotation, torch's record_function(): a range of the program's own that is no operator
// and is projected onto the device work launched inside. The name is copied.
TPROF_API tprof_scope tprof_annotation_begin(const char *label);

// A wait for the data loader `loader`, written as enumerate(DataLoader)#<loader>.__next__. A loader
// that loads on the training thread is best named _SingleProcessDataLoaderIter, one with workers
// _MultiProcessingDataLoaderIter: viewers tell the two by these names. The name is copied.
TPROF_API tprof_scope tprof_dataloader_begin(const char *loader);

// A module, a layer of the model, such as "Linear_3"; `id` (0 or more) tells instances of one name
// apart. Needs with_modules. The name is copied.
TPROF_API tprof_scope tprof_module_begin(const char *name, int64_t id);

// A function of the program, such as "train.c(41): train_step". Needs with_modules. The name is
// copied.
TPROF_API tprof_scope tprof_function_begin(const char *name);

// ---- Recording: operators
// ------------------------------------------------------------------------

// One input of an operator. A list of tensors has items instead of sizes.
typedef struct tprof_input {
    const char *type;       // "float", "c10::BFloat16", "long int", "Scalar", "TensorList", ...
    const int64_t *sizes;   // `dimensions` of them, in elements; NULL for what is no tensor
    const int64_t *strides; // the same number, or NULL
    int32_t dimensions;
    const char *value; // printed, for a scalar or a list of them; NULL for a tensor
    const struct tprof_input *items;
    int32_t item_count;
} tprof_input;

// What is known of an operator's call. Must stay as it is until tprof_end(), the sizes too; names
// and types need not outlive it.
typedef struct tprof_op {
    const char *name; // such as "aten::mm"
    const tprof_input *inputs;
    int32_t input_count;
    // Links a backward operator to its forward one: both have the same number, above 0, and the
    // backward one the id of the forward's thread, 0 meaning its own.
    int64_t sequence;
    bool backward;
    uint64_t forward_thread; // tprof_thread_id() of the thread of the forward operator
    uint64_t flops;          // 0: unknown
    const char *stack; // frames "file(line): function" joined by ';', innermost first, or NULL
} tprof_op;

// Opens an operator. Closed by tprof_end().
TPROF_API tprof_scope tprof_op_begin(const tprof_op *op);

// The next sequence number of the process, from 1. Any thread.
TPROF_API int64_t tprof_sequence_next(void);

// The calling thread's id in traces, as the system numbers it.
TPROF_API uint64_t tprof_thread_id(void);

// Names the calling thread in traces. The name is copied; also without a profiler.
TPROF_API void tprof_thread_name(const char *name);

// ---- Recording: moments
// --------------------------------------------------------------------------

// Something that happened at one moment on this thread. `name` as in tprof_begin().
TPROF_API void tprof_instant(const char *name);

// The value of a quantity from now on. `name` as in tprof_begin(); NaN and infinities are dropped.
TPROF_API void tprof_counter(const char *name, double value);

typedef enum tprof_device_type {
    TPROF_DEVICE_CPU = 0,
    TPROF_DEVICE_CUDA = 1,
} tprof_device_type;

// Where memory lies: `index` is the number of the device, and not looked at for the CPU.
typedef struct tprof_device {
    tprof_device_type type;
    int32_t index;
} tprof_device;

enum { TPROF_DEVICES = 64 }; // devices with totals of their own; calls for higher ones are dropped

// `bytes` at `address` were allocated or freed. Running totals per device are kept while
// profile_memory is on and a profiler exists, whether or not a window is recorded.
TPROF_API void tprof_memory_allocate(tprof_device device, const void *address, size_t bytes);
TPROF_API void tprof_memory_free(tprof_device device, const void *address, size_t bytes);

// What the program's allocator holds from the system on `device`, in bytes; written with each
// later allocation as the reserved total.
TPROF_API void tprof_memory_reserved(tprof_device device, size_t bytes);

// ---- What the trace says of the program
// ----------------------------------------------------------

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
    const tprof_version_entry *versions;
    int32_t version_count;
} tprof_environment;

// Copied, goes into this and later windows.
TPROF_API tprof_status tprof_set_environment(tprof_profiler *profiler,
                                             const tprof_environment *environment);

// ---- Reading the last window
// --------------------------------------------------------------------- The last window (with
// each_step: the last step) that was complete stays readable until the next window begins.
// TPROF_ERR_STATE where there is none.

// Writes it as a Chrome trace, compressed where `path` ends in .gz, in this call. The file gets its
// name when it is complete; one that exists is not replaced (TPROF_ERR_EXISTS).
TPROF_API TPROF_CHECK tprof_status tprof_export_chrome_trace(tprof_profiler *profiler,
                                                             const char *path);

// ---- Tables and stacks
// ---------------------------------------------------------------------------

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

// ---- Latency
// -------------------------------------------------------------------------------------

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
// (a batch), at least 1. On failure *out is NULL.
TPROF_API TPROF_CHECK tprof_status tprof_latency_create(uint64_t warmup, uint64_t items,
                                                        tprof_latency **out);
TPROF_API void tprof_latency_destroy(tprof_latency *latency); // NULL is allowed

// Begins a sample, ends it and keeps it; or takes one measured by the program. TPROF_ERR_MEMORY
// where it could not be kept, TPROF_ERR_STATE for an end without a begin.
TPROF_API void tprof_latency_begin(tprof_latency *latency);
TPROF_API tprof_status tprof_latency_end(tprof_latency *latency);
TPROF_API tprof_status tprof_latency_add(tprof_latency *latency, int64_t duration_ns);

// All zero without a sample beyond the warm-up.
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
