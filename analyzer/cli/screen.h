// SPDX-License-Identifier: BSD-3-Clause
// What standard output is like, and what people are told at the report's end.
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "cli/job.h"

report_style screen_style(const options *o, report_detail detail);

// Sentences that say how to see more; in the job's arena.
const char *const *hints_for(const job *j, uint32_t *count);

#endif
