// SPDX-License-Identifier: BSD-3-Clause
// What a program says of a range or a mark, as far as its NVTX knows it.
#ifndef INJECT_NVTX_ATTRIBUTES_H
#define INJECT_NVTX_ATTRIBUTES_H

#include "inject/nvtx_ranges.h"

// A range that has not begun; `attributes` may be NULL. Any thread.
tp_nvtx_range tp_nvtx_describe(nvtx_domain domain, const nvtx_attributes *attributes);

#endif
