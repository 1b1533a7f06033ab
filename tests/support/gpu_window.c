// SPDX-License-Identifier: BSD-3-Clause
// Windows with device work of the stand-ins, and what their captures hold.
#include "support/gpu_window.h"

#include "support/cmocka_all.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string.h>

const fake_kernel GPU_WINDOW_KERNEL = {"_Z4gemmPfS_S_i", 20000, 32, 0};

void gpu_launch(void)
{
    const dim3 grid = {1, 1, 1};
    const dim3 block = {32, 1, 1};
    cudaLaunchKernel(&GPU_WINDOW_KERNEL, grid, block, NULL, 0, NULL);
}

tprof_profiler *gpu_start(tprof_schedule schedule)
{
    const tprof_config config = {.schedule = schedule};
    tprof_profiler *profiler = NULL;
    cuInit(0);
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    return profiler;
}

const tp_gpu_event *gpu_event(const tp_capture *capture, tp_gpu_kind kind, size_t number)
{
    for (size_t i = 0; i < capture->gpu_count; i++)
        if (capture->gpu[i].kind == kind && number-- == 0)
            return &capture->gpu[i];
    return NULL;
}

size_t gpu_count(const tp_capture *capture, tp_gpu_kind kind)
{
    size_t n = 0;
    while (gpu_event(capture, kind, n))
        n++;
    return n;
}

uint32_t id_of(const tp_capture *capture, const char *name)
{
    tp_cursor cursor = tp_cursor_begin(capture);
    tp_record record;
    while (tp_cursor_next(&cursor, &record))
        if (strcmp(record.name, name) == 0)
            return record.id;
    fail_msg("no event %s", name);
    return 0;
}
