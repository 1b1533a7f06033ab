// SPDX-License-Identifier: BSD-3-Clause
// For programs with a profiler of their own: with NVTX_INJECTION64_PATH naming libtprof.so itself,
// their NVTX ranges go into its traces.
#include "inject/nvtx_intake.h"
#include "tprof/tprof.h"

// Called by each copy of NVTX in the process. 1: its tables are filled in.
TPROF_API int InitializeInjectionNvtx2(nvtx_get_export get_export);
int InitializeInjectionNvtx2(nvtx_get_export get_export)
{
    return tp_nvtx_attach(get_export);
}
