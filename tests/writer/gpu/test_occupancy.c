// SPDX-License-Identifier: BSD-3-Clause
// Against kernels of real traces, and against NVIDIA's own header where the build found it.
// Called with an argument it is a filter: kernels on standard input, figures on standard output,
// with which occupancy_traces.py checks whole traces.
#include "gpu/occupancy.h"

#include "support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

// Within `distance`; cmocka's own compares floats.
#define assert_near(value, expected, distance)                                                     \
    assert_true((value) >= (expected) - (distance) && (value) <= (expected) + (distance))

#define GENERATION(major, minor, sms, per_sm, optin)                                               \
    {                                                                                              \
        .compute_major = major, .compute_minor = minor, .max_threads_per_block = 1024,             \
        .max_threads_per_multiprocessor = (major) == 8 && (minor) > 0 ? 1536 : 2048,               \
        .registers_per_block = 65536, .warp_size = 32, .shared_memory_per_block = 49152,           \
        .multiprocessors = sms, .registers_per_multiprocessor = 65536,                             \
        .shared_memory_per_block_optin = optin, .shared_memory_per_multiprocessor = per_sm         \
    }

static const tp_device_info V100 = GENERATION(7, 0, 80, 98304, 98304);
static const tp_device_info A100 = GENERATION(8, 0, 108, 167936, 166912);
static const tp_device_info H100 = GENERATION(9, 0, 132, 233472, 232448);
static const tp_device_info B200 = GENERATION(10, 0, 148, 233472, 232448);

static tp_kernel kernel_of(const int32_t grid[3], const int32_t block[3], int32_t registers,
                           int32_t shared_memory)
{
    return (tp_kernel){
        .grid = {grid[0],  grid[1],  grid[2] },
        .block = {block[0], block[1], block[2]},
        .registers_per_thread = registers,
        .dynamic_shared_memory = shared_memory
    };
}

static void figures_are_those_of_real_traces(void **state)
{
    static const struct {
        const tp_device_info *device;
        int32_t grid[3], block[3], registers, shared_memory;
        double blocks, warps;
        int32_t percent;
    } cases[] = {
        {&V100, {50, 1, 1},    {256, 1, 1}, 38,  0,      0.625,       5,           8  },
        {&V100, {3136, 1, 1},  {128, 1, 1}, 128, 16384,  39.2,        156.8,       25 },
        {&V100, {2, 16, 1},    {32, 4, 1},  40,  8704,   0.4,         1.6,         3  },
        {&V100, {1568, 1, 1},  {8, 32, 1},  64,  6400,   19.6,        156.8,       50 },
        {&V100, {4, 106, 1},   {128, 1, 1}, 30,  0,      5.3,         21.200001,   33 },
        {&A100, {1, 1, 1},     {128, 1, 1}, 48,  0,      0.009259259, 0.037037037, 0  },
        {&A100, {44768, 1, 1}, {128, 1, 1}, 40,  0,      414.51852,   1658.0741,   75 },
        {&A100, {864, 1, 1},   {256, 1, 1}, 47,  0,      8,           64,          63 },
        {&A100, {3025, 1, 1},  {128, 1, 1}, 160, 16384,  28.00926,    112.03704,   19 },
        {&A100, {64, 1, 1},    {128, 1, 1}, 152, 73728,  0.5925926,   2.3703704,   0  },
        {&H100, {17888, 1, 1}, {128, 1, 1}, 16,  0,      135.515152,  542.060608,  100},
        {&H100, {132, 1, 1},   {384, 1, 1}, 168, 231424, 1,           12,          0  },
        {&H100, {5, 16, 16},   {128, 1, 1}, 255, 49152,  9.69697,     38.78788,    13 },
        {&H100, {5185, 1, 1},  {32, 4, 1},  34,  24,     39.280304,   157.121216,  75 },
        {&B200, {888, 2, 1},   {256, 1, 1}, 32,  0,      12,          96,          100},
        {&B200, {140, 1, 1},   {256, 1, 1}, 168, 213656, 0.945946,    7.567567,    0  },
        {&B200, {740, 1, 1},   {384, 1, 1}, 32,  0,      5,           60,          94 },
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tp_kernel kernel =
            kernel_of(cases[i].grid, cases[i].block, cases[i].registers, cases[i].shared_memory);
        tp_occupancy_fill(&kernel, cases[i].device);
        assert_near(kernel.blocks_per_sm, cases[i].blocks, cases[i].blocks * 1e-6);
        assert_near(kernel.warps_per_sm, cases[i].warps, cases[i].warps * 1e-6);
        assert_int_equal(kernel.occupancy_percent, cases[i].percent);
    }
}

