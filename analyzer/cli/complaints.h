// SPDX-License-Identifier: BSD-3-Clause
// What went wrong with the inputs, on standard error: each kind of trouble once.
#ifndef CLI_COMPLAINTS_H
#define CLI_COMPLAINTS_H

#include "cli/job.h"

// Tells of inputs that failed or were bent, and where nothing was usable, what was looked at.
void complain(const job *j, uint32_t usable);

#endif
