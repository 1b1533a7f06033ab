// SPDX-License-Identifier: BSD-3-Clause
// The loop over events, 16 bytes at a time, on 64-bit ARM.
#include "read/scan_neon.h"

#include "read/chrome_events.h"

static bool usable(void)
{
    return true;
}

const chrome_scanner CHROME_NEON = {"neon", usable, chrome_events};
