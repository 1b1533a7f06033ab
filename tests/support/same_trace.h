// SPDX-License-Identifier: BSD-3-Clause
// Whether two traces are the same to the last number, whatever arenas they are in.
#ifndef SUPPORT_SAME_TRACE_H
#define SUPPORT_SAME_TRACE_H

#include "model/trace.h"

// NULL, or the name of a part in which they differ. Bytes read and links are not looked at.
const char *trace_difference(const trace *x, const trace *y);

#endif
