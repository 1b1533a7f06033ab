// SPDX-License-Identifier: BSD-3-Clause
// Pure: the converters of single kinds, between cupti_convert.c and the files that define them.
#ifndef GPU_CUPTI_CONVERT_H
#define GPU_CUPTI_CONVERT_H

#include "gpu/cupti_records.h"

// Whether the library that wrote a record of `size` bytes knows a field.
#define TP_CUPTI_HAS(type, field, size)                                                            \
    ((size) >= offsetof(type, field) + sizeof(((type *)0)->field))

// Sets times, correlation and owners. False for work without times, which is counted.
bool tp_convert_common(tp_cupti_batch *batch, uint64_t start, uint64_t end, uint32_t correlation,
                       tp_gpu_event *event);

// Each as tp_cupti_convert(), of records of its kind.
typedef bool (*tp_converter)(tp_cupti_batch *batch, const void *record, size_t size,
                             tp_gpu_event *event);

// cupti_work.c: what devices do.
bool tp_convert_kernel(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_memcpy(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_peer(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_memset(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_decompress(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event);
bool tp_convert_graph(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);

// cupti_waits.c: who waits for whom.
bool tp_convert_sync(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_cuda_event(tp_cupti_batch *batch, const void *record, size_t size,
                           tp_gpu_event *event);

// cupti_memory.c: what the driver gives and takes back.
bool tp_convert_memory(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);
bool tp_convert_pool(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);

#endif
