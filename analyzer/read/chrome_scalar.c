// SPDX-License-Identifier: BSD-3-Clause
// The loop over events, byte by byte, usable everywhere.
#include "read/scan_scalar.h"

#include "read/chrome_events.h"

static bool usable(void)
{
    return true;
}

const chrome_scanner CHROME_SCALAR = {"scalar", usable, chrome_events};
