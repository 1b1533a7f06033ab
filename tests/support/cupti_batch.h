// SPDX-License-Identifier: BSD-3-Clause
// What the parsing of CUPTI's records asks for, in a form that tests can tell; and both passes.
#ifndef SUPPORT_CUPTI_BATCH_H
#define SUPPORT_CUPTI_BATCH_H

#include "gpu/cupti_records.h"

#include "support/cmocka_all.h"

// cmocka's fixture: *state is a tp_cupti_batch. Callback ids 0, 1, 2 are cudaLaunchKernel,
// cudaGetDevice and cudaMalloc; times in the trace are a millisecond later; device 0 is an H100.
int batch_setup(void **state);
int batch_teardown(void **state);

// Both passes over one record.
bool batch_convert(tp_cupti_batch *batch, const void *record, size_t size, tp_gpu_event *event);

#endif
