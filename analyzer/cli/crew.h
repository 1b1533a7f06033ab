// SPDX-License-Identifier: BSD-3-Clause
// Reads all inputs of a job by several threads. The thread that reads a worker's last input also
// reports the worker, so no more traces are in memory than threads need.
#ifndef CLI_CREW_H
#define CLI_CREW_H

#include "cli/job.h"

void crew_run(job *j);

#endif
