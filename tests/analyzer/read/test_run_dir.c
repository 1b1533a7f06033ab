// SPDX-License-Identifier: BSD-3-Clause
#include "support/cmocka_all.h"

#include "base/text.h"
#include "read/run_dir.h"
#include "support/temp_dir.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct tree {
    arena *arena;
    const char *root;
    run_listing listing;
} tree;

static int set_up(void **state)
{
    arena *a = arena_create();
    tree *t = arena_new(a, tree, 1);
    t->arena = a;
    t->root = arena_printf(a, "%s", temp_dir_make());
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    tree *t = *state;
    temp_dir_remove();
    arena_destroy(t->arena);
    return 0;
}

static const char *at(tree *t, const char *name)
{
    return *name ? arena_printf(t->arena, "%s/%s", t->root, name) : t->root;
}

static void folder(tree *t, const char *name)
{
    assert_int_equal(mkdir(at(t, name), 0777), 0);
}

static void file(tree *t, const char *name)
{
    FILE *f = fopen(at(t, name), "w");
    assert_non_null(f);
    fclose(f);
}

static void link_to(tree *t, const char *name, const char *target)
{
    assert_int_equal(symlink(target, at(t, name)), 0);
}

static void list(tree *t, const char *name)
{
    error err = {0};
    assert_int_equal(run_listing_add(&t->listing, t->arena, at(t, name), &err), ERR_NONE);
    run_listing_sort(&t->listing);
}

static void expect_file(const tree *t, uint32_t number, const char *run, const char *worker,
                        const char *span)
{
    assert_true(number < t->listing.file_count);
    assert_string_equal(t->listing.files[number].run, run);
    assert_string_equal(t->listing.files[number].worker, worker);
    assert_string_equal(t->listing.files[number].span, span);
}

static const char *reason_for(const tree *t, const char *path)
{
    for (uint32_t i = 0; i < t->listing.ignored_count; i++)
        if (strcmp(t->listing.ignored[i].path, path) == 0)
            return t->listing.ignored[i].reason;
    fail_msg("%s was not listed as ignored", path);
    return NULL;
}

static void names_are_split_as_the_plugin_splits_them(void **state)
{
    static const struct {
        const char *name, *worker, *span;
        int64_t stamp;
    } cases[] = {
        {"host_123.1623143089861.pt.trace.json.gz",                  "host_123",               "1623143089861",
         1623143089861000000                                                                                                                 },
        {"a.5.7.pt.trace.json",                                      "a.5",                    "7",                       7                  },
        {"a.5.pt.trace.json",                                        "a",                      "5",                       5                  },
        {"a.b.pt.trace.json",                                        "a.b",                    "default",                 -1                 },
        {"1718116821592.pt.trace.json",                              "1718116821592",          "default",                 -1                 },
        {".5.pt.trace.json",                                         "",                       "5",                       5                  },
        {".pt.trace.json",                                           "",                       "default",                 -1                 },
        {"x.pt.trace.json.pt.trace.json",                            "x.pt.trace.json",        "default",                 -1                 },
        {"node-1.cluster.local_1.1700000000456789012.pt.trace.json", "node-1.cluster.local_1",
         "1700000000456789012",                                                                                           1700000000456789012},
        {"w.1700000000456789.pt.trace.json",                         "w",                      "1700000000456789",        1700000000456789000},
        {"w.1700000000.pt.trace.json",                               "w",                      "1700000000",              1700000000000000000},
        {"w.99999999999999999999999.pt.trace.json",                  "w",                      "99999999999999999999999", INT64_MAX          },
    };
    tree *t = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        t->listing = (run_listing){0};
        file(t, cases[i].name);
        list(t, cases[i].name);
        expect_file(t, 0, strrchr(t->root, '/') + 1, cases[i].worker, cases[i].span);
        assert_int_equal(t->listing.files[0].stamp, cases[i].stamp);
    }
}

static void folders_with_traces_are_runs(void **state)
{
    tree *t = *state;
    folder(t, "sub run");
    folder(t, "sub run/deep");
    folder(t, "nothing");
    file(t, "w.1700000000456.pt.trace.json");
    file(t, "w.1700000000123.pt.trace.json.gz");
    file(t, "w.1700000000456789012.pt.trace.json");
    file(t, "sub run/fit.1700000000001.pt.trace.json");
    file(t, "sub run/deep/v.pt.trace.json");
    list(t, "");

    const char *base = strrchr(t->root, '/') + 1;
    const bool first = strcmp(base, "sub run") < 0;
    const uint32_t own = first ? 0 : 2, sub = first ? 3 : 0;
    assert_int_equal(t->listing.file_count, 5);
    assert_int_equal(t->listing.folder_count, 4);
    assert_int_equal(t->listing.ignored_count, 0);
    expect_file(t, own, base, "w", "1700000000123");
    expect_file(t, own + 1, base, "w", "1700000000456");
    expect_file(t, own + 2, base, "w", "1700000000456789012");
    expect_file(t, sub, "sub run", "fit", "1700000000001");
    expect_file(t, sub + 1, "sub run/deep", "v", "default");
}

