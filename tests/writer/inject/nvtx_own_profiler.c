// SPDX-License-Identifier: BSD-3-Clause
// A program with NVTX and a profiler of its own: with NVTX_INJECTION64_PATH naming the libtprof.so
// that it uses, NVTX's ranges stand in its trace beside its operators.
#include "tprof/tprof.h"

#include <nvtx3/nvToolsExt.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *profiler;

    if (argc != 2 || tprof_create(&config, &profiler) != TPROF_OK)
        return 1;
    nvtxRangePushA("before the window");
    tprof_start(profiler);
    for (int i = 0; i < 3; i++) {
        nvtxRangePushA("step");
        {
            TPROF_SCOPE("forward");
        }
        nvtxMarkA("loss computed");
        nvtxRangePop();
    }
    tprof_stop(profiler);
    nvtxRangePop();
    const tprof_status status = tprof_export_chrome_trace(profiler, argv[1]);
    if (status != TPROF_OK)
        fprintf(stderr, "%s\n", tprof_status_text(status));
    tprof_destroy(profiler);
    return status != TPROF_OK;
}
