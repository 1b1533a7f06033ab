// SPDX-License-Identifier: BSD-3-Clause
// Finds the machine's CUPTI at run time, and what this copy of it can do.
#ifndef GPU_CUPTI_LIBRARY_H
#define GPU_CUPTI_LIBRARY_H

#include "gpu/cupti_records.h"

#include <cupti.h>

#include <stdbool.h>

// Functions that every supported library has, CUDA 11 to 13.
#define TP_CUPTI_FUNCTION_MAP(X)                                                                   \
    X(cuptiGetVersion)                                                                             \
    X(cuptiGetTimestamp)                                                                           \
    X(cuptiGetResultString)                                                                        \
    X(cuptiGetCallbackName)                                                                        \
    X(cuptiSubscribe)                                                                              \
    X(cuptiUnsubscribe)                                                                            \
    X(cuptiSetThreadIdType)                                                                        \
    X(cuptiActivityRegisterCallbacks)                                                              \
    X(cuptiActivityEnable)                                                                         \
    X(cuptiActivityDisable)                                                                        \
    X(cuptiActivityFlushAll)                                                                       \
    X(cuptiActivityFlushPeriod)                                                                    \
    X(cuptiActivityGetNextRecord)                                                                  \
    X(cuptiActivityGetNumDroppedRecords)                                                           \
    X(cuptiActivityPushExternalCorrelationId)                                                      \
    X(cuptiActivityPopExternalCorrelationId)

typedef struct tp_cupti {
    void *handle;
#define X(name) __typeof__(name) *name;
    TP_CUPTI_FUNCTION_MAP(X)
#undef X
    // Came with 12.x, the headers of the build may not have them; NULL where the library has not.
    CUptiResult (*enable_runtime_api)(CUpti_CallbackId id, uint8_t enable);
    CUptiResult (*enable_driver_api)(CUpti_CallbackId id, uint8_t enable);
    CUptiResult (*enable_event_timestamps)(uint8_t enable);
    CUptiResult (*enable_and_dump)(CUpti_ActivityKind kind);
    uint32_t version; // as cuptiGetVersion() tells it
    tp_cupti_sizes sizes;
} tp_cupti;

// Environment variable that names the library to use.
#define TP_CUPTI_PATH_VARIABLE "TPROF_CUPTI_PATH"

// Loads the library. On failure false, and `why` says what was tried.
bool tp_cupti_load(tp_cupti *cupti, char *why, size_t size);

// The size of each kind's record, as the loaded library's own iterator steps over them.
void tp_cupti_probe_sizes(const tp_cupti *cupti, tp_cupti_sizes *sizes);

// CUPTI's name of a result, a literal of the library; "unknown result" where it has none.
const char *tp_cupti_result_text(const tp_cupti *cupti, CUptiResult result);

#endif
