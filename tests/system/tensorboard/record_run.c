// SPDX-License-Identifier: BSD-3-Clause
// Records a short run that has something for every view: waits for data, operators with shapes,
// modules, memory, forward and backward, scalars.
//
//     record_run DIRECTORY [step|window|folders]
#include "tprof/tprof.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEPS = 6, LAYERS = 2, WIDTH = 128 };

static float weights[LAYERS][WIDTH * WIDTH], activations[LAYERS + 1][WIDTH];
static int64_t sequences[LAYERS];

static void wait_for_data(long us)
{
    const struct timespec pause = {0, us * 1000};
    tprof_scope wait = tprof_dataloader_begin("_SingleProcessDataLoaderIter");
    nanosleep(&pause, NULL);
    tprof_end(&wait);
}

static tprof_scope begin_operator(const char *name, int64_t sequence, bool backward)
{
    static const int64_t matrix[] = {WIDTH, WIDTH}, row[] = {WIDTH};
    static const tprof_input inputs[] = {
        {.type = "float",  .sizes = matrix, .dimensions = 2},
        {.type = "float",                .sizes = row,                 .dimensions = 1},
        {.type = "Scalar", .value = "1"}
    };
    static tprof_op ops[2];
    tprof_op *op = &ops[backward];
    *op = (tprof_op){.name = name,
                     .inputs = inputs,
                     .input_count = 3,
                     .sequence = sequence,
                     .backward = backward,
                     .forward_thread = backward ? tprof_thread_id() : 0};
    return tprof_op_begin(op);
}

static void multiply(const float *matrix, const float *in, float *out)
{
    for (int repeat = 0; repeat < 20; repeat++)
        for (int i = 0; i < WIDTH; i++) {
            float sum = 0;
            for (int k = 0; k < WIDTH; k++)
                sum += matrix[i * WIDTH + k] * in[k];
            out[i] = sum;
        }
}

static void forward(void)
{
    static const char *const names[LAYERS] = {"Linear_0", "Linear_1"};
    const tprof_device cpu = {TPROF_DEVICE_CPU, -1};

    tprof_scope net = tprof_module_begin("Net_0", 0);
    for (int layer = 0; layer < LAYERS; layer++) {
        tprof_scope module = tprof_module_begin(names[layer], layer);
        sequences[layer] = tprof_sequence_next();
        tprof_scope op = begin_operator("aten::mv", sequences[layer], false);
        tprof_memory_allocate(cpu, activations[layer + 1], sizeof(activations[0]));
        multiply(weights[layer], activations[layer], activations[layer + 1]);
        tprof_end(&op);
        tprof_end(&module);
    }
    tprof_end(&net);
}

static void backward(void)
{
    const tprof_device cpu = {TPROF_DEVICE_CPU, -1};

    for (int layer = LAYERS; layer-- > 0;) {
        tprof_scope op = begin_operator("MvBackward", sequences[layer], true);
        multiply(weights[layer], activations[layer + 1], activations[layer]);
        tprof_memory_free(cpu, activations[layer + 1], sizeof(activations[0]));
        tprof_end(&op);
    }
}

static int fail(tprof_profiler *profiler, tprof_status status)
{
    char text[512] = "";
    if (profiler)
        tprof_error(profiler, text, sizeof(text));
    fprintf(stderr, "record_run: %s %s\n", tprof_status_text(status), text);
    tprof_destroy(profiler);
    return 1;
}

int main(int argc, char **argv)
{
    const char *files = argc > 2 ? argv[2] : "window";
    const tprof_tensorboard_options options = {
        .files = strcmp(files, "step") == 0 ? TPROF_FILE_PER_STEP : TPROF_FILE_PER_WINDOW,
        .run_folders = strcmp(files, "folders") == 0,
        .scalars = true,
    };
    const tprof_config config = {
        .schedule = {.wait = 1, .active = 2, .repeat = 2},
        .on_trace_ready =
            tprof_tensorboard_trace_handler(argc > 1 ? argv[1] : "log", "worker0", &options),
        .record_shapes = true,
        .profile_memory = true,
        .with_modules = true,
    };
    const tprof_environment environment = {.model = "two layers", .batch_size = 8};
    tprof_profiler *profiler = NULL;

    tprof_status status = tprof_create(&config, &profiler);
    if (status == TPROF_OK)
        status = tprof_set_environment(profiler, &environment);
    if (status == TPROF_OK)
        status = tprof_start(profiler);
    if (status != TPROF_OK)
        return fail(profiler, status);
    for (int step = 0; step < STEPS; step++) {
        wait_for_data(2000 + 500 * step);
        forward();
        backward();
        tprof_step(profiler);
    }
    tprof_stop(profiler);
    status = tprof_flush(profiler);
    if (status != TPROF_OK)
        return fail(profiler, status);
    tprof_destroy(profiler);
    return 0;
}
