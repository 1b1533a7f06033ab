// SPDX-License-Identifier: BSD-3-Clause
// From recorded events to .json.gz, against what torch's handler does with the same text: Python's
// gzip at level 9.
#include "bench_ratio.h"
#include "encode/encoder.h"
#include "profiler.h"
#include "tprof/tprof.h"
#include "window.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 120, LAYERS = 60 };

// Steps like those of a real training: modules, operators with shapes, a little work in between so
// that times differ as they do in life.
static void work(uint64_t *noise)
{
    *noise = *noise * 6364136223846793005u + 1442695040888963407u;
    for (volatile uint64_t i = *noise >> 56; i > 0; i--)
        continue;
}

static void operator(const char *name, const int64_t *sizes, int64_t sequence, uint64_t *noise)
{
    const tprof_input inputs[] = {
        {.type = "float", .sizes = sizes,     .dimensions = 4},
        {.type = "float", .sizes = sizes + 1, .dimensions = 3},
    };
    const tprof_op op = {.name = name, .inputs = inputs, .input_count = 2, .sequence = sequence};
    tprof_scope scope = tprof_op_begin(&op);
    work(noise);
    tprof_end(&scope);
}

static void layer(int index, uint64_t *noise)
{
    static const char *const names[] = {"aten::conv2d", "aten::batch_norm", "aten::relu_",
                                        "aten::add_"};
    const int64_t sizes[] = {32, 64 << (index / 20), 56 >> (index / 20), 56 >> (index / 20)};
    const tprof_device gpu = {TPROF_DEVICE_CUDA, 0};
    char name[32];

    snprintf(name, sizeof(name), "Bottleneck_%d", index);
    tprof_scope module = tprof_module_begin(name, index);
    for (int i = 0; i < 4; i++) {
        TPROF_SCOPE("forward");
        operator(names[i], sizes, tprof_sequence_next(), noise);
        tprof_memory_allocate(gpu, (void *)(uintptr_t)(0x7f0000000000 + (*noise >> 30)), 1 << 20);
    }
    tprof_end(&module);
}

static tp_capture *record(tprof_profiler *profiler)
{
    uint64_t noise = 1;

    if (tprof_start(profiler) != TPROF_OK)
        exit(1);
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < LAYERS; i++)
            layer(i, &noise);
    tprof_stop(profiler);
    return tp_profiler_last_prepared(profiler);
}

static double encode_ns(const tp_capture *capture, const char *path)
{
    int error;
    unlink(path);
    const double begin = bench_now_ns();
    if (tp_encode_file(&tp_encoder_chrome, capture, path, path, &error) != TPROF_OK)
        exit(1);
    return bench_now_ns() - begin;
}

// Compresses as torch does; returns ns.
static double torch_ns(const char *plain, const char *packed)
{
    char command[1024];
    double ns = 0;

    snprintf(command, sizeof(command),
             "python3 -c \"import gzip,time; t=time.perf_counter_ns(); fin=open('%s'); "
             "fout=gzip.open('%s','wt'); fout.writelines(fin); fout.close(); "
             "print(time.perf_counter_ns()-t)\"",
             plain, packed);
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%lf", &ns) != 1 || pclose(pipe) != 0)
        exit(1);
    return ns;
}

static double size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (double)info.st_size : 0;
}

int main(void)
{
    const bool fast = strcmp(tp_gzip_library(), "zlib") != 0;
    const bench_limit speed = {"B5", "event to .json.gz / gzip of torch's handler, time",
                               fast ? 1.0 / 15 : 1.0 / 7, fast ? 1.0 / 30 : 1.0 / 7, 0};
    static const bench_limit size = {"B6", "size of .json.gz / gzip -9", 1.55, 1.40, 0};
    const tprof_config config = {.activities = TPROF_CPU,
                                 .record_shapes = true,
                                 .profile_memory = true,
                                 .with_modules = true};
    char folder[] = "/tmp/tprof-bench-XXXXXX", plain[64], packed[64], torch[64], detail[128];
    double ratios[9], ours = 0;
    tprof_profiler *profiler;

    if (!mkdtemp(folder) || tprof_create(&config, &profiler) != TPROF_OK)
        return 1;
    snprintf(plain, sizeof(plain), "%s/trace.json", folder);
    snprintf(packed, sizeof(packed), "%s/ours.json.gz", folder);
    snprintf(torch, sizeof(torch), "%s/torch.json.gz", folder);
    tp_capture *capture = record(profiler);
    encode_ns(capture, plain);
    for (int i = 0; i < 9; i++) {
        ours = encode_ns(capture, packed);
        ratios[i] = ours / torch_ns(plain, torch);
    }
    snprintf(detail, sizeof(detail),
             "%llu events, %.0f bytes of JSON and %.0f ns an event, deflate by %s",
             (unsigned long long)capture->event_count,
             size_of(plain) / (double)capture->event_count, ours / (double)capture->event_count,
             tp_gzip_library());
    int kept = bench_row(&speed, bench_median(ratios, 9), detail);
    snprintf(detail, sizeof(detail), "%.1f times smaller", size_of(plain) / size_of(packed));
    kept &= bench_row(&size, size_of(packed) / size_of(torch), detail);
    unlink(plain);
    unlink(packed);
    unlink(torch);
    rmdir(folder);
    tp_capture_release(capture);
    tprof_destroy(profiler);
    return kept ? 0 : 1;
}
