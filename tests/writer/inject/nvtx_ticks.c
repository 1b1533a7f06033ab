// SPDX-License-Identifier: BSD-3-Clause
// A range each 10 ms for 1.2 s, for recordings by time.
#include <nvtx3/nvToolsExt.h>

#include <time.h>

int main(void)
{
    const struct timespec time = {0, 10 * 1000 * 1000};
    for (int i = 0; i < 120; i++) {
        nvtxRangePushA("tick");
        nanosleep(&time, NULL);
        nvtxRangePop();
    }
    return 0;
}
