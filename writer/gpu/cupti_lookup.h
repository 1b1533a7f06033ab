// SPDX-License-Identifier: BSD-3-Clause
// What CUPTI's numbers and pointers in records stand for, each asked for once.
#ifndef GPU_CUPTI_LOOKUP_H
#define GPU_CUPTI_LOOKUP_H

#include "gpu/cupti_library.h"
#include "gpu/cupti_records.h"
#include "gpu/link_map.h"

enum { TP_LOOKUP_FUNCTIONS = 2048 }; // per domain; there are some 500 and 900

// One thread at a time. All zero but `cupti` is an empty one.
typedef struct tp_cupti_lookup {
    const tp_cupti *cupti;
    tp_cupti_function functions[2][TP_LOOKUP_FUNCTIONS]; // of the runtime, of the driver
    CUptiResult refused;                                 // the first that was no name
    tp_link_map kernels; // pointer of a record's name -> interned name
} tp_cupti_lookup;

// Never NULL; a function that CUPTI does not name is "INVALID".
const tp_cupti_function *tp_lookup_function(tp_cupti_lookup *lookup, bool driver, uint32_t id);

// Demangled and interned. Records of one kernel share the pointer.
const char *tp_lookup_kernel(tp_cupti_lookup *lookup, const char *mangled);

// Pointers may be others' from now on.
void tp_lookup_forget_kernels(tp_cupti_lookup *lookup);
void tp_lookup_free(tp_cupti_lookup *lookup);

#endif
