// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/arena.h"
#include "read/input.h"
#include "support/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct bytes {
    unsigned char at[8 * 1024 * 1024];
    size_t size;
} bytes;

static bytes stored, expected, got;
static char notes[1024];

static int set_up(void **state)
{
    (void)state;
    temp_dir_make();
    stored.size = expected.size = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temp_dir_remove();
    return 0;
}

static void put(bytes *to, const void *from, size_t size)
{
    assert_true(to->size + size <= sizeof(to->at));
    memcpy(to->at + to->size, from, size);
    to->size += size;
}

// Text that compresses like a trace, numbered so that a lost piece shows.
static const char *some_text(size_t size)
{
    static char letters[4 * 1024 * 1024 + 64];
    size_t at = 0;
    assert_true(size <= sizeof(letters) - 64);
    for (unsigned i = 0; at < size; i++)
        at += (size_t)snprintf(letters + at, 64, "{\"ph\": \"X\", \"ts\": %u.%03u},\n", i * 7919u,
                               i % 1000);
    return letters;
}

// Appends a gzip member of `text`; with a header of every optional field where `name` is given.
static void put_member(const char *letters, size_t size, char *name)
{
    z_stream z = {0};
    gz_header header = {.name = (Bytef *)name,
                        .comment = (Bytef *)name,
                        .extra = (Bytef *)name,
                        .extra_len = name ? (uInt)strlen(name) : 0,
                        .hcrc = 1};

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    if (name)
        deflateSetHeader(&z, &header);
    z.next_in = (Bytef *)(uintptr_t)letters;
    z.avail_in = (uInt)size;
    z.next_out = stored.at + stored.size;
    z.avail_out = (uInt)(sizeof(stored.at) - stored.size);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    stored.size += z.total_out;
    deflateEnd(&z);
    put(&expected, letters, size);
}

static void collect(void *self, const char *code, note_severity severity, uint64_t offset,
                    const char *what)
{
    const size_t used = strlen(notes);
    (void)self;
    (void)severity;
    (void)what;
    snprintf(notes + used, sizeof(notes) - used, "%s%s@%u", used ? " " : "", code,
             (unsigned)offset);
}

// Reads all of the stored bytes, keeping `keep` bytes of each window for the next.
static void read_stored(const read_limits *limits, bool background, size_t keep)
{
    const record_visitor visitor = {.note = collect};
    input_window w = {0};
    error err = {0};
    input *in;

    write_whole_file(temp_path("file"), stored.at, stored.size);
    got.size = 0;
    *notes = '\0';
    assert_int_equal(input_open(temp_path("file"), limits, background, &in, &err), ERR_NONE);
    const char *from = NULL;
    do {
        assert_int_equal(input_more(in, from, &visitor, &w, &err), ERR_NONE);
        const size_t size = (size_t)(w.end - w.begin), kept = size < keep ? size : keep;
        assert_true(w.offset <= got.size);
        got.size = (size_t)w.offset;
        put(&got, w.begin, size);
        for (int i = 0; i < INPUT_PADDING; i++)
            assert_int_equal((unsigned char)w.end[i], 0xff);
        from = w.end - kept;
    } while (!w.last);
    assert_int_equal(input_inflated_bytes(in), got.size);
    assert_int_equal(input_stored_bytes(in), stored.size);
    assert_int_equal(input_stored_size(in), stored.size);
    input_close(in);
}

static void expect_bytes(const char *expected_notes)
{
    assert_int_equal(got.size, expected.size);
    assert_memory_equal(got.at, expected.at, expected.size);
    assert_string_equal(notes, expected_notes);
}

static void read_each_way(const char *expected_notes)
{
    static const uint32_t WINDOWS[] = {0, 1000000, 4093, 77};
    static const size_t KEEPS[] = {0, 1, 100, 70000, 300000};

    for (size_t w = 0; w < ARRAY_LEN(WINDOWS); w++) {
        for (size_t k = 0; k < ARRAY_LEN(KEEPS); k++) {
            if (WINDOWS[w] == 77 && (expected.size > 100000 || KEEPS[k] > 100))
                continue;
            for (int background = 0; background < 2; background++) {
                const read_limits limits = {.window_bytes = WINDOWS[w]};
                read_stored(&limits, background, KEEPS[k]);
                expect_bytes(expected_notes);
            }
        }
    }
}

static void plain_bytes_come_through(void **state)
{
    static const size_t SIZES[] = {1,      2,      63,      64,      65,     262143,
                                   262144, 262145, 1048576, 1048577, 3000000};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        stored.size = expected.size = 0;
        put(&stored, some_text(SIZES[i]), SIZES[i]);
        put(&expected, stored.at, stored.size);
        read_each_way("");
    }
}

static void nothing_is_one_empty_window(void **state)
{
    (void)state;
    read_stored(NULL, false, 0);
    expect_bytes("");
}

static void members_join_even_empty_ones(void **state)
{
    char name[] = "worker0.json";
    const char *letters = some_text(3000000);
    (void)state;
    put_member(letters, 1000, NULL);
    put_member(letters, 0, NULL);
    put_member(letters + 1000, 2000000, name);
    put_member(letters + 2001000, 1, name);
    put_member(letters + 2001001, 900000, NULL);
    read_each_way("");
}

static void one_byte_members_join(void **state)
{
    const char *letters = some_text(5000);
    (void)state;
    for (size_t i = 0; i < 5000; i++)
        put_member(letters + i, 1, NULL);
    read_each_way("");
}

