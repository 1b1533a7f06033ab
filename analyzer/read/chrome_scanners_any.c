// SPDX-License-Identifier: BSD-3-Clause
// The variants of the loop over events for machines without a vector variant, the best first.
#include "read/chrome.h"

const chrome_scanner *const CHROME_SCANNERS[] = {&CHROME_SCALAR, NULL};
