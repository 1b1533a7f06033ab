// SPDX-License-Identifier: BSD-3-Clause
// The same in C++: the header is C++ as it stands.
#include <tprof/tprof.h>

#include <cstdio>
#include <memory>

struct profiler_end {
    void operator()(tprof_profiler *profiler) const
    {
        tprof_destroy(profiler);
    }
};

int main(int argc, char **argv)
{
    tprof_config config = {};
    config.schedule.active = 1;
    config.schedule.repeat = 1;
    config.on_trace_ready =
        tprof_tensorboard_trace_handler(argc > 1 ? argv[1] : "log", "foreign", nullptr);

    tprof_profiler *made = nullptr;
    if (tprof_create(&config, &made) != TPROF_OK)
        return 1;
    const std::unique_ptr<tprof_profiler, profiler_end> profiler(made);
    if (tprof_start(made) != TPROF_OK)
        return 1;
    {
        TPROF_SCOPE("foreign work");
        tprof_scope inner = tprof_begin("inner");
        std::printf("%s\n", tprof_version());
        tprof_end(&inner);
    }
    tprof_step(made);
    return tprof_flush(made) == TPROF_OK ? 0 : 1;
}
