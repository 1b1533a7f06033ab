// SPDX-License-Identifier: BSD-3-Clause
// A line for each of several workers, or of a worker's spans.
#ifndef CLI_WORKER_TABLE_H
#define CLI_WORKER_TABLE_H

#include "cli/job.h"

// Of all that could be analysed, slowest first; with --by span the spans. Its texts live as long as
// the job.
table worker_table(const job *j);

#endif
