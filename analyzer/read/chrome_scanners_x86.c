// SPDX-License-Identifier: BSD-3-Clause
// The variants of the loop over events for x86-64, the best first.
#include "read/chrome.h"

const chrome_scanner *const CHROME_SCANNERS[] = {&CHROME_AVX2, &CHROME_SSE2, &CHROME_SCALAR, NULL};
