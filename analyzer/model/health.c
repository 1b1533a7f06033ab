// SPDX-License-Identifier: BSD-3-Clause
// Notes about what a whole trace lacks.
#include "model/health.h"

role_census health_count(const trace *t)
{
    role_census c = {0};
    for (uint32_t i = 0; i < t->events.count; i++) {
        const role r = t->events.role[i];
        c.work += role_is_device(r);
        c.host += !role_is_device(r);
        c.calls += role_is_call(r);
        c.launches += role_is_call(r) && event_flags(t, i) & NAME_LAUNCH_CALL;
    }
    return c;
}

void health_note_all(trace *t, role_census c)
{
    if (c.work && !c.host)
        trace_note(t, "no_host_events", NOTE_INFO, ERROR_NO_OFFSET,
                   "no CPU events in this trace: it was captured with device activity only");
    if (c.launches && !c.work) {
        const char *what = arena_printf(
            t->arena,
            "GPU records are missing: %llu launches, 0 kernels. Likely causes: no permission for "
            "the profiling interface, another profiler attached, or the collection failed",
            (unsigned long long)c.launches);
        trace_note_many(t, "gpu_records_missing", NOTE_WARNING, c.launches, what);
    }
    if (t->device_count && !c.work && !c.calls)
        trace_note(t, "gpu_not_recorded", NOTE_WARNING, ERROR_NO_OFFSET,
                   "no GPU activity recorded although a GPU is listed: the profiler may have run "
                   "without ProfilerActivity.CUDA");
}
