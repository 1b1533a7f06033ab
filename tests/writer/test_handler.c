// SPDX-License-Identifier: BSD-3-Clause
// The TensorBoard handler: names, folders, what stands under a final name at any time, and what
// happens where nothing can be written.
#include "support/cmocka_all.h"
#include "support/temp_dir.h"

#include "out/json_writer.h"
#include "run_folder.h"
#include "tprof/tprof.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

static tprof_profiler *begin(const char *folder, const char *worker,
                             const tprof_tensorboard_options *options, tprof_schedule schedule)
{
    const tprof_config config = {
        .activities = TPROF_CPU,
        .schedule = schedule,
        .on_trace_ready = tprof_tensorboard_trace_handler(folder, worker, options),
    };
    tprof_profiler *profiler;
    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    return profiler;
}

static void steps(tprof_profiler *profiler, int count)
{
    for (int i = 0; i < count; i++) {
        {
            TPROF_SCOPE("range");
        }
        assert_int_equal(tprof_step(profiler), TPROF_OK);
    }
}

static void finish(tprof_profiler *profiler)
{
    assert_int_equal(tprof_stop(profiler), TPROF_OK);
    assert_int_equal(tprof_flush(profiler), TPROF_OK);
    tprof_destroy(profiler);
}

static void a_file_a_step_or_a_window(void **state)
{
    static const struct {
        tprof_tensorboard_options options;
        const char *suffix;
        int files;
    } cases[] = {
        {{0},                                             ".pt.trace.json.gz", 6},
        {{.plain = true},                                 ".pt.trace.json",    6},
        {{.files = TPROF_FILE_PER_WINDOW},                ".pt.trace.json.gz", 2},
        {{.files = TPROF_FILE_PER_WINDOW, .plain = true}, ".pt.trace.json",    2},
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char name[32];
        snprintf(name, sizeof(name), "deep/down/%zu", i);
        const char *folder = temp_path(name);
        tprof_profiler *profiler = begin(folder, "w", &cases[i].options,
                                         (tprof_schedule){.wait = 1, .warmup = 1, .active = 3});
        steps(profiler, 10);
        finish(profiler);
        assert_int_equal(count_files(folder, cases[i].suffix), cases[i].files);
        assert_int_equal(count_files(folder, ""), cases[i].files);
    }
}

static void stopping_early_keeps_what_was_recorded(void **state)
{
    const tprof_tensorboard_options window = {.files = TPROF_FILE_PER_WINDOW};
    (void)state;

    tprof_profiler *profiler =
        begin(temp_path("early"), NULL, &window, (tprof_schedule){.warmup = 1, .active = 5});
    steps(profiler, 3);
    finish(profiler);
    assert_int_equal(count_files(temp_path("early"), ".gz"), 1);

    // In the warm-up there is nothing to keep.
    profiler = begin(temp_path("none"), NULL, &window, (tprof_schedule){.warmup = 2, .active = 1});
    steps(profiler, 1);
    finish(profiler);
    assert_int_equal(count_files(temp_path("none"), ""), -1);
}

static void workers_become_names_that_files_can_have(void **state)
{
    static const struct {
        const char *worker, *name;
    } cases[] = {
        {"rank0",                    "rank0"                   },
        {"node-1.cluster.local_123", "node-1.cluster.local_123"},
        {"../../etc/passwd",         "_._.._etc_passwd"        },
        {".hidden",                  "_hidden"                 },
        {"a/b\\c\nd",                "a_b_c_d"                 },
        {"gr\xc3\xbc\xc3\x9f e",     "gr\xc3\xbc\xc3\x9f e"    },
        {"bad\xff\xc3",              "bad__"                   },
    };
    char name[TP_WORKER_BYTES], expected[300], *longest = malloc(1001);
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tp_worker_name(cases[i].worker, name);
        if (i == 2)
            assert_null(strchr(name, '/'));
        else
            assert_string_equal(name, cases[i].name);
    }
    memset(longest, 'x', 1000);
    longest[1000] = '\0';
    tp_worker_name(longest, name);
    assert_int_equal(strlen(name), TP_WORKER_BYTES - 1);
    free(longest);

    gethostname(expected, 200);
    snprintf(expected + strlen(expected), 32, "_%ld", (long)getpid());
    tp_worker_name(NULL, name);
    assert_string_equal(name, expected);
    tp_worker_name("", name);
    assert_string_equal(name, expected);
}

static void a_thousand_traces_of_one_worker_are_a_thousand_files(void **state)
{
    const char *folder = temp_path("thousand");
    (void)state;

    tprof_profiler *profiler = begin(folder, "w", NULL, (tprof_schedule){.active = 1});
    steps(profiler, 1000);
    finish(profiler);
    assert_int_equal(count_files(folder, ".pt.trace.json.gz"), 1001);
}

