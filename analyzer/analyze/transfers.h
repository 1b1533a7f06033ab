// SPDX-License-Identifier: BSD-3-Clause
// Copies from and to pageable host memory, which the driver must stage and cannot overlap.
#ifndef ANALYZE_TRANSFERS_H
#define ANALYZE_TRANSFERS_H

#include "analyze/worker.h"

// Of copies that begin inside the steps that statistics use.
typedef struct transfers {
    int64_t copies, copies_ns;
    int64_t pageable, pageable_ns, pageable_bytes;
    int64_t pageable_blocking; // launched by a call that returns only when all is copied
} transfers;

transfers transfers_analyze(const worker *w);

#endif