static void a_kernel_that_opted_in_for_shared_memory_has_its_real_ratio(void **state)
{
    // One block of 384 threads a multiprocessor fits: 384 of 2048.
    tp_kernel kernel = kernel_of((int32_t[]){132, 1, 1}, (int32_t[]){384, 1, 1}, 168, 231424);
    (void)state;

    tp_occupancy_fill(&kernel, &H100);
    assert_int_equal(kernel.occupancy_percent, 0);
    assert_near(kernel.occupancy_ratio, 384.0 / 2048, 1e-9);
}

static void what_is_not_known_is_not_guessed(void **state)
{
    static const tp_device_info future = GENERATION(99, 0, 100, 98304, 98304);
    static const tp_device_info empty = {0};
    const int32_t one[3] = {1, 1, 1};
    tp_kernel kernel = kernel_of(one, one, 16, 0);
    (void)state;

    tp_occupancy_fill(&kernel, NULL);
    assert_true(kernel.blocks_per_sm < 0 && kernel.warps_per_sm < 0 && kernel.occupancy_ratio < 0);
    assert_int_equal(kernel.occupancy_percent, INT32_MIN);
    tp_occupancy_fill(&kernel, &empty);
    assert_true(kernel.blocks_per_sm < 0);
    // A generation to come: the ratios are known, what fits is not.
    tp_occupancy_fill(&kernel, &future);
    assert_near(kernel.blocks_per_sm, 0.01, 1e-6);
    assert_int_equal(kernel.occupancy_percent, INT32_MIN);
    assert_true(kernel.occupancy_ratio < 0);
}

static void sizes_that_no_device_has_do_no_harm(void **state)
{
    const int32_t huge[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    const int32_t negative[3] = {-1, INT32_MIN, 7};
    (void)state;

    for (int i = 0; i < 2; i++) {
        tp_kernel kernel = kernel_of(i ? huge : negative, i ? negative : huge, 65535, INT32_MAX);
        tp_occupancy_fill(&kernel, &H100);
        kernel.static_shared_memory = INT32_MIN;
        tp_occupancy_fill(&kernel, &B200);
    }
}

#ifdef HAVE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

static int theirs(const tp_kernel *kernel, const tp_device_info *device, tp_occupancy_limit limit)
{
    const cudaOccDeviceProp properties = {
        .computeMajor = device->compute_major,
        .computeMinor = device->compute_minor,
        .maxThreadsPerBlock = device->max_threads_per_block,
        .maxThreadsPerMultiprocessor = device->max_threads_per_multiprocessor,
        .regsPerBlock = device->registers_per_block,
        .regsPerMultiprocessor = device->registers_per_multiprocessor,
        .warpSize = device->warp_size,
        .sharedMemPerBlock = (size_t)device->shared_memory_per_block,
        .sharedMemPerMultiprocessor = (size_t)device->shared_memory_per_multiprocessor,
        .numSms = device->multiprocessors,
        .sharedMemPerBlockOptin = (size_t)device->shared_memory_per_block_optin,
        .reservedSharedMemPerBlock = device->compute_major >= 8 ? 1024 : 0,
    };
    const cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = device->max_threads_per_block,
        .numRegs = kernel->registers_per_thread,
        .sharedSizeBytes = 0,
        .shmemLimitConfig =
            limit == TP_SHARED_OPTIN ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT,
        .maxDynamicSharedSizeBytes = (size_t)device->shared_memory_per_block_optin,
    };
    const cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = -1};
    cudaOccResult result;

    if (cudaOccMaxActiveBlocksPerMultiprocessor(
            &result, &properties, &attributes, &state,
            kernel->block[0] * kernel->block[1] * kernel->block[2],
            (size_t)kernel->dynamic_shared_memory) != CUDA_OCC_SUCCESS)
        return -1;
    return result.activeBlocksPerMultiprocessor;
}

