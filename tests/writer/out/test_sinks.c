// SPDX-License-Identifier: BSD-3-Clause
// Sinks: what a file looks like while it is written and after; gzip; failures that stick.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "out/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static tprof_status write_file(const char *path, tp_file_mode mode, const char *text)
{
    tp_sink *sink;
    const tprof_status status = tp_sink_file_open(path, mode, &sink, NULL);
    if (status != TPROF_OK)
        return status;
    tp_sink_write(sink, text, strlen(text));
    return tp_sink_close(sink, NULL);
}

static void assert_file(const char *path, const char *text)
{
    size_t size;
    char *bytes = read_whole_file(path, &size);
    assert_non_null(bytes);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void a_file_has_its_name_only_when_complete(void **state)
{
    const char *path = temp_path("whole.json");
    tp_sink *sink;
    (void)state;

    assert_int_equal(tp_sink_file_open(path, TP_FILE_NEW, &sink, NULL), TPROF_OK);
    tp_sink_write(sink, "half", 4);
    assert_int_not_equal(access(path, F_OK), 0);
    tp_sink_abandon(sink);
    assert_int_equal(count_files(temp_path(""), ""), 0);

    assert_int_equal(write_file(path, TP_FILE_NEW, "whole"), TPROF_OK);
    assert_file(path, "whole");
    assert_int_equal(count_files(temp_path(""), ""), 1);
    unlink(path);
}

static void a_new_file_never_replaces_another(void **state)
{
    const char *path = temp_path("taken.json");
    tp_sink *sink;
    int error;
    (void)state;

    // There before it is opened, and there before it is closed; a link that leads nowhere, too.
    assert_int_equal(write_file(path, TP_FILE_NEW, "first"), TPROF_OK);
    assert_int_equal(tp_sink_file_open(path, TP_FILE_NEW, &sink, &error), TPROF_ERR_EXISTS);
    assert_int_equal(error, EEXIST);
    unlink(path);
    assert_int_equal(tp_sink_file_open(path, TP_FILE_NEW, &sink, NULL), TPROF_OK);
    assert_int_equal(symlink("nowhere", path), 0);
    tp_sink_write(sink, "second", 6);
    assert_int_equal(tp_sink_close(sink, &error), TPROF_ERR_EXISTS);
    assert_int_equal(error, EEXIST);
    assert_int_equal(count_files(temp_path(""), ""), 1);
    unlink(path);
}

static void replacing_keeps_links_and_devices(void **state)
{
    const char *real = temp_path("real.json"), *alias = temp_path("alias.json");
    (void)state;

    assert_int_equal(write_file(real, TP_FILE_REPLACE, "old"), TPROF_OK);
    assert_int_equal(symlink("real.json", alias), 0);
    assert_int_equal(write_file(alias, TP_FILE_REPLACE, "new"), TPROF_OK);
    assert_file(real, "new");
    assert_int_equal(readlink(alias, (char[8]){0}, 8), 8);
    assert_int_equal(write_file("/dev/null", TP_FILE_REPLACE, "gone"), TPROF_OK);
    unlink(real);
    unlink(alias);
}

static void failures_stick_and_say_why(void **state)
{
    tp_sink *sink;
    int error = 0;
    (void)state;

    assert_int_equal(tp_sink_file_open(temp_path("no/such/dir"), TP_FILE_NEW, &sink, &error),
                     TPROF_ERR_IO);
    assert_int_equal(error, ENOENT);
    assert_null(sink);

    assert_int_equal(tp_sink_file_open("/dev/full", TP_FILE_REPLACE, &sink, NULL), TPROF_OK);
    tp_sink_write(sink, "x", 1);
    assert_int_equal(sink->status, TPROF_ERR_IO);
    tp_sink_write(sink, "y", 1);
    assert_int_equal(sink->bytes, 1);
    assert_int_equal(tp_sink_close(sink, &error), TPROF_ERR_IO);
    assert_int_equal(error, ENOSPC);
    assert_int_equal(tp_sink_close(NULL, &error), TPROF_ERR_MEMORY);

    assert_int_equal(tp_sink_memory_open(3, &sink), TPROF_OK);
    tp_sink_write(sink, "abc", 3);
    tp_sink_write(sink, "d", 1);
    assert_int_equal(tp_sink_close(sink, NULL), TPROF_ERR_MEMORY);
}

static void gzip_passes_failures_up(void **state)
{
    tp_sink *below, *sink;
    int error = 0;
    (void)state;

    assert_int_equal(tp_sink_file_open("/dev/full", TP_FILE_REPLACE, &below, NULL), TPROF_OK);
    assert_int_equal(tp_sink_gzip_open(below, NULL, &sink), TPROF_OK);
    tp_sink_write(sink, "x", 1);
    assert_int_equal(tp_sink_close(sink, &error), TPROF_ERR_IO);
    assert_int_equal(error, ENOSPC);
}

// A text that compresses like a trace, with a little noise.
static char *sample(size_t size)
{
    char *text = malloc(size + 64);
    uint32_t noise = 1;
    for (size_t at = 0; at < size;) {
        noise = noise * 1664525u + 1013904223u;
        at += (size_t)sprintf(text + at, "{\"ts\": %u, \"name\": \"aten::mm\"},\n", noise >> 12);
    }
    text[size] = '\0';
    return text;
}

static void gzip_is_one_valid_member(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 3000000};
    (void)state;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char *text = sample(sizes[i]), *back = malloc(sizes[i] + 1);
        const char *path = temp_path("one.gz");
        tp_sink *below, *sink;
        assert_int_equal(tp_sink_file_open(path, TP_FILE_REPLACE, &below, NULL), TPROF_OK);
        assert_int_equal(tp_sink_gzip_open(below, "one.json", &sink), TPROF_OK);
        for (size_t at = 0; at < sizes[i]; at += 7001)
            tp_sink_write(sink, text + at, sizes[i] - at < 7001 ? sizes[i] - at : 7001);
        assert_int_equal(tp_sink_close(sink, NULL), TPROF_OK);

        size_t stored;
        char *bytes = read_whole_file(path, &stored);
        z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)stored};
        char name[16] = "";
        gz_header header = {.name = (Bytef *)name, .name_max = sizeof(name)};
        assert_int_equal(inflateInit2(&stream, 31), Z_OK);
        inflateGetHeader(&stream, &header);
        stream.next_out = (Bytef *)back;
        stream.avail_out = (uInt)sizes[i] + 1;
        assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
        assert_int_equal(stream.avail_in, 0);
        assert_int_equal(stream.total_out, sizes[i]);
        assert_string_equal(name, "one.json");
        assert_memory_equal(back, text, sizes[i]);
        inflateEnd(&stream);
        free(bytes);
        free(back);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_its_name_only_when_complete),
        cmocka_unit_test(a_new_file_never_replaces_another),
        cmocka_unit_test(replacing_keeps_links_and_devices),
        cmocka_unit_test(failures_stick_and_say_why),
        cmocka_unit_test(gzip_passes_failures_up),
        cmocka_unit_test(gzip_is_one_valid_member),
    };
    temp_dir_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_dir_remove();
    return failed;
}
