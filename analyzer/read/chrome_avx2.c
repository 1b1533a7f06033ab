// SPDX-License-Identifier: BSD-3-Clause
// The loop over events, 32 bytes at a time, on x86-64 with AVX2.
#include "read/scan_avx2.h"

#include "read/chrome_events.h"

static bool usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

const chrome_scanner CHROME_AVX2 = {"avx2", usable, chrome_events};