// Whether each entry of the folder that has a final name is a whole trace.
static int whole_traces(const char *folder)
{
    DIR *dir = opendir(folder);
    int whole = 0;

    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[1024];
        const size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 3, ".gz") != 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        gzFile file = gzopen(path, "rb");
        char *text = malloc(1 << 22);
        const int size = gzread(file, text, 1 << 22);
        assert_true(size > 0);
        assert_int_equal(gzclose(file), Z_OK);
        assert_true(tp_json_valid(text, (size_t)size));
        free(text);
        whole++;
    }
    closedir(dir);
    return whole;
}

static void kill_leaves_no_half_file_under_a_final_name(void **state)
{
    const char *folder = temp_path("killed");
    int whole = 0;
    (void)state;

    for (int i = 0; i < 15; i++) {
        const pid_t child = fork();
        if (child == 0) {
            tprof_profiler *profiler = begin(folder, "w", NULL, (tprof_schedule){.active = 1});
            for (;;)
                steps(profiler, 1);
        }
        // Once it writes, at any moment of a file's life.
        for (int wait = 0; wait < 5000 && count_files(folder, ".gz") <= whole; wait++)
            usleep(1000);
        usleep(700 * (useconds_t)i);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        whole = whole_traces(folder);
    }
    assert_in_range(whole, 15, 1000000);
}

static void a_program_that_exits_without_stop_keeps_its_window(void **state)
{
    const char *folder = temp_path("exited");
    const tprof_tensorboard_options window = {.files = TPROF_FILE_PER_WINDOW};
    int status;
    (void)state;

    const pid_t child = fork();
    if (child == 0) {
        static tprof_profiler *volatile left; // so that it is not lost, only left
        left = begin(folder, "w", &window, (tprof_schedule){.active = 50});
        steps(left, 7);
        exit(0);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(whole_traces(folder), 1);
    assert_int_equal(count_files(folder, ""), 1);
}

static void a_run_folder_appears_with_all_its_files(void **state)
{
    const char *folder = temp_path("runs");
    const tprof_tensorboard_options options = {.run_folders = true};
    char last[1024], run[1024];
    (void)state;

    tprof_profiler *profiler =
        begin(folder, "w", &options, (tprof_schedule){.warmup = 1, .active = 3});
    steps(profiler, 3);
    assert_int_equal(tprof_flush(profiler), TPROF_OK);
    // Two of three files are written, and no viewer finds them.
    assert_int_equal(tprof_last_file(profiler, last, sizeof(last)), 0);
    assert_int_equal(count_files(folder, ".tmp"), 1);
    steps(profiler, 6);
    assert_int_equal(tprof_flush(profiler), TPROF_OK);
    tprof_last_file(profiler, last, sizeof(last));
    snprintf(run, sizeof(run), "%.*s", (int)(strrchr(last, '/') - last), last);
    assert_int_equal(count_files(run, ".pt.trace.json.gz"), 3);
    assert_int_equal(count_files(run, ""), 3);
    assert_int_equal(whole_traces(run), 3);
    finish(profiler);
    assert_int_equal(count_files(folder, ""), 3);
    assert_int_equal(count_files(folder, ".tmp"), 0);
}

static void only_the_first_ranks_write(void **state)
{
    const tprof_tensorboard_options options = {.rank_count = 1};
    (void)state;

    for (int rank = 0; rank < 2; rank++) {
        const char *folder = temp_path(rank ? "rank1" : "rank0");
        tprof_stats stats;
        setenv("RANK", rank ? "1" : "0", 1);
        setenv("WORLD_SIZE", "2", 1);
        tprof_profiler *profiler = begin(folder, NULL, &options, (tprof_schedule){.active = 1});
        steps(profiler, 2);
        assert_int_equal(tprof_stop(profiler), TPROF_OK);
        tprof_get_stats(profiler, &stats);
        assert_true(rank ? stats.events == 0 : stats.events > 0);
        finish(
            begin(temp_path("unused"), NULL, &options, (tprof_schedule){.wait = 1, .active = 1}));
        tprof_destroy(profiler);
        assert_int_equal(count_files(folder, ".gz"), rank ? -1 : 3);
    }
    unsetenv("RANK");
    unsetenv("WORLD_SIZE");
}

static void failures_are_told_and_training_goes_on(void **state)
{
    char error[512];
    tprof_stats stats;
    (void)state;

    // A file where the folder should be.
    close(open(temp_path("file"), O_CREAT | O_WRONLY, 0666));
    tprof_profiler *profiler =
        begin(temp_path("file/log"), NULL, NULL, (tprof_schedule){.active = 1});
    steps(profiler, 3);
    assert_int_equal(tprof_flush(profiler), TPROF_ERR_IO);
    assert_int_equal(tprof_flush(profiler), TPROF_OK);
    tprof_error(profiler, error, sizeof(error));
    assert_non_null(strstr(error, "file/log: Not a directory"));
    tprof_get_stats(profiler, &stats);
    assert_int_equal(stats.failed_files, 3);
    assert_int_equal(stats.files, 0);
    tprof_destroy(profiler);
}

static void a_folder_stays_where_it_was_named(void **state)
{
    char before[4096], path[4096];
    (void)state;

    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(mkdir(temp_path("here"), 0777), 0);
    assert_int_equal(mkdir(temp_path("there"), 0777), 0);
    assert_int_equal(chdir(temp_path("here")), 0);
    tprof_profiler *profiler =
        begin("log/run", "w", NULL, (tprof_schedule){.wait = 0, .warmup = 0, .active = 1});
    assert_int_equal(chdir("../there"), 0);
    steps(profiler, 3);
    assert_int_equal(tprof_flush(profiler), TPROF_OK);
    tprof_last_file(profiler, path, sizeof(path));
    assert_int_equal(access(path, R_OK), 0);
    finish(profiler);
    assert_int_equal(chdir(before), 0);
    assert_true(count_files(temp_path("here/log/run"), ".pt.trace.json.gz") >= 3);
    assert_int_equal(count_files(temp_path("there"), ""), 0);
}

static void a_handler_without_a_folder_is_refused(void **state)
{
    const tprof_config config = {.on_trace_ready = tprof_tensorboard_trace_handler("", "w", NULL)};
    tprof_profiler *profiler;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_ERR_ARGUMENT);
    assert_null(profiler);
}

