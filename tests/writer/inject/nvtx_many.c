// SPDX-License-Identifier: BSD-3-Clause
// nvtx_many NESTED CROSSING: that many ranges "nested" within each other, then that many "crossing"
// that are open at one time; and three times a range "step" within and behind them.
#include <nvtx3/nvToolsExt.h>

#include <stdlib.h>

static void steps(void)
{
    for (int i = 0; i < 3; i++) {
        nvtxRangePushA("step");
        nvtxRangePop();
    }
}

int main(int argc, char **argv)
{
    const int nested = argc == 3 ? atoi(argv[1]) : 0;
    const int crossing = argc == 3 ? atoi(argv[2]) : 0;
    nvtxRangeId_t *open = calloc((size_t)crossing + 1, sizeof(*open));

    for (int i = 0; i < nested; i++)
        nvtxRangePushA("nested");
    steps();
    for (int i = 0; i < nested; i++)
        nvtxRangePop();
    for (int i = 0; i < crossing; i++)
        open[i] = nvtxRangeStartA("crossing");
    for (int i = 0; i < crossing; i++)
        nvtxRangeEnd(open[i]);
    steps();
    free(open);
    return 0;
}
