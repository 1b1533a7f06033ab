// SPDX-License-Identifier: BSD-3-Clause
// Pure: the words that traces use for CUPTI's numbers and names.
#ifndef GPU_CUPTI_NAMES_H
#define GPU_CUPTI_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// "HtoD" of CUpti_ActivityMemcpyKind; "Unknown" for any other number.
const char *tp_cupti_copy_direction(uint32_t copy_kind);

// "Pageable" of CUpti_ActivityMemoryKind; "Unknown" for any other number.
const char *tp_cupti_memory_word(uint32_t memory_kind);

// "Memcpy HtoD (Pageable -> Device)" into `text`, cut to `size`.
void tp_cupti_copy_name(uint32_t copy_kind, uint32_t from, uint32_t to, char *text, size_t size);

// A literal: "Event Sync" of CUpti_ActivitySynchronizationType, NULL for any other number.
const char *tp_cupti_sync_word(uint32_t type);

// A literal: "Buffer Flush" of CUpti_ActivityOverheadKind; "Unrecognized" for numbers to come.
const char *tp_cupti_overhead_word(uint32_t overhead_kind);

// A literal: what the compiler inside the driver did, "JIT Compile (PTX to cubin)".
const char *tp_cupti_jit_word(uint32_t entry_type, uint32_t operation);

// A literal: "cudaMemPool created", of CUpti_ActivityMemoryPoolOperationType.
const char *tp_cupti_pool_word(uint32_t operation);

// The length of an API function's name without the version behind it: "cudaLaunchKernel" of
// "cudaLaunchKernel_v7000". "cuMemcpyDtoH_v2" has none: only four digits or more are a version.
size_t tp_cupti_api_length(const char *name);

// Whether a runtime function stands in traces; queries that programs make all the time do not.
bool tp_cupti_runtime_is_kept(const char *name);

// The same of the driver's: launches, copies, waits and memory mapping stand in traces, all else
// does not.
bool tp_cupti_driver_is_kept(const char *name);

// Whether arrows to device work start at this function: launches, copies and waits.
bool tp_cupti_starts_flow(const char *name);

#endif
