// SPDX-License-Identifier: BSD-3-Clause
// Status texts, version, and what was built in.
#include "gpu/source.h"
#include "out/sink.h"
#include "tprof/tprof.h"

#include <stdio.h>

const char *tprof_status_text(tprof_status status)
{
    switch (status) {
#define X(name, text)                                                                              \
    case TPROF_##name:                                                                             \
        return text;
        TPROF_STATUS_MAP(X)
#undef X
    }
    return "unknown status";
}

const char *tprof_version(void)
{
    return TPROF_VERSION;
}

const char *tprof_build_info(void)
{
    static _Thread_local char info[64];
    snprintf(info, sizeof(info), "deflate by %s, %s", tp_gzip_library(), tp_gpu_source_name());
    return info;
}
