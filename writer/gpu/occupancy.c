// SPDX-License-Identifier: BSD-3-Clause
// Pure: how many blocks of a kernel a multiprocessor can hold, and what traces say of that.
#include "gpu/occupancy.h"

#include <math.h>

// What a generation of devices can hold.
typedef struct generation {
    int32_t blocks;     // per multiprocessor; 0: unknown generation
    int32_t partitions; // of the register file
    int32_t max_registers_per_thread;
    int64_t shared_granularity, shared_reserved; // bytes
    int64_t shared_capacity; // bytes per multiprocessor; 0: what the device states
} generation;

enum {
    REGISTER_GRANULARITY = 256, // registers of a warp come in multiples of this
    MOST_PARTITIONS = 4,
    KIB = 1024,
    RESERVED_FROM_8 = 1024, // bytes that the driver takes of each block
};

#define VOLUME_LIMIT (INT64_C(1) << 48)

static int64_t round_up(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int32_t resident_blocks(int major, int minor)
{
    switch (major) {
    case 3:
        return 16;
    case 5:
    case 6:
    case 9:
        return 32;
    case 7:
        return minor == 5 ? 16 : 32;
    case 8:
        return minor == 0 ? 32 : minor == 9 ? 24 : 16;
    case 10:
        return minor == 1 ? 24 : 32;
    case 11:
        return minor == 0 ? 24 : 32;
    case 12:
        return 24;
    default:
        return 0;
    }
}

static int64_t largest_carveout(int major, int minor)
{
    switch (major) {
    case 7:
        return minor == 5 ? 64 * KIB : 96 * KIB;
    case 8:
        return minor == 0 || minor == 7 ? 164 * KIB : 100 * KIB;
    case 9:
    case 10:
    case 11:
        return 228 * KIB;
    case 12:
        return 100 * KIB;
    default:
        return 0;
    }
}

static generation generation_of(const tp_device_info *device)
{
    const int major = device->compute_major;
    const int minor = device->compute_minor;
    return (generation){
        .blocks = resident_blocks(major, minor),
        .partitions = major == 6 && minor == 0 ? 2 : MOST_PARTITIONS,
        .max_registers_per_thread = major < 7 ? 255 : 256,
        .shared_granularity = major < 8 ? 256 : 128,
        .shared_reserved = major < 8 ? 0 : RESERVED_FROM_8,
        .shared_capacity = largest_carveout(major, minor),
    };
}

// Blocks of a grid or threads of a block; 0 where the numbers cannot be that.
static int64_t volume(const int32_t size[3])
{
    int64_t product = 1;
    for (int i = 0; i < 3; i++)
        if (size[i] <= 0 || __builtin_mul_overflow(product, size[i], &product))
            return 0;
    return product < VOLUME_LIMIT ? product : 0;
}

static int64_t warps_of(int64_t threads, const tp_device_info *device)
{
    return (threads + device->warp_size - 1) / device->warp_size;
}

static int32_t limit_by_warps(int64_t threads, const tp_device_info *device)
{
    if (threads > device->max_threads_per_block)
        return 0;
    return (int32_t)(device->max_threads_per_multiprocessor / device->warp_size /
                     warps_of(threads, device));
}

static int32_t limit_in_partitions(int64_t warps, int64_t registers_per_warp,
                                   const tp_device_info *device, int32_t partitions)
{
    if (registers_per_warp * round_up(warps, partitions) > device->registers_per_block)
        return 0;
    const int64_t warps_in_partition =
        device->registers_per_multiprocessor / partitions / registers_per_warp;
    return (int32_t)(warps_in_partition * partitions / warps);
}

static int32_t limit_by_registers(int64_t threads, int32_t registers, const tp_device_info *device,
                                  const generation *g)
{
    if (registers <= 0)
        return TP_OCCUPANCY_NO_LIMIT;
    if (registers > g->max_registers_per_thread)
        return 0;

    const int64_t per_warp = round_up((int64_t)registers * device->warp_size, REGISTER_GRANULARITY);
    const int64_t warps = warps_of(threads, device);
    // What its four-partition siblings cannot launch, the two-partition device does not either.
    if (limit_in_partitions(warps, per_warp, device, MOST_PARTITIONS) == 0)
        return 0;
    return limit_in_partitions(warps, per_warp, device, g->partitions);
}

static int32_t limit_by_shared_memory(const tp_kernel *kernel, const tp_device_info *device,
                                      const generation *g, tp_occupancy_limit limit)
{
    const int64_t wanted = (int64_t)kernel->static_shared_memory + kernel->dynamic_shared_memory;
    const int64_t per_block = round_up(wanted + g->shared_reserved, g->shared_granularity);
    const int64_t allowed = limit == TP_SHARED_OPTIN && device->shared_memory_per_block_optin > 0
                                ? device->shared_memory_per_block_optin
                                : device->shared_memory_per_block;
    const int64_t capacity =
        g->shared_capacity ? g->shared_capacity : device->shared_memory_per_multiprocessor;

    if (per_block > allowed + g->shared_reserved)
        return 0;
    return per_block > 0 ? (int32_t)(capacity / per_block) : TP_OCCUPANCY_NO_LIMIT;
}

tp_occupancy tp_occupancy_of(const tp_kernel *kernel, const tp_device_info *device,
                             tp_occupancy_limit limit)
{
    const generation g = generation_of(device);
    const int64_t threads = volume(kernel->block);
    if (g.blocks == 0 || threads <= 0 || device->warp_size <= 0)
        return (tp_occupancy){-1, -1, -1, -1, -1};

    tp_occupancy o = {
        .by_warps = limit_by_warps(threads, device),
        .by_blocks = g.blocks,
        .by_registers = limit_by_registers(threads, kernel->registers_per_thread, device, &g),
        .by_shared_memory = limit_by_shared_memory(kernel, device, &g, limit),
    };
    o.blocks =
        (int32_t)least(least(o.by_warps, o.by_blocks), least(o.by_registers, o.by_shared_memory));
    return o;
}

// Share of the multiprocessor's threads that run, with the grid spread evenly; -1 where unknown.
static double achieved(int32_t blocks, double blocks_per_sm, int64_t threads,
                       const tp_device_info *device)
{
    if (blocks < 0 || device->max_threads_per_multiprocessor <= 0)
        return -1;
    const double resident = blocks_per_sm < blocks ? blocks_per_sm : blocks;
    return resident * (double)threads / device->max_threads_per_multiprocessor;
}

void tp_occupancy_fill(tp_kernel *kernel, const tp_device_info *device)
{
    kernel->blocks_per_sm = kernel->warps_per_sm = kernel->occupancy_ratio = -1;
    kernel->occupancy_percent = INT32_MIN;
    if (!device || device->multiprocessors <= 0 || device->warp_size <= 0)
        return;

    // The two ratios are floats in Kineto, and so in the files that tools compare.
    const int64_t threads = volume(kernel->block);
    const float blocks = (float)volume(kernel->grid) / (float)device->multiprocessors;
    kernel->blocks_per_sm = blocks;
    kernel->warps_per_sm = blocks * (float)threads / (float)device->warp_size;

    const tp_occupancy as_torch = tp_occupancy_of(kernel, device, TP_SHARED_DEFAULT);
    if (as_torch.blocks < 0)
        return;
    kernel->occupancy_percent =
        (int32_t)lround(100 * achieved(as_torch.blocks, blocks, threads, device));
    // Only a kernel that does not fit without asking for more is another matter with it.
    const int32_t optin = as_torch.by_shared_memory
                              ? as_torch.blocks
                              : tp_occupancy_of(kernel, device, TP_SHARED_OPTIN).blocks;
    kernel->occupancy_ratio = achieved(optin, blocks, threads, device);
}
