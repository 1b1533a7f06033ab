// SPDX-License-Identifier: BSD-3-Clause
// The Chrome trace, read back strictly by another implementation of JSON.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "capture.h"
#include "encode/encoder.h"
#include "out/json_writer.h"
#include "tprof/tprof.h"
#include "window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What check_trace.py says of the file; ends the test where that finds a mistake.
static char *checked(const char *path)
{
    enum { SIZE = 1 << 20 };
    char command[2048], *text = malloc(SIZE);

    snprintf(command, sizeof(command), "python3 %s %s 2>&1", CHECK_TRACE, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    text[fread(text, 1, SIZE - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    if (status != 0)
        fail_msg("%s", text);
    return text;
}

static void assert_line(const char *text, const char *line)
{
    char whole[2048];
    snprintf(whole, sizeof(whole), "\n%s\n", line);
    if (!strstr(text, whole))
        fail_msg("missing: %s\nin: %s", line, text);
}

static tprof_profiler *begin(const tprof_config *config)
{
    tprof_profiler *profiler;
    assert_int_equal(tprof_create(config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    return profiler;
}

// Stops, exports, destroys.
static char *end(tprof_profiler *profiler, const char *path)
{
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_OK);
    tprof_destroy(profiler);
    return checked(path);
}

// Everything that a program can record, once.
static void record_all_kinds(void)
{
    const tprof_input tensors[] = {
        {.type = "float", .sizes = (const int64_t[]){4, 3}, .dimensions = 2},
        {.type = "float", .sizes = (const int64_t[]){2},    .dimensions = 1}
    };
    const tprof_input inputs[] = {
        {.type = "float",
         .sizes = (const int64_t[]){4, 3},
         .strides = (const int64_t[]){3, 1},
         .dimensions = 2},
        {.type = "float",                    .sizes = (const int64_t[]){3, 5},                      .dimensions = 2},
        {.type = "Scalar",                    .value = "0.5"                    },
        {.type = "TensorList", .items = tensors, .item_count = 2                 },
    };
    const tprof_op mm = {.name = "aten::mm", .inputs = inputs, .input_count = 4, .sequence = 7};
    const tprof_op back = {.name = "MmBackward0",
                           .sequence = 7,
                           .backward = true,
                           .flops = 99,
                           .stack = "train.c(12): backward;train.c(40): main"};
    const tprof_device gpu = {TPROF_DEVICE_CUDA, 2}, cpu = {TPROF_DEVICE_CPU, 0};

    tprof_scope scope = tprof_module_begin("Linear_3", 5);
    tprof_scope inner = tprof_op_begin(&mm);
    tprof_memory_reserved(gpu, 1 << 20);
    tprof_memory_allocate(gpu, (void *)0x1000, 4096);
    tprof_memory_allocate(cpu, (void *)0x2000, 100);
    tprof_memory_free(gpu, (void *)0x1000, 1096);
    tprof_end(&inner);
    inner = tprof_function_begin("train.c(41): step");
    tprof_end(&inner);
    tprof_end(&scope);
    scope = tprof_op_begin(&back);
    tprof_end(&scope);
    scope = tprof_dataloader_begin("_SingleProcessDataLoaderIter");
    tprof_end(&scope);
    scope = tprof_annotation_begin("an \"annotation\"\n\\ \xc3\xbc \xff");
    tprof_instant("moment");
    tprof_counter("loss", 0.25);
    tprof_counter("never", 0.0 / 0.0);
    tprof_end(&scope);
}

static void all_kinds_of_events_come_back(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU,
                                 .record_shapes = true,
                                 .profile_memory = true,
                                 .with_flops = true,
                                 .with_modules = true};
    (void)state;

    tprof_profiler *profiler = begin(&config);
    record_all_kinds();
    char *text = end(profiler, temp_path("kinds.json.gz"));
    assert_line(text, "X cpu_op aten::mm  {\"Sequence number\":7,"
                      "\"Fwd thread id\":0,\"Record function id\":0,"
                      "\"Concrete Inputs\":[\"\",\"\",\"0.5\",\"\"],"
                      "\"Input type\":[\"float\",\"float\",\"Scalar\",\"TensorList\"],"
                      "\"Input Strides\":[[3,1],[],[],[[],[]]],"
                      "\"Input Dims\":[[4,3],[3,5],[],[[4,3],[2]]],\"flops\":120}");
    assert_line(text, "i cpu_instant_event [memory]  {\"Total Reserved\":1048576,"
                      "\"Total Allocated\":4096,\"Bytes\":4096,\"Device Id\":2,\"Device Type\":1,"
                      "\"Addr\":4096}");
    assert_line(text, "i cpu_instant_event [memory]  {\"Total Reserved\":0,\"Total Allocated\":100,"
                      "\"Bytes\":100,\"Device Id\":-1,\"Device Type\":0,\"Addr\":8192}");
    assert_line(text, "i cpu_instant_event [memory]  {\"Total Reserved\":1048576,"
                      "\"Total Allocated\":3000,\"Bytes\":-1096,\"Device Id\":2,"
                      "\"Device Type\":1,\"Addr\":4096}");
    assert_non_null(strstr(text, "\"Python module id\":5}"));
    assert_non_null(
        strstr(text, "X python_function nn.Module: Linear_3  {\"Python parent id\":null,"));
    assert_non_null(strstr(text, "X python_function train.c(41): step  {\"Python parent id\":"));
    assert_non_null(strstr(text, "\"flops\":99}"));
    assert_null(strstr(text, "Call stack"));
    assert_non_null(strstr(text, "X cpu_op enumerate(DataLoader)#_SingleProcessDataLoaderIter."
                                 "__next__ "));
    assert_non_null(strstr(text, "an \"annotation\"\n\\ \xc3\xbc \xef\xbf\xbd"));
    assert_line(text, "s fwdbwd fwdbwd  {}");
    assert_line(text, "f fwdbwd fwdbwd e {}");
    assert_line(text, "C counter loss  {\"value\":\"0.25\"}");
    assert_null(strstr(text, "never"));
    assert_line(text, "key record_shapes 1");
    assert_line(text, "key with_flops 1");
    assert_line(text, "key profile_memory 1");
    free(text);
}

static void metadata_is_escaped_and_checked(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU};
    const tprof_distributed distributed = {.backend = "gloo", .rank = 3, .world_size = 8};
    const tprof_environment environment = {.model = "mlp",
                                           .input_shapes = "[[8, 2]]",
                                           .dtype = "float",
                                           .batch_size = 8,
                                           .threads = 2};
    (void)state;

    tprof_profiler *profiler = begin(&config);
    assert_int_equal(tprof_add_metadata(profiler, "a \"key\"", "line\n\\\"\xff"), TPROF_OK);
    assert_int_equal(tprof_add_metadata_json(profiler, "object", "{\"a\": [1, null]}"), TPROF_OK);
    assert_int_equal(tprof_add_metadata(profiler, "object", "replaced"), TPROF_OK);
    assert_int_equal(tprof_add_metadata_json(profiler, "bad", "{\"a\": NaN}"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_add_metadata(profiler, "traceEvents", "x"), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_set_distributed(profiler, &distributed), TPROF_OK);
    assert_int_equal(tprof_set_environment(profiler, &environment), TPROF_OK);

    char *text = end(profiler, temp_path("metadata.json"));
    assert_line(text, "key a \"key\" \"line\\n\\\\\\\"\xef\xbf\xbd\"");
    assert_line(text, "key object \"replaced\"");
    assert_line(text, "key distributedInfo {\"backend\":\"gloo\",\"rank\":3,\"world_size\":8}");
    assert_line(text, "key environment {\"model\":\"mlp\",\"input_shapes\":\"[[8, 2]]\","
                      "\"dtype\":\"float\",\"batch_size\":8,\"threads\":2}");
    assert_null(strstr(text, "key bad"));
    free(text);
}

static void ranks_come_from_the_launcher(void **state)
{
    static const struct {
        const char *variables[4]; // name, value, name, value
        const char *line;         // NULL: none
    } cases[] = {
        {{"RANK", "1", "WORLD_SIZE", "4"},                           "key distributedInfo {\"rank\":1,\"world_size\":4}"},
        {{"SLURM_PROCID", "2", "SLURM_NTASKS", "4"},
         "key distributedInfo {\"rank\":2,\"world_size\":4}"                                                            },
        {{"OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2"},
         "key distributedInfo {\"rank\":0,\"world_size\":2}"                                                            },
        {{"PMI_RANK", "5", "PMI_SIZE", "6"},                         "key distributedInfo {\"rank\":5,\"world_size\":6}"},
        {{"RANK", "4", "WORLD_SIZE", "4"},                           NULL                                               },
        {{"RANK", "one", "WORLD_SIZE", "4"},                         NULL                                               },
        {{"RANK", "1", "UNRELATED", "4"},                            NULL                                               },
    };
    const tprof_config config = {.activities = TPROF_CPU};
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *const *v = cases[i].variables;
        char name[32];
        snprintf(name, sizeof(name), "rank%zu.json", i);
        setenv(v[0], v[1], 1);
        setenv(v[2], v[3], 1);
        char *text = end(begin(&config), temp_path(name));
        unsetenv(v[0]);
        unsetenv(v[2]);
        if (cases[i].line)
            assert_line(text, cases[i].line);
        else
            assert_null(strstr(text, "distributedInfo"));
        free(text);
    }
}

static void call_stacks_name_the_functions(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU, .with_stack = true};
    (void)state;

    tprof_profiler *profiler = begin(&config);
    {
        TPROF_SCOPE("range");
    }
    record_all_kinds();
    char *text = end(profiler, temp_path("stack.json"));
    assert_non_null(strstr(text, "\"flops\":99,\"Call stack\":\"train.c(12): backward;"
                                 "train.c(40): main;\"}"));
    assert_non_null(strstr(text, "\"Call stack\":\"test_encode_chrome(0x"));
    assert_line(text, "key with_stack 1");
    free(text);
}

static void add_launch(tp_capture *capture)
{
    tp_capture_add_gpu(capture,
                       &(tp_gpu_event){
                           .kind = TP_GPU_RUNTIME,
                           .name = "cudaLaunchKernel",
                           .begin_ns = 1000001000,
                           .end_ns = 1000003000,
                           .device = TP_GPU_NONE,
                           .context = TP_GPU_NONE,
                           .stream = TP_GPU_NONE,
                           .correlation = 5,
                           .op_id = 9,
                           .call = {.pid = 77, .tid = 78, .cbid = 211, .starts_flow = true}
    });
    tp_capture_add_gpu(capture, &(tp_gpu_event){
                                    .kind = TP_GPU_KERNEL,
                                    .name = "void gemm<float, 4>(float*)",
                                    .begin_ns = 1000004000,
                                    .end_ns = 1000008500,
                                    .device = 0,
                                    .context = 1,
                                    .stream = 7,
                                    .correlation = 5,
                                    .op_id = 9,
                                    .kernel = {.grid = {56, 2, 1},
                                               .block = {384, 1, 1},
                                               .registers_per_thread = 168,
                                               .static_shared_memory = 1024,
                                               .dynamic_shared_memory = 230400,
                                               .blocks_per_sm = (double)(112.0f / 132.0f),
                                               .warps_per_sm = 10.5,
                                               .occupancy_percent = 0,
                                               .occupancy_ratio = 0.1875,
                                               .priority = INT32_MIN,
                                               .channel = INT32_MIN,
                                               .channel_type = INT32_MIN}
    });
}

static void add_other_work(tp_capture *capture)
{
    tp_capture_add_gpu(capture, &(tp_gpu_event){.kind = TP_GPU_MEMCPY,
                                                .name = "Memcpy HtoD (Pageable -> Device)",
                                                .begin_ns = 1000009000,
                                                .end_ns = 1000010000,
                                                .device = 0,
                                                .context = 1,
                                                .stream = 13,
                                                .correlation = 6,
                                                .copy = {.bytes = 2500}});
    tp_capture_add_gpu(capture, &(tp_gpu_event){.kind = TP_GPU_MEMSET,
                                                .name = "Memset (Device)",
                                                .begin_ns = 1000011000,
                                                .end_ns = 1000011000,
                                                .device = 0,
                                                .context = 1,
                                                .stream = 13,
                                                .correlation = 7,
                                                .copy = {.bytes = 64}});
    tp_capture_add_gpu(capture, &(tp_gpu_event){.kind = TP_GPU_SYNC,
                                                .name = "Stream Sync",
                                                .begin_ns = 1000012000,
                                                .end_ns = 1000013000,
                                                .device = 0,
                                                .context = 1,
                                                .stream = 7,
                                                .correlation = 8,
                                                .sync = {.kind = "Stream Sync"}});
    tp_capture_add_gpu(capture, &(tp_gpu_event){.kind = TP_GPU_OVERHEAD,
                                                .name = "Buffer Flush",
                                                .begin_ns = 1000014000,
                                                .end_ns = 1000014100,
                                                .device = TP_GPU_NONE,
                                                .stream = TP_GPU_NONE});
}

// A capture of device work, as a GPU source hands it over.
static tp_capture *device_capture(void)
{
    static const tp_device_info device = {.name = "NVIDIA \"Test\"",
                                          .total_global_memory = 85899345920,
                                          .compute_major = 9,
                                          .multiprocessors = 132};
    tp_capture *capture = tp_capture_create();
    capture->begin_ns = 1000000000;
    capture->end_ns = 2000000000;
    capture->pid = 77;
    capture->process_name = "train";
    tp_capture_add_device(capture, &device);
    tp_capture_prepare(capture); // which would find no owner of the launch
    add_launch(capture);
    add_other_work(capture);
    return capture;
}

static void device_work_has_the_args_of_kineto(void **state)
{
    tp_capture *capture = device_capture();
    const char *path = temp_path("device.json");
    int error;
    (void)state;

    assert_int_equal(tp_encode_file(&tp_encoder_chrome, capture, path, path, &error), TPROF_OK);
    char *text = checked(path);
    assert_line(text, "X cuda_runtime cudaLaunchKernel  {\"External id\":9,\"cbid\":211,"
                      "\"correlation\":5}");
    assert_line(text, "X kernel void gemm<float, 4>(float*)  {\"External id\":9,\"queued\":0,"
                      "\"device\":0,\"context\":1,\"stream\":7,\"correlation\":5,"
                      "\"registers per thread\":168,\"shared memory\":231424,"
                      "\"blocks per SM\":\"0.8484848737716675\",\"warps per SM\":\"10.5\","
                      "\"grid\":[56,2,1],\"block\":[384,1,1],\"est. achieved occupancy %\":0,"
                      "\"tprof occupancy\":\"0.1875\"}");
    assert_line(text, "X gpu_memcpy Memcpy HtoD (Pageable -> Device)  {\"device\":0,\"context\":1,"
                      "\"stream\":13,\"correlation\":6,\"bytes\":2500,"
                      "\"memory bandwidth (GB/s)\":\"2.5\"}");
    // No bandwidth in no time.
    assert_line(text, "X gpu_memset Memset (Device)  {\"device\":0,\"context\":1,\"stream\":13,"
                      "\"correlation\":7,\"bytes\":64}");
    assert_line(text, "X cuda_sync Stream Sync  {\"cuda_sync_kind\":\"Stream Sync\",\"stream\":7,"
                      "\"correlation\":8,\"device\":0,\"context\":1}");
    assert_line(text, "X overhead Buffer Flush  {}");
    assert_line(text, "s ac2g ac2g  {}");
    assert_line(text, "f ac2g ac2g e {}");
    assert_line(text, "M - process_labels  {\"labels\":\"GPU 0\"}");
    assert_line(text, "M - thread_name  {\"name\":\"stream 7 \"}");
    assert_line(text, "M - thread_name  {\"name\":\"stream 7 (sync)\"}");
    assert_line(text, "M - process_name  {\"name\":\"CUPTI Overhead\"}");
    assert_non_null(strstr(text, "key deviceProperties [{\"id\":0,\"name\":\"NVIDIA \\\"Test\\\"\","
                                 "\"totalGlobalMem\":85899345920,\"computeMajor\":9,"));
    free(text);
    tp_capture_release(capture);
}

static char *encoded(const tp_capture *capture, size_t *size)
{
    tp_sink *sink;
    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_encoder_chrome.encode(capture, "same.json", sink);
    const char *text = tp_sink_memory_data(sink, size);
    char *copy = malloc(*size + 1);
    memcpy(copy, text, *size + 1);
    assert_int_equal(tp_sink_close(sink, NULL), TPROF_OK);
    return copy;
}

static void the_same_capture_gives_the_same_bytes(void **state)
{
    tp_capture *capture = device_capture();
    size_t sizes[2];
    (void)state;

    char *first = encoded(capture, &sizes[0]), *second = encoded(capture, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(first, second, sizes[0]);
    free(first);
    free(second);
    tp_capture_release(capture);
}

static void names_of_any_length_are_written_whole(void **state)
{
    enum { LENGTH = 300000 };
    const tprof_config config = {.activities = TPROF_CPU};
    char *name = malloc(LENGTH + 1);
    (void)state;

    memset(name, '"', LENGTH);
    name[LENGTH] = '\0';
    tprof_profiler *profiler = begin(&config);
    for (int i = 0; i < 1000; i++) {
        TPROF_SCOPE("short");
        if (i % 100 == 0)
            tprof_instant(name);
    }
    const char *path = temp_path("long.json");
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_OK);
    tprof_destroy(profiler);
    size_t size;
    char *text = read_whole_file(path, &size);
    assert_true(tp_json_valid(text, size));
    assert_in_range(size, 10 * 2 * LENGTH, 10 * 2 * LENGTH + 1000000);
    free(text);
    free(name);
}

static void exports_need_a_window_and_a_new_name(void **state)
{
    const tprof_config config = {.activities = TPROF_CPU};
    const char *path = temp_path("once.json");
    tprof_profiler *profiler;
    char error[256];
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_ERR_STATE);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(tprof_export_chrome_trace(profiler, ""), TPROF_ERR_ARGUMENT);
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_OK);
    assert_int_equal(tprof_export_chrome_trace(profiler, path), TPROF_ERR_EXISTS);
    tprof_error(profiler, error, sizeof(error));
    assert_non_null(strstr(error, "once.json: File exists"));
    tprof_destroy(profiler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_events_come_back),
        cmocka_unit_test(metadata_is_escaped_and_checked),
        cmocka_unit_test(ranks_come_from_the_launcher),
        cmocka_unit_test(call_stacks_name_the_functions),
        cmocka_unit_test(device_work_has_the_args_of_kineto),
        cmocka_unit_test(the_same_capture_gives_the_same_bytes),
        cmocka_unit_test(names_of_any_length_are_written_whole),
        cmocka_unit_test(exports_need_a_window_and_a_new_name),
    };
    if (system("python3 -c 'import json' 2>/dev/null") != 0) {
        puts("skipped: python3, which reads the traces back, is not there");
        return 77;
    }
    temp_dir_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_dir_remove();
    return failed;
}