static void padding_and_garbage_are_noted(void **state)
{
    static const char ZEROS[512];
    (void)state;
    put_member(some_text(5000), 5000, NULL);
    put(&stored, ZEROS, 512);
    read_each_way("trailing_zeros@5000");
    put(&stored, "garbage", 7);
    read_each_way("trailing_zeros@5000 trailing_garbage@5000");
}

static void members_behind_padding_are_read(void **state)
{
    static const char ZEROS[512];
    (void)state;
    put_member(some_text(5000), 5000, NULL);
    put(&stored, ZEROS, 512);
    put_member(some_text(5000), 5000, NULL);
    read_each_way("trailing_zeros@5000");
}

static void a_wrong_checksum_is_noted_and_read_over(void **state)
{
    (void)state;
    put_member(some_text(5000), 5000, NULL);
    stored.at[stored.size - 6] ^= 1;
    put_member(some_text(3000), 3000, NULL);
    stored.at[stored.size - 1] ^= 1;
    read_each_way("checksum_mismatch@5000 checksum_mismatch@8000");
}

static void many_notes_are_all_handed_on(void **state)
{
    const char *at = notes;
    int count = 0;
    (void)state;
    for (int i = 0; i < 40; i++) {
        put_member("a", 1, NULL);
        stored.at[stored.size - 6] ^= 1;
    }
    read_stored(NULL, true, 10);
    for (; (at = strstr(at, "checksum_mismatch")); at++)
        count++;
    assert_int_equal(count, 40);
    assert_int_equal(got.size, 40);
}

static void every_cut_gives_what_is_readable(void **state)
{
    const size_t whole = 3000;
    (void)state;
    put_member(some_text(whole), whole, NULL);
    const size_t size = stored.size;
    size_t before = 0;
    for (stored.size = 2; stored.size < size; stored.size++) {
        read_stored(NULL, false, 0);
        assert_true(got.size >= before && got.size <= whole);
        assert_memory_equal(got.at, expected.at, got.size);
        assert_non_null(strstr(notes, "truncated@"));
        before = got.size;
    }
    assert_int_equal(before, whole);
}

static void damage_inside_is_noted(void **state)
{
    (void)state;
    put_member(some_text(200000), 200000, NULL);
    memset(stored.at + stored.size / 2, 0xff, 200);
    read_stored(NULL, false, 0);
    assert_true(got.size > 50000);
    assert_memory_equal(got.at, expected.at, 50000);
    assert_true(*notes);
}

static void a_header_that_is_none_is_noted(void **state)
{
    (void)state;
    put(&stored, "\x1f\x8b\x07\x00not gzip", 12);
    read_stored(NULL, false, 0);
    expect_bytes("broken_gzip@0");
}

static void inflating_without_bound_is_stopped(void **state)
{
    const size_t size = 80 * 1024 * 1024;
    char *zeros = calloc(1, size);
    const read_limits limits = {.inflate_ratio = 100};
    const record_visitor visitor = {.note = collect};
    input_window w = {0};
    error err = {0};
    input *in;
    (void)state;

    gzFile file = gzopen(temp_path("bomb"), "wb9");
    assert_int_equal(gzwrite(file, zeros, (unsigned)size), (int)size);
    gzclose(file);
    free(zeros);
    *notes = '\0';
    assert_int_equal(input_open(temp_path("bomb"), &limits, true, &in, &err), ERR_NONE);
    while (!w.last)
        assert_int_equal(input_more(in, NULL, &visitor, &w, &err), ERR_NONE);
    assert_non_null(strstr(notes, "inflate_limit@"));
    assert_true(input_inflated_bytes(in) < 66 * 1024 * 1024);
    input_close(in);
}

static void closing_early_stops_the_thread(void **state)
{
    error err = {0};
    input *in;
    input_window w;
    (void)state;
    put_member(some_text(4000000), 4000000, NULL);
    write_whole_file(temp_path("file"), stored.at, stored.size);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(input_open(temp_path("file"), NULL, true, &in, &err), ERR_NONE);
        if (i % 2)
            assert_int_equal(input_more(in, NULL, NULL, &w, &err), ERR_NONE);
        input_close(in);
    }
}

static void what_cannot_be_opened_is_an_error(void **state)
{
    error err = {0};
    input *in;
    (void)state;
    assert_int_equal(input_open(temp_path("nowhere"), NULL, false, &in, &err), ERR_IO);
    assert_null(in);
    assert_string_equal(err.message, "cannot open: No such file or directory");
    assert_int_equal(input_open(temp_path("."), NULL, true, &in, &err), ERR_IO);
    assert_null(in);
    assert_string_equal(err.message, "cannot read: Is a directory");
}

static void standard_input_is_a_dash(void **state)
{
    int ends[2];
    error err = {0};
    input_window w = {0};
    input *in;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "hello", 5), 5);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(input_open("-", NULL, false, &in, &err), ERR_NONE);
    assert_int_equal(input_stored_size(in), 0);
    assert_int_equal(input_more(in, NULL, NULL, &w, &err), ERR_NONE);
    assert_memory_equal(w.begin, "hello\xff", 6);
    assert_true(w.last);
    input_close(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_bytes_come_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_one_empty_window, set_up, tear_down),
        cmocka_unit_test_setup_teardown(members_join_even_empty_ones, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_byte_members_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(padding_and_garbage_are_noted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(members_behind_padding_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_checksum_is_noted_and_read_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_notes_are_all_handed_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_cut_gives_what_is_readable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_inside_is_noted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_header_that_is_none_is_noted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inflating_without_bound_is_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(closing_early_stops_the_thread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_opened_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(standard_input_is_a_dash, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