// The same numbers in every run.
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void blocks_are_those_of_nvidias_own_header(void **state)
{
    static const tp_device_info generations[] = {
        GENERATION(5, 0, 16, 65536, 49152),     GENERATION(6, 0, 56, 65536, 49152),
        GENERATION(6, 1, 28, 98304, 49152),     GENERATION(7, 0, 80, 98304, 98304),
        GENERATION(7, 5, 40, 65536, 65536),     GENERATION(8, 0, 108, 167936, 166912),
        GENERATION(8, 6, 84, 102400, 101376),   GENERATION(8, 7, 16, 167936, 166912),
        GENERATION(8, 9, 128, 102400, 101376),  GENERATION(9, 0, 132, 233472, 232448),
        GENERATION(10, 0, 148, 233472, 232448), GENERATION(12, 0, 170, 102400, 101376),
    };
    uint32_t seed = 1;
    (void)state;

    for (int i = 0; i < 200000; i++) {
        const tp_device_info *device = &generations[next_random(&seed) % ARRAY_LEN(generations)];
        const int32_t block[3] = {1 + (int32_t)(next_random(&seed) % 2048), 1, 1};
        const int32_t registers = (int32_t)(next_random(&seed) % 257);
        const int32_t shared = i % 2 ? (int32_t)(next_random(&seed) % 49152) : 0;
        const int32_t grid[3] = {1, 1, 1};
        tp_kernel kernel = kernel_of(grid, block, registers, shared);
        assert_int_equal(tp_occupancy_of(&kernel, device, TP_SHARED_DEFAULT).blocks,
                         theirs(&kernel, device, TP_SHARED_DEFAULT));
        if (device->compute_major >= 7) {
            kernel.dynamic_shared_memory = (int32_t)(next_random(&seed) % 240000);
            assert_int_equal(tp_occupancy_of(&kernel, device, TP_SHARED_OPTIN).blocks,
                             theirs(&kernel, device, TP_SHARED_OPTIN));
        }
    }
}
#endif

// Lines of: compute major, minor, multiprocessors, grid, block, registers, shared memory. Shared
// memory a block is 48 KiB on all devices with traces.
static int filter(void)
{
    tp_device_info device = GENERATION(0, 0, 0, 0, 0);
    tp_kernel k = {0};

    while (scanf("%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32
                 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32,
                 &device.compute_major, &device.compute_minor, &device.multiprocessors, &k.grid[0],
                 &k.grid[1], &k.grid[2], &k.block[0], &k.block[1], &k.block[2],
                 &k.registers_per_thread, &k.dynamic_shared_memory) == 11) {
        tp_occupancy_fill(&k, &device);
        printf("%.9g %.9g %" PRId32 "\n", k.blocks_per_sm, k.warps_per_sm, k.occupancy_percent);
    }
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return filter();

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_real_traces),
        cmocka_unit_test(a_kernel_that_opted_in_for_shared_memory_has_its_real_ratio),
        cmocka_unit_test(what_is_not_known_is_not_guessed),
        cmocka_unit_test(sizes_that_no_device_has_do_no_harm),
#ifdef HAVE_CUDA_OCCUPANCY
        cmocka_unit_test(blocks_are_those_of_nvidias_own_header),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
