// SPDX-License-Identifier: BSD-3-Clause
// Event files: their records, read back by protobuf-c; how a file grows; what a failure leaves.
#include "support/cmocka_all.h"
#include "support/made_capture.h"
#include "support/temp_dir.h"

#include "encode/encode_tfevents.h"
#include "encode/tfevents_file.h"
#include "event.pb-c.h"
#include "out/tfrecord.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { HEAD = 12, TAIL = 4, EVENTS_MAX = 32 };

typedef struct event_list {
    Tprof__Event *items[EVENTS_MAX];
    size_t count;
} event_list;

static uint64_t little_endian(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

// Takes records apart, with their checksums. Nothing may be left over.
static event_list read_events(const void *data, size_t size)
{
    const uint8_t *at = data, *end = at + size;
    event_list list = {0};

    while (at < end) {
        const size_t length = little_endian(at, 8);
        assert_int_equal(little_endian(at + 8, 4), tp_crc32c_masked(at, 8));
        assert_true(length + HEAD + TAIL <= (size_t)(end - at));
        assert_int_equal(little_endian(at + HEAD + length, 4), tp_crc32c_masked(at + HEAD, length));
        assert_true(list.count < EVENTS_MAX);
        list.items[list.count] = tprof__event__unpack(NULL, length, at + HEAD);
        assert_non_null(list.items[list.count]);
        list.count++;
        at += HEAD + length + TAIL;
    }
    return list;
}

static void free_events(event_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        tprof__event__free_unpacked(list->items[i], NULL);
    list->count = 0;
}

// The value of a tag in the event of a step; NULL if there is none.
static const Tprof__Summary__Value *find_value(const event_list *list, int64_t step,
                                               const char *tag)
{
    for (size_t i = 0; i < list->count; i++) {
        const Tprof__Event *e = list->items[i];
        if (e->what_case != TPROF__EVENT__WHAT_SUMMARY || e->step != step)
            continue;
        for (size_t v = 0; v < e->summary->n_value; v++)
            if (strcmp(e->summary->value[v]->tag, tag) == 0)
                return e->summary->value[v];
    }
    return NULL;
}

static double scalar(const event_list *list, int64_t step, const char *tag)
{
    const Tprof__Summary__Value *value = find_value(list, step, tag);
    assert_non_null(value);
    assert_int_equal(value->value_case, TPROF__SUMMARY__VALUE__VALUE_SIMPLE_VALUE);
    return value->simple_value;
}

static tp_capture *two_steps(void)
{
    const int64_t ms = 1000000;
    made_begin();
    made_range(TP_LOADER, "loader", 1000 * ms, 1010 * ms);
    made_step(7, 1000 * ms, 1040 * ms);
    made_step(8, 1040 * ms, 1060 * ms);
    tp_capture *capture = made_capture();
    const tp_gpu_event kernel = {.kind = TP_GPU_KERNEL,
                                 .name = "k",
                                 .device = 2,
                                 .begin_ns = 1020 * ms,
                                 .end_ns = 1030 * ms};
    assert_true(tp_capture_add_gpu(capture, &kernel));
    capture->batch_size = 32;
    return capture;
}

static void a_step_is_a_record_of_scalars_at_its_end(void **state)
{
    tp_capture *capture = two_steps();
    tp_run_totals totals = {0};
    tp_sink *sink;
    size_t size;
    (void)state;

    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_tfevents_begin(sink, 999500000000);
    tp_tfevents_window(capture, &totals, sink);
    assert_int_equal(sink->status, TPROF_OK);
    const char *data = tp_sink_memory_data(sink, &size);
    event_list events = read_events(data, size);

    assert_string_equal(events.items[0]->file_version, "brain.Event:2");
    assert_true(events.items[0]->wall_time == 999.5);
    assert_true(scalar(&events, 7, "tprof/step_time_ms") == 40.0);
    assert_true(scalar(&events, 7, "tprof/data_loader_wait_ms") == 10.0);
    assert_true(scalar(&events, 7, "tprof/samples_per_second") == 800.0);
    assert_true(scalar(&events, 7, "tprof/device_busy_percent/2") == 25.0);
    assert_true(scalar(&events, 8, "tprof/step_time_ms") == 20.0);
    assert_true(scalar(&events, 8, "tprof/data_loader_wait_ms") == 0.0);
    assert_true(scalar(&events, 8, "tprof/device_busy_percent/2") == 0.0);
    assert_true(events.items[1]->wall_time == 1.04);
    assert_int_equal(totals.steps, 2);
    free_events(&events);
    tp_sink_abandon(sink);
    tp_capture_release(capture);
}

static void what_is_unknown_has_no_tag(void **state)
{
    tp_run_totals totals = {0};
    tp_sink *sink;
    size_t size;
    (void)state;

    made_begin();
    made_step(0, 100, 200);
    tp_capture *capture = made_capture();
    assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
    tp_tfevents_window(capture, &totals, sink);
    const char *data = tp_sink_memory_data(sink, &size);
    event_list events = read_events(data, size);
    assert_null(find_value(&events, 0, "tprof/samples_per_second"));
    assert_null(find_value(&events, 0, "tprof/device_busy_percent/0"));
    assert_non_null(find_value(&events, 0, "tprof/step_time_ms"));
    free_events(&events);
    tp_sink_abandon(sink);
    tp_capture_release(capture);
}

static void the_summary_is_text_and_adds_up_the_run(void **state)
{
    static const char expected[] = "| | |\n"
                                   "|---|---|\n"
                                   "| recorded steps | 4 (7 to 8) |\n"
                                   "| mean step time | 30.000 ms |\n"
                                   "| shortest step | 20.000 ms |\n"
                                   "| longest step | 40.000 ms |\n"
                                   "| throughput | 1066.67 samples/s |\n"
                                   "| wait for the data loader | 16.7 % of step time |\n"
                                   "| devices busy | 16.7 % of step time |\n"
                                   "| environment | {\"model\": \"a\\|b\"} |\n";
    tp_capture *capture = two_steps();
    tp_run_totals totals = {0};
    (void)state;

    assert_true(tp_capture_add_json(capture, "environment", "{\"model\": \"a|b\"}"));
    for (int window = 0; window < 2; window++) {
        tp_sink *sink;
        size_t size;
        assert_int_equal(tp_sink_memory_open(0, &sink), TPROF_OK);
        tp_tfevents_window(capture, &totals, sink);
        const char *data = tp_sink_memory_data(sink, &size);
        event_list events = read_events(data, size);
        const Tprof__Summary__Value *value = find_value(&events, 8, "tprof/summary");
        assert_non_null(value);
        assert_string_equal(value->metadata->plugin_data->plugin_name, "text");
        assert_int_equal(value->tensor->dtype, TPROF__DATA_TYPE__DT_STRING);
        assert_int_equal(value->tensor->n_string_val, 1);
        const ProtobufCBinaryData text = value->tensor->string_val[0];
        if (window == 1) {
            assert_int_equal(text.len, strlen(expected));
            assert_memory_equal(text.data, expected, text.len);
        }
        free_events(&events);
        tp_sink_abandon(sink);
    }
    tp_capture_release(capture);
}

static size_t events_in_file(const char *path)
{
    size_t size;
    char *data = read_whole_file(path, &size);
    assert_non_null(data);
    event_list events = read_events(data, size);
    const size_t count = events.count;
    free_events(&events);
    free(data);
    return count;
}

static void a_file_grows_by_windows_and_has_one_head(void **state)
{
    tp_capture *capture = two_steps();
    const char *folder = temp_path("");
    tp_tfevents_file *file = tp_tfevents_create(folder);
    int error;
    (void)state;

    assert_non_null(file);
    assert_string_equal(tp_tfevents_path(file), "");
    assert_int_equal(count_files(folder, ""), 0);
    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_OK);
    assert_non_null(strstr(tp_tfevents_path(file), "events.out.tfevents."));
    // The head; for each step its scalars and its device; the summary.
    assert_int_equal(events_in_file(tp_tfevents_path(file)), 1 + 2 * 2 + 1);
    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_OK);
    assert_int_equal(events_in_file(tp_tfevents_path(file)), 1 + 2 * (2 * 2 + 1));
    assert_int_equal(count_files(folder, ""), 1);
    tp_tfevents_destroy(file);
    tp_capture_release(capture);
}

