// SPDX-License-Identifier: BSD-3-Clause
// The same as C++ programs do it, with NVTX's C++ header: scopes, a domain, categories, payloads.
#include <nvtx3/nvtx3.hpp>

#include <chrono>
#include <thread>

struct model {
    static constexpr char const *name{"model"};
};

struct layers {
    static constexpr char const *name{"layers"};
    static constexpr uint32_t id{7};
};

static void work(int microseconds)
{
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

static void forward(int number)
{
    nvtx3::scoped_range_in<model> range{
        "forward", nvtx3::payload{number},
         nvtx3::named_category_in<model>::get<layers>(),
        nvtx3::rgb{ 0, 255, 0}
    };
    work(3000);
}

int main()
{
    for (int i = 0; i < 3; i++) {
        nvtx3::scoped_range step{"step"};
        forward(i);
        nvtx3::mark_in<model>("loss computed");
        auto handle = nvtx3::start_range("started");
        work(1000);
        nvtx3::end_range(handle);
    }
    return 0;
}
