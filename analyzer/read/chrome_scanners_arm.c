// SPDX-License-Identifier: BSD-3-Clause
// The variants of the loop over events for 64-bit ARM, the best first.
#include "read/chrome.h"

const chrome_scanner *const CHROME_SCANNERS[] = {&CHROME_NEON, &CHROME_SCALAR, NULL};
