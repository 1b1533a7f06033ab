// SPDX-License-Identifier: BSD-3-Clause
// What every call of libtprof has in common: statuses, version.
// Part of <tprof/tprof.h>, which is what programs include.
#ifndef TPROF_API_H
#define TPROF_API_H

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

// Version of the library in use, such as "0.1.0", and what was built into it, such as "deflate by
// isa-l, cupti"; the latter is the calling thread's until its next call.
TPROF_API const char *tprof_version(void);
TPROF_API const char *tprof_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
