// SPDX-License-Identifier: BSD-3-Clause
// The profiler's calls that make tables and stacks of the last window.
#include "profiler_state.h"

#include "encode/encode_averages.h"
#include "encode/encode_stacks.h"

#include <string.h>

// The last window to read, or NULL with *status saying why not.
static tp_capture *last_window(tprof_profiler *profiler, tprof_status *status)
{
    *status = profiler ? TPROF_ERR_STATE : TPROF_ERR_ARGUMENT;
    if (!profiler || tp_profiler_is_child(profiler))
        return NULL;
    tp_capture *capture = tp_profiler_last_prepared(profiler);
    if (!capture)
        *status = tp_profiler_fail(profiler, TPROF_ERR_STATE, "no window is complete");
    return capture;
}

tprof_status tprof_key_averages(tprof_profiler *profiler, const tprof_averages_options *options,
                                tprof_averages **out)
{
    tprof_status status;
    tp_capture *capture = last_window(profiler, &status);

    *out = NULL;
    if (!capture)
        return status;
    status = tp_averages_make(capture, options, out);
    tp_capture_release(capture);
    if (status == TPROF_OK)
        return status;
    return tp_profiler_fail(profiler, status, "key averages: %s", tprof_status_text(status));
}

tprof_status tprof_export_stacks(tprof_profiler *profiler, const char *path, const char *metric)
{
    const tp_encoder *encoder = metric ? tp_stacks_encoder(metric) : NULL;
    tprof_status status;
    int error = 0;

    if (!path || !*path || !encoder)
        return TPROF_ERR_ARGUMENT;
    tp_capture *capture = last_window(profiler, &status);
    if (!capture)
        return status;
    const bool has_stacks = capture->with_stack;
    if (has_stacks)
        status = tp_encode_file(encoder, capture, path, path, &error);
    tp_capture_release(capture);
    if (!has_stacks)
        return tp_profiler_fail(profiler, TPROF_ERR_STATE, "%s: stacks were not recorded", path);
    if (status == TPROF_OK)
        return status;
    return tp_profiler_fail(profiler, status, "%s: %s", path,
                            error ? strerror(error) : tprof_status_text(status));
}
