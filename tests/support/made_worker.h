// SPDX-License-Identifier: BSD-3-Clause
// A worker for tests of analyses, from scripts of a line an event:
//
//   step 3 main 0 1000              ProfilerStep#3 on thread main, from 0 to 1000 ns
//   op aten::mm main 10 60          annotation, loader (by iterator), python likewise
//   call cudaLaunchKernel main c1 10 15
//   kernel gemm 7 c1 100 200        on stream 7 of device 0; 3:7 is stream 7 of device 3
//   copy Memcpy_HtoD 7 - 100 200    set likewise; - is no correlation; _ in a name is a blank
//   window 0 1000                   of the recording
//   meta batch_size 8               a top-level key, raw JSON without blanks
//
// A kernel may end with blocks per SM and occupancy in percent: kernel gemm 7 c1 100 200 0.5 50
#ifndef SUPPORT_MADE_WORKER_H
#define SUPPORT_MADE_WORKER_H

#include "analyze/worker.h"

typedef struct made_worker {
    arena *arena;
    span spans[4];
    worker worker;
} made_worker;

// A span for each of `count` scripts (at most 4), named "1", "2", ... Close with
// made_worker_close().
void made_worker_open(made_worker *m, const char *const *scripts, uint32_t count);
void made_worker_close(made_worker *m);

#endif
