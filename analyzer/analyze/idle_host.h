// SPDX-License-Identifier: BSD-3-Clause
// The classes of a log without device work: operators are the compute, waits the idle time.
#ifndef ANALYZE_IDLE_HOST_H
#define ANALYZE_IDLE_HOST_H

#include "analyze/idle.h"

// Fills the device and the classes of a row for each step of `s`.
void idle_host_fill(const span *s, class_row *rows);

#endif