static void a_window_without_steps_makes_no_file(void **state)
{
    const char *folder = temp_path("");
    const int before = count_files(folder, "");
    tp_tfevents_file *file = tp_tfevents_create(folder);
    int error;
    (void)state;

    made_begin();
    made_range(TP_RANGE, "r", 1, 2);
    tp_capture *capture = made_capture();
    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_OK);
    assert_int_equal(count_files(folder, ""), before);
    tp_tfevents_destroy(file);
    tp_capture_release(capture);
}

static void a_full_disk_leaves_whole_records_and_later_windows_go_on(void **state)
{
    tp_capture *capture = two_steps();
    tp_tfevents_file *file = tp_tfevents_create(temp_path(""));
    struct rlimit limit, small;
    int error;
    (void)state;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_OK);
    const size_t before = events_in_file(tp_tfevents_path(file));
    size_t size;
    free(read_whole_file(tp_tfevents_path(file), &size));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = size + 100; // in the middle of a record
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const tprof_status status = tp_tfevents_add(file, capture, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    assert_int_equal(status, TPROF_ERR_IO);
    assert_int_not_equal(error, 0);
    assert_int_equal(events_in_file(tp_tfevents_path(file)), before);
    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_OK);
    assert_int_equal(events_in_file(tp_tfevents_path(file)), 2 * before - 1);
    tp_tfevents_destroy(file);
    tp_capture_release(capture);
}

static void a_folder_that_is_not_there_is_an_error_with_its_number(void **state)
{
    tp_capture *capture = two_steps();
    tp_tfevents_file *file = tp_tfevents_create(temp_path("missing"));
    int error;
    (void)state;

    assert_int_equal(tp_tfevents_add(file, capture, &error), TPROF_ERR_IO);
    assert_int_not_equal(error, 0);
    assert_string_equal(tp_tfevents_path(file), "");
    tp_tfevents_destroy(file);
    tp_capture_release(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_a_record_of_scalars_at_its_end),
        cmocka_unit_test(what_is_unknown_has_no_tag),
        cmocka_unit_test(the_summary_is_text_and_adds_up_the_run),
        cmocka_unit_test(a_file_grows_by_windows_and_has_one_head),
        cmocka_unit_test(a_window_without_steps_makes_no_file),
        cmocka_unit_test(a_full_disk_leaves_whole_records_and_later_windows_go_on),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_error_with_its_number),
    };
    return cmocka_run_group_tests(tests, temp_dir_set_up, temp_dir_tear_down);
}
