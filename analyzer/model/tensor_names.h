// SPDX-License-Identifier: BSD-3-Clause
// Matrix units (tensor cores, AMD's MFMA): what kernel and operator names tell of them.
#ifndef MODEL_TENSOR_NAMES_H
#define MODEL_TENSOR_NAMES_H

#include "base/text.h"
#include "base/value.h"

// Whether a kernel of this name runs on matrix units; unknown where the name cannot tell, as for
// Triton's and other generated kernels.
tristate kernel_uses_tensor_cores(text name);

// Whether an operator of this name does what matrix units can do.
bool operator_may_use_tensor_cores(text name);

#endif
