// SPDX-License-Identifier: BSD-3-Clause
// The loop over events, 16 bytes at a time, on every x86-64.
#include "read/scan_sse2.h"

#include "read/chrome_events.h"

static bool usable(void)
{
    return true;
}

const chrome_scanner CHROME_SSE2 = {"sse2", usable, chrome_events};
