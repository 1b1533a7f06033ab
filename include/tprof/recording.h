// SPDX-License-Identifier: BSD-3-Clause
// What is recorded: ranges, operators, moments. Any thread, at any time.
// Part of <tprof/tprof.h>, which is what programs include.
#ifndef TPROF_RECORDING_H
#define TPROF_RECORDING_H

#include "api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording: ranges --------------------------------------------------------------------------

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

// An open range. Ends on the thread on which it began, inner ranges first: one that the range
// around it ended is lost, and counted. A copy of a scope that ended, or one of another thread,
// ends nothing; only plain ranges, those of tprof_begin(), are not checked, and recorded again. Two
// words, so that a compiler can keep them in registers; where `name` is NULL nothing is recorded.
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

// A range whose name is copied. Names are kept once and whole, for the life of the process, 16 MiB
// of them; new ones for which there is no room become "(more names)".
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

// ---- Recording: operators -----------------------------------------------------------------------

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
    // Frames "file(line): function" joined by ';', innermost first, for with_stack; NULL: the stack
    // of this call.
    const char *stack;
} tprof_op;

// Opens an operator. Closed by tprof_end().
TPROF_API tprof_scope tprof_op_begin(const tprof_op *op);

// The next sequence number of the process, from 1. Any thread.
TPROF_API int64_t tprof_sequence_next(void);

// The calling thread's id in traces, as the system numbers it.
TPROF_API uint64_t tprof_thread_id(void);

// Names the calling thread in traces. At most 80 bytes of the name are copied, none of a character
// that does not fit; also without a profiler.
TPROF_API void tprof_thread_name(const char *name);

// ---- Recording: moments -------------------------------------------------------------------------

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

#ifdef __cplusplus
}
#endif

#endif