static void what_is_left_out_is_listed_with_the_reason(void **state)
{
    static const struct {
        const char *name, *reason;
    } cases[] = {
        {"export.json",                "does not end in .pt.trace.json"},
        {"export.json.gz",             "does not end in .pt.trace.json"},
        {"w.1.pt.trace.json.tmp",      "unfinished recording"          },
        {"events.out.tfevents.1.host", "TensorBoard events"            },
        {"notes.txt",                  "not a trace by its name"       },
        {"x.PT.trace.json",            "does not end in .pt.trace.json"},
        {"w.5.pt.trace.json.gz",       "a packed copy of the .json"    },
    };
    tree *t = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        file(t, cases[i].name);
    assert_int_equal(mkfifo(at(t, "pipe.pt.trace.json"), 0600), 0);
    file(t, "w.5.pt.trace.json");
    list(t, "");
    assert_int_equal(t->listing.file_count, 1);
    assert_int_equal(t->listing.ignored_count, ARRAY_LEN(cases) + 1);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_non_null(strstr(reason_for(t, at(t, cases[i].name)), cases[i].reason));
    assert_string_equal(reason_for(t, at(t, "pipe.pt.trace.json")), "not a regular file");
}

static void a_named_file_is_taken_whatever_its_name(void **state)
{
    tree *t = *state;
    file(t, "export.json");
    file(t, "trace");
    list(t, "export.json");
    list(t, "trace");
    expect_file(t, 0, strrchr(t->root, '/') + 1, "export", "default");
    expect_file(t, 1, strrchr(t->root, '/') + 1, "trace", "default");
}

static void links_are_followed_and_give_nothing_twice(void **state)
{
    tree *t = *state;
    folder(t, "store");
    folder(t, "store/exp1");
    folder(t, "log");
    folder(t, "log/real");
    file(t, "store/exp1/worker0.1.pt.trace.json");
    file(t, "store/d.2.pt.trace.json");
    file(t, "log/real/r.3.pt.trace.json");
    link_to(t, "log/baseline", "../store/exp1");
    link_to(t, "log/direct.2.pt.trace.json", "../store/d.2.pt.trace.json");
    link_to(t, "log/a_copy", "real");
    link_to(t, "log/loop", ".");
    link_to(t, "log/self", "self");
    link_to(t, "log/dangling.4.pt.trace.json", "nowhere");
    list(t, "log");

    assert_int_equal(t->listing.file_count, 3);
    expect_file(t, 0, "baseline", "worker0", "1");
    expect_file(t, 1, "log", "direct", "2");
    expect_file(t, 2, "real", "r", "3");
    assert_int_equal(t->listing.ignored_count, 4);
    assert_string_equal(reason_for(t, at(t, "log/dangling.4.pt.trace.json")), "a link to nothing");
    assert_string_equal(reason_for(t, at(t, "log/self")), "a link that leads to itself");
    assert_non_null(strstr(reason_for(t, at(t, "log/loop")), "already"));
    assert_non_null(strstr(reason_for(t, at(t, "log/a_copy")), "already"));
}

static void several_paths_share_what_was_seen(void **state)
{
    tree *t = *state;
    folder(t, "log");
    folder(t, "log/a");
    file(t, "log/a/w.1.pt.trace.json");
    list(t, "log/a/w.1.pt.trace.json");
    list(t, "log/");
    list(t, "log/a");
    assert_int_equal(t->listing.file_count, 1);
    expect_file(t, 0, "a", "w", "1");
}

static void what_is_not_there_is_an_error(void **state)
{
    tree *t = *state;
    error err = {0};
    assert_int_equal(run_listing_add(&t->listing, t->arena, at(t, "nowhere"), &err), ERR_IO);
    assert_non_null(strstr(err.message, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_split_as_the_plugin_splits_them, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(folders_with_traces_are_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_left_out_is_listed_with_the_reason, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_named_file_is_taken_whatever_its_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_followed_and_give_nothing_twice, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(several_paths_share_what_was_seen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
