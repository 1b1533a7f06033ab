// SPDX-License-Identifier: BSD-3-Clause
// Pure: the floating-point operations of an operator, from its name and inputs.
#ifndef WRITER_FLOPS_H
#define WRITER_FLOPS_H

#include "tprof/tprof.h"

// By torch's formulas for matrix products, convolution, addition and multiplication; 0 for others,
// where the inputs do not fit, and beyond 64 bits.
uint64_t tp_flops(const tprof_op *op);

#endif