// A disk with room for some traces, where this may be made.
static void a_full_disk_is_a_status(void **state)
{
    const char *disk = temp_path("disk");
    char error[512];
    tprof_stats stats;
    (void)state;

    mkdir(disk, 0777);
    if (mount("none", disk, "tmpfs", 0, "size=64k") != 0) {
        print_message("a small disk cannot be mounted here: %s\n", strerror(errno));
        skip();
    }
    const tprof_tensorboard_options plain = {.plain = true};
    tprof_profiler *profiler = begin(disk, "w", &plain, (tprof_schedule){.active = 1});
    steps(profiler, 100);
    assert_int_equal(tprof_flush(profiler), TPROF_ERR_IO);
    tprof_error(profiler, error, sizeof(error));
    assert_non_null(strstr(error, "No space left on device"));
    tprof_get_stats(profiler, &stats);
    assert_in_range(stats.files, 1, 99);
    assert_int_equal(count_files(disk, ".json"), stats.files);
    assert_int_equal(count_files(disk, ""), stats.files);
    tprof_destroy(profiler);
    umount(disk);
}

static unsigned calls;

static void count_call(tprof_profiler *profiler, void *arg)
{
    calls++;
    *(int64_t *)arg = tprof_step_number(profiler);
    assert_int_equal(tprof_stop(profiler), TPROF_ERR_STATE);
    assert_int_equal(tprof_export_chrome_trace(profiler, temp_path("own.json")),
                     calls == 1 ? TPROF_OK : TPROF_ERR_EXISTS);
}

static void a_handler_of_the_program_runs_inside_step(void **state)
{
    int64_t next_step = -1;
    const tprof_config config = {
        .activities = TPROF_CPU,
        .schedule = {.warmup = 1,        .active = 2      },
        .on_trace_ready = {.call = count_call, .arg = &next_step}
    };
    tprof_profiler *profiler;
    (void)state;

    assert_int_equal(tprof_create(&config, &profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_OK);
    assert_int_equal(tprof_start(profiler), TPROF_ERR_STATE);
    steps(profiler, 2);
    assert_int_equal(calls, 0);
    steps(profiler, 1);
    assert_int_equal(calls, 1);
    assert_int_equal(next_step, 3);
    steps(profiler, 3);
    assert_int_equal(calls, 2);
    tprof_destroy(profiler);
    assert_int_equal(tprof_create(&(tprof_config){.schedule = {.wait = 1}}, &profiler),
                     TPROF_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_a_step_or_a_window),
        cmocka_unit_test(stopping_early_keeps_what_was_recorded),
        cmocka_unit_test(workers_become_names_that_files_can_have),
        cmocka_unit_test(a_thousand_traces_of_one_worker_are_a_thousand_files),
        cmocka_unit_test(kill_leaves_no_half_file_under_a_final_name),
        cmocka_unit_test(a_program_that_exits_without_stop_keeps_its_window),
        cmocka_unit_test(a_run_folder_appears_with_all_its_files),
        cmocka_unit_test(only_the_first_ranks_write),
        cmocka_unit_test(failures_are_told_and_training_goes_on),
        cmocka_unit_test(a_folder_stays_where_it_was_named),
        cmocka_unit_test(a_handler_without_a_folder_is_refused),
        cmocka_unit_test(a_full_disk_is_a_status),
        cmocka_unit_test(a_handler_of_the_program_runs_inside_step),
    };
    temp_dir_make();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    temp_dir_remove();
    return failed;
}
